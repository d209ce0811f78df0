"""The page to step through solutions: what boards and tilings have in common."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ...csp.base.errors import InstanceError
from ...csp.base.words import grouped, several
from ..svg.svg import harmless
from .page import resource, self_contained

_STYLES = ("base.css", "viewer.css")
_SCRIPTS = ("svg.js", "board.js", "tiling.js", "chart.js", "viewer.js")


@dataclass(frozen=True)
class Nodes:
    """Nodes of a search by depth, that is by the number of pieces placed, from 1 on.

    Parameters
    ----------
    predicted
        For each depth the decimal logarithm of the expected nodes, minus infinity where there are none, and their
        number as people read it.
    actual
        For each depth the nodes that a search has counted; it may have counted less deep.
    complete
        Whether those are all nodes; otherwise they are lower bounds.
    note
        What there is to say about the counts.
    """

    predicted: tuple[tuple[float, str], ...] = ()
    actual: tuple[int, ...] = ()
    complete: bool = True
    note: str = ""


NO_NODES = Nodes()


@dataclass(frozen=True)
class Shown:
    """What a page shows.

    Parameters
    ----------
    name
        What the puzzle is called.
    word
        What the page calls one of the solutions: ``solution``, ``assembly``, ``board``, ``tiling``.
    total
        How many there are; the page may show fewer.
    facts
        Pairs of a word and what there is to say.
    picture
        The SVG that the script completes.
    data
        What the script draws from; `solutions` is a list.
    """

    name: str
    word: str
    total: int
    facts: Sequence[tuple[str, str]]
    picture: str
    data: Mapping[str, Any]


def viewer_page(shown: Shown, nodes: Nodes) -> str:
    """The page.

    Raises
    ------
    InstanceError
        If there is no solution.
    """
    number = len(shown.data["solutions"])
    if not number:
        raise InstanceError(f"{shown.name}: there is no {shown.word} to show")
    facts = [("Shown", _counted(number, shown)), *shown.facts]
    data = {**shown.data, "name": shown.name, "word": shown.word, "nodes": _nodes_data(nodes)}
    return self_contained(
        resource("viewer.html"),
        title=shown.name,
        styles=[resource(name) for name in _STYLES],
        scripts=[resource(name) for name in _SCRIPTS],
        data=data,
        picture=shown.picture,
        facts="".join(f"<dt>{_text(word)}</dt><dd>{_text(fact)}</dd>" for word, fact in facts if fact),
    )


def _counted(number: int, shown: Shown) -> str:
    total = several(shown.total, shown.word)
    return total if number == shown.total else f"the first {grouped(number)} of {total}"


def _nodes_data(nodes: Nodes) -> dict[str, Any]:
    """Nodes as the script reads them; counts are texts, since they may be beyond what its numbers hold exactly."""
    return {
        "predicted": [[round(log, 4) if log > float("-inf") else None, text] for log, text in nodes.predicted],
        "actual": [str(number) for number in nodes.actual],
        "complete": nodes.complete,
        "note": harmless(nodes.note),
    }


def _text(text: str) -> str:
    return escape(harmless(text))
