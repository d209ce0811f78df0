"""The page to step through solutions: the common part for boards and tilings."""

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
    """Nodes of a search by depth: the number of pieces placed, from 1 on."""

    #: For each depth the decimal logarithm of the expected nodes (minus infinity for 0), and their number as text.
    predicted: tuple[tuple[float, str], ...] = ()
    #: For each depth the nodes that a search has counted; depths may be missing at the end.
    actual: tuple[int, ...] = ()
    complete: bool = True  #: Whether those are all nodes; otherwise they are lower bounds
    note: str = ""  #: A note on the counts


NO_NODES = Nodes()


@dataclass(frozen=True)
class Shown:
    """The content of a page."""

    name: str  #: The name of the puzzle
    word: str  #: The word for a solution: ``solution``, ``assembly``, ``board``, ``tiling``
    total: int  #: The number of solutions; the page may show fewer
    facts: Sequence[tuple[str, str]]  #: Pairs of a label and a text about the puzzle
    picture: str  #: The SVG that the script completes
    data: Mapping[str, Any]  #: The data of the script; `solutions` is a list


def viewer_page(shown: Shown, nodes: Nodes) -> str:
    """The HTML of the page.

    Raises InstanceError if there are no solutions.
    """
    number = len(shown.data["solutions"])
    if not number:
        raise InstanceError(f"{shown.name}: there is no {shown.word} to show")
    total = several(shown.total, shown.word)
    counted = total if number == shown.total else f"the first {grouped(number)} of {total}"
    facts = [("Shown", counted), *shown.facts]
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


def _nodes_data(nodes: Nodes) -> dict[str, Any]:
    """Nodes for the script; counts are texts, because they may exceed the exact range of its numbers."""
    return {
        "predicted": [[round(log, 4) if log > float("-inf") else None, text] for log, text in nodes.predicted],
        "actual": [str(number) for number in nodes.actual],
        "complete": nodes.complete,
        "note": harmless(nodes.note),
    }


def _text(text: str) -> str:
    return escape(harmless(text))
