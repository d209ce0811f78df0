"""Dissections in the languages of other solvers: exact cover, MiniZinc, XCSP3."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

import numpy as np

from ..base.puzzle_model import ModelSize
from ..base.texts import CoverModel, ExactCover, TextModel, wrapped
from .domains import TilingDomains


class TilingText(TextModel):
    """A dissection on the lattice as a model in some language: exactly one placement covers each wedge.

    If gaps are allowed, at most one does.
    """

    encoding = "wedges"

    def __init__(self, domains: TilingDomains) -> None:
        self.domains = domains

    @property
    def size(self) -> ModelSize:
        return ModelSize(len(self.domains.left), len(self.domains.covers) + len(self.domains.kinds))

    @cached_property
    def _needed(self) -> list[int]:
        """How many pieces of each kind must lie."""
        return [0 if kind in self.domains.over else size for kind, size in enumerate(self.domains.sizes)]

    def _names(self) -> Iterator[str]:
        """What each placement is."""
        return islice(self.domains.names(), len(self.domains.left))

    def _of_kind(self) -> list[list[int]]:
        """The placements of each kind, as indices of `domains.left`."""
        return [np.flatnonzero(self.domains.of_kind == kind).tolist() for kind in range(len(self.domains.kinds))]


class TilingCover(CoverModel, TilingText):
    """A dissection as an exact cover problem: an item for each wedge and each piece."""

    @cached_property
    def cover(self) -> ExactCover:  # pyright: ignore[reportIncompatibleVariableOverride]
        d = self.domains
        wedges = [f"w{wedge}" for wedge in range(len(d.covers))]
        cover = ExactCover(wedges) if d.full else ExactCover(secondary=wedges)
        items: list[list[str]] = [[] for _ in d.left]
        for wedge, members in zip(wedges, d.covers, strict=True):
            for member in members.tolist():
                items[member].append(wedge)
        points = [name.partition(" at ")[2] for name in self._names()]
        for pieces, members, needed in zip(d.kinds, self._of_kind(), self._needed, strict=True):

            def says(index: int, copy: int, pieces: tuple[int, ...] = pieces, members: list[int] = members) -> str:
                return f"piece {pieces[copy] + 1} at {points[members[index]]}"

            placements = [(place, " ".join(items[member])) for place, member in enumerate(members)]
            cover.add_kind(pieces, needed, placements, says)
        return cover

    def meaning(self) -> Iterator[str]:
        yield from super().meaning()
        yield "items: p1, a piece; w1, a wedge of the target at a lattice point; o1.1, one of those by which congruent"
        yield "pieces lie in the order of their numbers"
        yield from self.cover.names


class TilingMiniZinc(TilingText):
    """A dissection as a model in MiniZinc, which prints the placements."""

    def lines(self) -> Iterator[str]:
        d = self.domains
        yield f"set of int: PLACEMENT = 1..{len(d.left)};"
        yield f"set of int: KIND = 1..{len(d.kinds)};"
        yield f"set of int: WEDGE = 1..{len(d.covers)};"
        names = (f'"{name}"' for name in self._names())
        yield f"array[PLACEMENT] of string: name = [\n  {_lines(names)}];"
        yield f"array[PLACEMENT] of KIND: kind = [{wrapped((d.of_kind + 1).tolist())}];"
        yield "% How many congruent pieces there are of each kind, and how many of them are needed."
        yield f"array[KIND] of int: pieces = [{wrapped(d.sizes)}];"
        yield f"array[KIND] of int: needed = [{wrapped(self._needed)}];"
        yield "% The placements that cover each wedge of the target."
        sets = (f"{{{wrapped((members + 1).tolist())}}}" for members in d.covers)
        yield f"array[WEDGE] of set of PLACEMENT: covers = [\n  {_lines(sets)}];"
        yield ""
        yield "array[PLACEMENT] of var 0..1: used;"
        yield f"constraint forall(w in WEDGE)(sum(p in covers[w])(used[p]) {'=' if d.full else '<='} 1);"
        yield "constraint forall(k in KIND)(sum(p in PLACEMENT where kind[p] = k)(used[p]) <= pieces[k]);"
        yield "constraint forall(k in KIND)(sum(p in PLACEMENT where kind[p] = k)(used[p]) >= needed[k]);"
        yield ""
        yield "solve :: int_search(used, dom_w_deg, indomain_max) satisfy;"
        yield ""
        yield 'output [name[p] ++ "\\n" | p in PLACEMENT where fix(used[p]) = 1];'


class TilingXcsp3(TilingText):
    """A dissection as an instance of XCSP3."""

    def meaning(self) -> Iterator[str]:
        yield from super().meaning()
        yield "used[i] is 1 if placement i is used"
        for number, what in enumerate(self._names()):
            yield f"placement {number} {what}"

    def lines(self) -> Iterator[str]:
        d = self.domains
        yield '<instance format="XCSP3" type="CSP">'
        yield "<variables>"
        yield f'<array id="used" size="[{len(d.left)}]"> 0 1 </array>'
        yield "</variables>"
        yield "<constraints>"
        for members in d.covers:
            yield _sum(members.tolist(), "eq,1" if d.full else "le,1")
        for size, needed, members in zip(d.sizes, self._needed, self._of_kind(), strict=True):
            yield _sum(members, f"eq,{size}" if needed == size else f"le,{size}")
        yield "</constraints>"
        yield "</instance>"


def _lines(rows: Iterable[str]) -> str:
    """Values, each on a line."""
    return ",\n  ".join(rows)


def _sum(members: list[int], condition: str) -> str:
    """A condition on the number of placements that are used."""
    listed = " ".join(f"used[{member}]" for member in members)
    return f"<sum><list> {listed} </list><condition> ({condition}) </condition></sum>"


#: The models by the names of their formats.
TEXTS: dict[str, type[TilingText]] = {"mzn": TilingMiniZinc, "dlx": TilingCover, "xcsp3": TilingXcsp3}
