"""The ways to lay a half of a frame, for all uses of the classes of edge pieces."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..parts import Pause
from .frame_kernel import NONE, join, lay_out, step
from .frame_uses import Index, Keys, Uses
from .frame_walk import Arc, Frame, Side

Numbers = NDArray[np.uint64]

# A call of the kernel takes about a tenth of a second.
_CALL_ENTRIES = 1 << 22
_NOTHING = np.zeros(0, dtype=np.uint64)


@dataclass(frozen=True)
class Run:
    """A walk along two sides and the corner between them, from a given colour to any other; or the same backwards.

    Parameters
    ----------
    sides
        The sides, in the order of the walk around the frame.
    corner
        The corner piece between them.
    start
        The colour at the beginning of the walk; the one at its end if it goes backwards.
    backwards
        Whether it goes against the walk around the frame.
    """

    sides: tuple[Side, Side]
    corner: Arc
    start: int
    backwards: bool = False

    def steps(self) -> Iterator[Arc | frozenset[int]]:
        """The steps, in the direction of the walk."""
        steps = [*self.sides[0].steps, self.corner, *self.sides[1].steps]
        for one in reversed(steps) if self.backwards else steps:
            yield one[::-1] if self.backwards and not isinstance(one, frozenset) else one

    @property
    def free(self) -> int:
        """The number of free pieces."""
        return sum(side.free for side in self.sides)


@dataclass(frozen=True)
class Half:
    """The numbers of ways for all uses and some colours.

    Parameters
    ----------
    bands
        The blocks of each band of rows.
    starts
        Where those of each row and colour begin.
    lists
        The lists of the blocks, by colour and key of the row.
    """

    bands: list[Numbers]
    starts: Index
    lists: Index


class Layer(NamedTuple):
    """What can be after a step of a run.

    Parameters
    ----------
    step
        The step.
    keys
        For each colour, the key of the uses with which the walk can be there.
    colors
        The colours from which the run can go on.
    """

    step: Arc | frozenset[int]
    keys: list[int]
    colors: NDArray[np.bool_]


class Walker:
    """Runs through a frame.

    Parameters
    ----------
    frame
        The frame.
    threads
        The number of threads that work on a run.
    """

    def __init__(self, frame: Frame, threads: int = 1) -> None:
        self.frame, self._keys = frame, Keys(frame)
        self.uses = Uses(frame, self._keys)
        self._threads = threads

    def layers(self, run: Run, end: int) -> list[Layer]:
        """The layers of a run to a colour."""
        steps = list(run.steps())
        colors = [np.arange(self.frame.colors) == run.start]
        for one in steps:
            colors.append(self._reached(run, one, colors[-1], forth=True))
        useful = np.arange(self.frame.colors) == end
        for i in range(len(steps), 0, -1):
            colors[i] &= useful
            useful = self._reached(run, steps[i - 1], useful, forth=False)
        free, offset, layers = 0, 0, []
        for one, of_step in zip(steps, colors[1:], strict=True):
            if isinstance(one, frozenset):
                free += 1
            else:
                # Keys count in the direction of the walk around the frame.
                offset += self._keys.along(one[::-1] if run.backwards else one)
            layers.append(Layer(one, self._wanted(run, free - offset), of_step))
        return layers

    def _wanted(self, run: Run, offset: int) -> list[int]:
        """For each colour, the key of the uses that lead there."""
        start, colors = run.start, range(self.frame.colors)
        arcs = ((color, start) if run.backwards else (start, color) for color in colors)
        return [offset + self._keys.along(arc) for arc in arcs]

    def _reached(
        self, run: Run, one: Arc | frozenset[int], colors: NDArray[np.bool_], *, forth: bool
    ) -> NDArray[np.bool_]:
        """The colours that a step reaches from some colours, or (not `forth`) from which it reaches some of them."""
        reached = np.zeros(len(colors), dtype=bool)
        for begin, end in [self._directed(run, c) for c in one] if isinstance(one, frozenset) else [one]:
            here, there = (begin, end) if forth else (end, begin)
            reached[there] |= colors[here]
        return reached

    def _directed(self, run: Run, which: int) -> Arc:
        begin, end = self.frame.arcs[which]
        return (end, begin) if run.backwards else (begin, end)

    def _into(self, run: Run, classes: frozenset[int]) -> tuple[Numbers, Numbers]:
        """The classes of a step by the colours they lead to; see `frame_kernel.step`."""
        directed = sorted((self._directed(run, which)[::-1], which) for which in classes)
        into = np.searchsorted([end for (end, _), _ in directed], np.arange(self.frame.colors + 1))
        rows = [(begin, *self.uses.kind(which)) for (_, begin), which in directed]
        return into.astype(np.uint64), np.array(rows, dtype=np.uint64).reshape(-1, 3)

    def entries(self, run: Run, end: int) -> list[int]:
        """The number of entries of each layer."""
        layers = self.layers(run, end)
        return [self.uses.entries(self.uses.lists(layer.keys)[layer.colors]) for layer in layers]

    def half(self, run: Run, end: int, pause: Callable[[], Pause]) -> tuple[Half, list[int]] | None:
        """The ways for all uses that end with a colour, and the additions by the number of pieces; None if paused."""
        half, nodes = self._empty(run), []
        for layer in self.layers(run, end):
            if isinstance(layer.step, frozenset):
                additions = self._extend(half, run, layer, pause)
                if additions is None:
                    return None
                half, number = additions
                nodes.append(number)
            else:
                begin, after = layer.step
                starts = np.full_like(half.starts, NONE)
                if layer.colors[after]:
                    starts[:, after] = half.starts[:, begin]
                half = Half(half.bands, starts, self.uses.lists(layer.keys))
                nodes.append(0)
        return half, nodes

    def _empty(self, run: Run) -> Half:
        """The half without pieces: one way for the empty use."""
        lists = self.uses.lists(self._wanted(run, 0))
        bands, starts = self._laid_out(np.arange(self.frame.colors) == run.start, lists)
        filled = [np.zeros(size, dtype=np.uint64) for size in bands]
        filled[0][int(starts[0, run.start]) + 1] = 1
        return Half(filled, starts, lists)

    def _laid_out(self, colors: NDArray[np.bool_], lists: Index) -> tuple[list[int], Index]:
        """The sizes of the arrays of all bands, and the starts of the blocks."""
        uses = self.uses
        starts = np.empty((len(uses.place), self.frame.colors), dtype=np.uint32)
        bounds = uses.bands.astype(np.uint64)
        sizes = [
            int(lay_out(first, last, uses.key_of, colors, lists, uses.sizes, starts))
            for first, last in zip(bounds[:-1], bounds[1:], strict=True)
        ]
        return sizes, starts

    def _extend(self, old: Half, run: Run, layer: Layer, pause: Callable[[], Pause]) -> tuple[Half, int] | None:
        """A half with a piece more; bands of the old one are dropped as soon as they are no longer needed."""
        assert isinstance(layer.step, frozenset)
        uses, lists = self.uses, self.uses.lists(layer.keys)
        sizes, starts = self._laid_out(layer.colors, lists)
        into, classes = self._into(run, layer.step)
        bands: list[Numbers] = [_NOTHING] * len(sizes)
        additions = 0
        with ThreadPoolExecutor(self._threads) as pool:
            for band in range(len(sizes) - 1, -1, -1):
                bands[band] = np.empty(sizes[band], dtype=np.uint64)
                before = old.bands[band - 1] if band else _NOTHING
                calls = sizes[band] // _CALL_ENTRIES + 1
                bounds = np.linspace(*uses.bands[band : band + 2], calls + 1).astype(np.uint64)

                def call(at: int, band: int = band, bounds: Numbers = bounds, before: Numbers = before) -> int:
                    if pause() is Pause.NOW:
                        return 0
                    return int(step(
                        bounds[at], bounds[at + 1], uses.key_of, uses.place, uses.row_at, uses.strides, uses.used,
                        into, classes, uses.first, uses.sizes, uses.down, lists,
                        old.starts, old.bands[band], before, starts, bands[band],
                    ))  # fmt: skip

                additions += sum(pool.map(call, range(calls)))
                if pause() is Pause.NOW:
                    return None
                old.bands[band] = _NOTHING
        return Half(bands, starts, lists), additions

    def joined(self, half: Half, color: int, other: Half, other_color: int) -> int:
        """The sum over all uses of the ways for a use, times those of the other half for all other pieces."""
        uses, total = self.uses, 0
        starts, starts_2 = (
            np.ascontiguousarray(of[:, c]) for of, c in ((half.starts, color), (other.starts, other_color))
        )
        for band, (first, last) in enumerate(pairwise(uses.bands.astype(np.uint64))):
            words = np.zeros(4, dtype=np.uint64)
            agree = join(
                first, last, uses.place, uses.row_at, uses.key_of, uses.sizes, half.lists[color], starts,
                half.bands[band], other.lists[other_color], starts_2, other.bands[len(half.bands) - 1 - band], words,
            )  # fmt: skip
            if not agree:
                raise RuntimeError("the halves of a frame do not fit together")
            total += sum(int(word) << 32 * i for i, word in enumerate(words))
        return total
