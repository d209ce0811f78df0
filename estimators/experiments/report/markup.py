"""HTML in which every text is escaped."""

from collections.abc import Collection, Iterable, Sequence
from html import escape


class Markup(str):
    """HTML; any other text is escaped before it becomes part of it."""

    __slots__ = ()


Content = str | Markup | Iterable["Content"] | None


def tag(name: str, /, *content: Content, **attributes: str | bool | None) -> Markup:
    """An element; ``class_`` and ``aria_label`` are the attributes ``class`` and ``aria-label``.

    Attributes that are None or False are left out.

    Examples
    --------
    >>> tag("p", "1 < 2", tag("br"), class_="note")
    '<p class="note">1 &lt; 2<br></p>'
    """
    named = "".join(_attribute(key, value) for key, value in attributes.items())
    start = f"<{name}{named}>"
    return Markup(start if name in ("br", "input", "col") else f"{start}{joined(content)}</{name}>")


def joined(content: Content) -> Markup:
    """Parts one after the other."""
    if content is None:
        return Markup("")
    if isinstance(content, str):
        return content if isinstance(content, Markup) else Markup(escape(content))
    return Markup("".join(map(joined, content)))


def _attribute(name: str, value: str | bool | None) -> str:
    if value is None or value is False:
        return ""
    shown = name.rstrip("_").replace("_", "-")
    return f" {shown}" if value is True else f' {shown}="{escape(value)}"'


def table(
    caption: str, heads: Sequence[Content], rows: Iterable[Sequence[Content]], texts: Collection[int] = (0,)
) -> Markup:
    """A table in a box of its own that scrolls; the columns of these numbers hold texts, the others numbers.

    A cell may be an element ``td`` already.
    """
    head = tag("tr", [tag("th", text, scope="col", class_=_side(i, texts)) for i, text in enumerate(heads)])
    body = [tag("tr", [_cell(content, i, texts) for i, content in enumerate(row)]) for row in rows]
    whole = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", body))
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption)


def number_cell(text: str, exact: object = None, class_: str = "") -> Markup:
    """A cell with a number, and what it is exactly where that is more than is shown."""
    title = None if exact is None or str(exact) == text else str(exact)
    return tag("td", text, class_=f"number {class_}".rstrip(), title=title)


def _cell(content: Content, column: int, texts: Collection[int]) -> Markup:
    if isinstance(content, Markup) and content.startswith("<td"):
        return content
    return tag("td", content, class_=_side(column, texts))


def _side(column: int, texts: Collection[int]) -> str | None:
    return None if column in texts else "number"
