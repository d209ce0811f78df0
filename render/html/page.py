"""Self-contained HTML pages: a template with its styles, scripts and data; a finished page, for notebooks and files."""

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from html import escape, unescape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...csp.base.errors import grouped, plural
from ...csp.base.notebook import short
from ...csp.base.safe_files import replacing
from ...csp.files.file_format import format_for
from ..svg.svg import harmless

_FOLDER = Path(__file__).resolve().parent


def resource(name: str, folder: Path = _FOLDER) -> str:
    """The text of a template, a style or a script; ``base.css`` is the common style of all pages."""
    return (folder / name).read_text(encoding="utf-8")


def self_contained(
    template: str, *, title: str, styles: Iterable[str], scripts: Iterable[str], data: Any, **parts: Any
) -> str:
    """The HTML of a page that loads nothing, because a content security policy forbids it.

    The Jinja template has the places ``{{policy}}`` (within a `meta` element's `content`), ``{{title}}``, ``{{style}}``
    and ``{{script}}`` (directly within their elements), ``{{data}}`` (in a script of the type `application/json`), and
    those of `parts`, which are escaped unless they are `Markup`.  It may include ``head.html``, or extend a template of
    this folder.
    """
    style, script = "\n".join(styles), "\n".join(scripts)
    for name, text in (("style", style), ("script", script)):
        if re.search(rf"</{name}|<!--", text, re.IGNORECASE):
            raise ValueError(f"a {name} holds </{name} or <!--, which would end it")
    templates = Environment(
        loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    markup = {"policy": _policy(style, script), "style": style, "script": script, "data": embedded(data)}
    marked = {name: Markup(text) for name, text in markup.items()}
    return templates.from_string(template).render(parts, title=harmless(title), **marked)


def embedded(data: Any) -> str:
    """Data as JSON that is safe within a script element for any texts.

    Examples
    --------
    >>> embedded({"name": "</script>"})
    '{"name":"\\\\u003c/script>"}'
    """
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _policy(style: str, script: str) -> str:
    """The content security policy that allows only this style and this script."""
    parts = (("style", style), ("script", script))
    digests = [(kind, b64encode(sha256(text.encode()).digest()).decode()) for kind, text in parts]
    allowed = "".join(f"; {kind}-src 'sha256-{digest}'" for kind, digest in digests)
    return f"default-src 'none'{allowed}; img-src data:; base-uri 'none'; form-action 'none'"


#: The format of pages, with the endings of their files.
FORMATS = {"html": (".html", ".htm")}


@dataclass(frozen=True, repr=False)
class WebPage:
    """A self-contained page; notebooks display it in a frame."""

    html: str  #: The text of the page
    #: The number of solutions on the page, and their total number.
    shown: int
    total: int
    #: What ended the search of a page with counted nodes, such as ``time`` or ``interrupt``; None if it was not ended
    #: early.
    ended_by: str | None = None

    def save(self, path: str | Path) -> None:
        """Write the page to a file, completely or not at all; ``-`` is standard output.

        Raises UsageError if the file has another ending than ``.html`` or ``.htm``. Raises InstanceError if the file
        cannot be written.
        """
        format_for(path, FORMATS, "html")
        with replacing(path) as file:
            file.write(self.html)

    @property
    def title(self) -> str:
        """The title of the page; empty without one."""
        found = re.search("<title>(.*?)</title>", self.html, re.DOTALL)
        # In a page it is escaped.
        return "" if found is None else unescape(found[1])

    def __repr__(self) -> str:
        shown = f"{self.shown} of {plural(self.total, 'solution')}"
        return short(f"WebPage {self.title}: {shown}, {grouped(len(self.html))} characters")

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 720px; border: 0"
        named = f'title="{escape(self.title)}" ' if self.title else ""
        return f'<iframe {named}sandbox="allow-scripts" style="{style}" srcdoc="{escape(self.html)}"></iframe>'
