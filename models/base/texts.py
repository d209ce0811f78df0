"""Models as text for other solvers: what MiniZinc models, XCSP3 instances and exact cover problems have in common."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .puzzle_model import ModelSize, PuzzleModel

# Knuth's programs take colours of one character.
_SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_VALUES_A_LINE = 20


class TextModel(PuzzleModel):
    """A model that is written as text; its encoding says what its constraints are."""

    domains: Any

    @property
    def puzzle(self) -> Any:
        return self.domains.puzzle

    def meaning(self) -> Iterator[str]:
        """How the model was built, and what its variables mean."""
        yield from self.domains.meaning()

    def lines(self) -> Iterator[str]:
        """The model without these comments."""
        raise NotImplementedError


class ExactCover:
    """An exact cover problem with colours, as Knuth's programs read it.

    Each primary item belongs to one chosen option, each secondary item to at most one, or to several that give it the
    same colour.

    Attributes:
    - `primary`, `secondary`: the names of the items, in order.
    - `options`: the options, each a line.
    - `names`: what each option means.
    """

    def __init__(self, primary: Iterable[str] = (), secondary: Iterable[str] = ()) -> None:
        self.primary, self.secondary = list(primary), list(secondary)
        self.options: list[str] = []
        self.names: list[str] = []
        self._pairs = 0
        # Programs choose options of primary items only: if places may stay empty, every piece needs an option.
        self._all_chosen = not self.primary

    def add_kind(
        self,
        pieces: Sequence[int],
        least: int,
        placements: Sequence[tuple[int, str]],
        name: Callable[[int, int], str],
    ) -> None:
        """Add the options of a kind of pieces: each piece lies in one of the placements.

        Of several pieces the first lies at the first place and so on, so that each picture is found once.

        - `pieces`: the pieces (0-based).
        - `least`: how many of them are needed; the others may be left over.
        - `placements`: for each placement a number of its place, ascending, and its items; those at one place exclude
          each other.
        - `name`: says what a placement (its index) of a piece (its index in `pieces`) means.
        """
        places = [place for place, _ in placements]
        end = max(places, default=0) + 1
        orders = [_Order(f"o{self._pairs + pair}", end) for pair in range(len(pieces) - 1)]
        self._pairs += len(orders)
        for copy, piece in enumerate(pieces):
            item = f"p{piece + 1}"
            chosen = copy < least or len(pieces) > 1 or self._all_chosen
            (self.primary if chosen else self.secondary).append(item)
            ordered = [_beside(orders, copy, place) for place in range(end + 1)]
            for index, (place, items) in enumerate(placements):
                self._add(f"{item} {items}{ordered[place]}", name(index, copy))
            if copy >= least and chosen:
                self._add(item + ordered[end], f"piece {piece + 1} is left over")
        self.secondary += [item for order in orders for item in order.items]

    def _add(self, option: str, name: str) -> None:
        self.options.append(option)
        self.names.append(f"option {len(self.options)} {name}")

    def lines(self) -> Iterator[str]:
        """The problem in Knuth's format."""
        yield " ".join([*self.primary, *(["|", *self.secondary] if self.secondary else [])])
        yield from self.options


class CoverModel(TextModel):
    """An exact cover problem, `cover`, as the text of a model; its size is that of options and items."""

    cover: ExactCover

    def lines(self) -> Iterator[str]:
        yield from self.cover.lines()

    @property
    def size(self) -> ModelSize:
        return ModelSize(len(self.cover.options), len(self.cover.primary) + len(self.cover.secondary))


class _Order:
    """Items by which two options exclude each other if the first one's place comes after the second one's.

    Then the two numbers have a first binary digit in which they differ, 1 for the first and 0 for the second option;
    there is an item for each digit and what may stand before it.
    """

    def __init__(self, name: str, end: int) -> None:
        self._name, self._end = name, end
        digits = range(end.bit_length())
        first = {(digit, place >> digit >> 1) for place in range(end + 1) for digit in digits if place >> digit & 1}
        second = {(digit, place >> digit >> 1) for place in range(end + 1) for digit in digits if ~place >> digit & 1}
        self._items = {key: f"{name}.{number}" for number, key in enumerate(sorted(first & second))}

    @property
    def items(self) -> Iterable[str]:
        return self._items.values()

    def of(self, place: int, *, first: bool) -> list[str]:
        """The items of an option at that place."""
        keys = ((digit, place >> digit >> 1) for digit in range(self._end.bit_length()) if place >> digit & 1 == first)
        return [self._items[key] for key in keys if key in self._items]


def _beside(orders: Sequence[_Order], copy: int, place: int) -> str:
    """The items by which a piece lies after the one before it, and before the one after it."""
    found = orders[copy].of(place, first=True) if copy < len(orders) else []
    found += orders[copy - 1].of(place, first=False) if copy else []
    return "".join(f" {item}" for item in found)


def symbols(number: int) -> Sequence[str]:
    """Names of a number of colours: of one character if there are enough characters."""
    return _SYMBOLS[:number] if number <= len(_SYMBOLS) else list(map(str, range(number)))


def wrapped(values: Iterable[object]) -> str:
    """Values with commas between them, on several lines if they are many."""
    texts = list(map(str, values))
    rows = (texts[start : start + _VALUES_A_LINE] for start in range(0, len(texts), _VALUES_A_LINE))
    return ",\n  ".join(map(", ".join, rows))
