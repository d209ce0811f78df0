"""The ways to lay a half of a frame, for all uses of the classes of edge pieces."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from frame_kernel import NONE, join, lay_out, step
from frame_uses import ClassUses, Index, Keys, Whole
from frame_walk import Arc, BoardFrame, Side

Numbers = NDArray[np.uint64]

# A call of the kernel takes about a tenth of a second.
_CALL_ENTRIES = 1 << 22
_CHUNK = 1 << 18
#: The memory limit for an arena.
MOST_BYTES = 6 << 30
_NO_CHUNKS = np.zeros(0, dtype=np.uint32)


@dataclass(frozen=True)
class FrameRun:
    """A walk along two sides and the corner between them, from a given colour to any other; or the same backwards."""

    #: The sides, in the order of the walk around the frame.
    sides: tuple[Side, Side]
    #: The corner piece between them.
    corner: Arc
    #: The colour at the beginning of the walk; the one at its end if it goes backwards.
    start: int
    #: Whether it goes against the walk around the frame.
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
class FrameHalf:
    """The numbers of ways for all uses and some colours, in the arena."""

    #: The chunks of each band of rows.
    chunks: list[Index]
    #: Where the blocks of each row and colour begin.
    starts: Index
    #: The lists of the blocks, by colour and key of the row.
    lists: Index


class Arena:
    """One large array in chunks of `size` entries, which are used again: new memory would cost as much as additions."""

    def __init__(self, chunks: int, size: int) -> None:
        self.numbers: Numbers = np.empty(chunks * size, dtype=np.uint64)
        self.size = np.uint64(size)
        self._chunks = chunks
        self.clear()

    def clear(self, *kept: Index) -> None:
        """Make all chunks free except some."""
        free = np.arange(self._chunks, dtype=np.uint32)
        self.free: Index = free[np.isin(free, np.concatenate((*kept, _NO_CHUNKS)), invert=True)]

    def taken(self, number: int) -> Index:
        """The first free chunks, which are free no longer."""
        if number > len(self.free):
            raise RuntimeError("the arena for halves of frames is too small")
        chunks, self.free = np.split(self.free, [number])
        return chunks

    def give_back(self, chunks: Index) -> None:
        """Make chunks free again."""
        self.free = np.concatenate((chunks, self.free))


def most_chunks(layers: Whole) -> int:
    """The chunks that a run needs at once, by those of its layers and their bands."""
    # The last band of a layer comes first, and takes the place of that of the layer before.
    return max(int((old.cumsum() + new[::-1].cumsum()[::-1]).max()) for old, new in pairwise([layers[0], *layers]))


class RunLayer(NamedTuple):
    """What can be after a step of a run."""

    step: Arc | frozenset[int]
    #: For each colour, the key of the uses with which the walk can be there.
    keys: list[int]
    #: The colours from which the run can go on.
    colors: NDArray[np.bool_]


class Walker:
    """Runs through a frame, each on some threads."""

    def __init__(self, frame: BoardFrame, threads: int = 1) -> None:
        self.frame, self._keys = frame, Keys(frame)
        self.uses = ClassUses(frame, self._keys)
        self._threads = threads

    def layers(self, run: FrameRun, end: int) -> list[RunLayer]:
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
                offset += -self._keys.along(one) if run.backwards else self._keys.along(one)
            layers.append(RunLayer(one, self._wanted(run, free - offset), of_step))
        return layers

    def _wanted(self, run: FrameRun, offset: int) -> list[int]:
        """For each colour, the key of the uses that lead there."""
        start, colors = run.start, range(self.frame.colors)
        sign = -1 if run.backwards else 1
        return [offset + sign * self._keys.along((start, color)) for color in colors]

    def _reached(
        self, run: FrameRun, one: Arc | frozenset[int], colors: NDArray[np.bool_], *, forth: bool
    ) -> NDArray[np.bool_]:
        """The colours that a step reaches from some colours, or (not `forth`) from which it reaches some of them."""
        reached = np.zeros(len(colors), dtype=bool)
        for begin, end in [self._directed(run, c) for c in one] if isinstance(one, frozenset) else [one]:
            here, there = (begin, end) if forth else (end, begin)
            reached[there] |= colors[here]
        return reached

    def _directed(self, run: FrameRun, which: int) -> Arc:
        begin, end = self.frame.arcs[which]
        return (end, begin) if run.backwards else (begin, end)

    def _into(self, run: FrameRun, classes: frozenset[int]) -> tuple[Numbers, Numbers]:
        """The classes of a step by the colours they lead to; see `frame_kernel.step`."""
        directed = sorted((self._directed(run, which)[::-1], which) for which in classes)
        into = np.searchsorted([end for (end, _), _ in directed], np.arange(self.frame.colors + 1))
        rows = [(begin, *self.uses.kind(which)) for (_, begin), which in directed]
        return into.astype(np.uint64), np.array(rows, dtype=np.uint64).reshape(-1, 3)

    def chunk_size(self) -> int:
        """The number of entries of a chunk of the arena."""
        return max(_CHUNK, 4 * int(self.uses.sizes.max()) + 4)

    def chunks(self, run: FrameRun, end: int) -> Whole:
        """The most chunks of each layer of a run, by band; the first one is without pieces, fixed ones make none."""
        uses = self.uses
        lists = [uses.lists(self._wanted(run, 0))[[run.start]]]
        layers = self.layers(run, end)
        lists += [uses.lists(layer.keys)[layer.colors] for layer in layers if isinstance(layer.step, frozenset)]
        # A chunk may have less free entries than the next block needs.
        return -(-np.array([uses.entries(of) for of in lists]) // (self.chunk_size() - int(uses.sizes.max()) - 1))

    def half(self, run: FrameRun, end: int, arena: Arena) -> FrameHalf:
        """The ways for all uses that end with a colour; the arena needs room for each layer and a band of the next."""
        half = self._empty(run, arena)
        with ThreadPoolExecutor(self._threads) as pool:
            for layer in self.layers(run, end):
                if isinstance(layer.step, frozenset):
                    half = self._extended(half, self._into(run, layer.step), layer, arena, pool)
                else:
                    begin, after = layer.step
                    starts = np.full_like(half.starts, NONE)
                    if layer.colors[after]:
                        starts[:, after] = half.starts[:, begin]
                    half = FrameHalf(half.chunks, starts, self.uses.lists(layer.keys))
        return half

    def _empty(self, run: FrameRun, arena: Arena) -> FrameHalf:
        """The half without pieces: one way for the empty use."""
        lists, colors = self.uses.lists(self._wanted(run, 0)), np.arange(self.frame.colors) == run.start
        starts = np.empty((len(self.uses.place), self.frame.colors), dtype=np.uint32)
        chunks = [self._laid_out(band, colors, lists, starts, arena) for band in range(len(self.uses.bands) - 1)]
        for of_band in chunks:
            for chunk in of_band.tolist():
                arena.numbers[chunk * int(arena.size) : (chunk + 1) * int(arena.size)] = 0
        arena.numbers[int(starts[0, run.start]) + 1] = 1
        return FrameHalf(chunks, starts, lists)

    def _laid_out(self, band: int, colors: NDArray[np.bool_], lists: Index, starts: Index, arena: Arena) -> Index:
        """Place the blocks of a band; return its chunks."""
        uses = self.uses
        first, last = uses.bands[band : band + 2].astype(np.uint64)
        return arena.taken(
            int(lay_out(first, last, uses.key_of, colors, lists, uses.sizes, arena.free, arena.size, starts))
        )

    def _extended(
        self, old: FrameHalf, into: tuple[Numbers, Numbers], layer: RunLayer, arena: Arena, pool: ThreadPoolExecutor
    ) -> FrameHalf:
        """A half with a piece more; a band of the old one is dropped once it is not needed."""
        uses, lists = self.uses, self.uses.lists(layer.keys)
        starts = np.empty_like(old.starts)
        chunks = list(old.chunks)

        def fill(first: np.uint64, last: np.uint64) -> None:
            step(
                first, last, uses.key_of, uses.place, uses.row_at, uses.strides, uses.used, *into,
                uses.first, uses.sizes, uses.down, lists, old.starts, starts, arena.numbers,
            )  # fmt: skip

        for band in range(len(chunks) - 1, -1, -1):
            laid = self._laid_out(band, layer.colors, lists, starts, arena)
            calls = len(laid) * int(arena.size) // _CALL_ENTRIES + 1
            bounds = np.linspace(uses.bands[band], uses.bands[band + 1], calls + 1).astype(np.uint64)
            list(pool.map(fill, bounds[:-1], bounds[1:]))
            arena.give_back(chunks[band])
            chunks[band] = laid
        return FrameHalf(chunks, starts, lists)

    def joined(self, half: FrameHalf, color: int, other: FrameHalf, other_color: int, arena: Arena) -> int:
        """The sum over all uses of the ways for a use, times those of the other half for all other pieces."""
        uses, total = self.uses, 0
        starts = [np.ascontiguousarray(of.starts[:, c]) for of, c in ((half, color), (other, other_color))]
        for first, last in pairwise(uses.bands.astype(np.uint64)):
            words = np.zeros(4, dtype=np.uint64)
            agree = join(
                first, last, uses.place, uses.row_at, uses.key_of, uses.sizes,
                half.lists[color], starts[0], other.lists[other_color], starts[1], arena.numbers, words,
            )  # fmt: skip
            if not agree:
                raise RuntimeError("the halves of a frame do not fit together")
            total += sum(int(word) << 32 * i for i, word in enumerate(words))
        return total
