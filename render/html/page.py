"""Self-contained HTML pages: a template with its styles, scripts and data."""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from ..svg.svg import harmless

_FOLDER = Path(__file__).resolve().parent


def resource(name: str, folder: Path = _FOLDER) -> str:
    """The text of a template, a style or a script in the folder of this module or in another folder.

    ``base.css`` is the common style of all pages.
    """
    return (folder / name).read_text(encoding="utf-8")


def fragments(name: str) -> dict[str, str]:
    """The parts of a file of HTML, by the comments above them: ``<!-- keys -->``.

    They are the values of further places of `self_contained`.
    """
    parts = re.split(r"<!-- (\w+) -->\n", resource(name))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def self_contained(
    template: str, *, title: str, styles: Sequence[str], scripts: Sequence[str], data: Any, **markup: str
) -> str:
    """The HTML of a page that loads nothing.

    A content security policy forbids other scripts, other styles and all external resources.

    Parameters
    ----------
    template
        HTML with the places ``{{policy}}`` (within a `meta` element's `content`), ``{{title}}``, ``{{style}}`` and
        ``{{script}}`` (directly within their elements), ``{{data}}`` (in a script of the type `application/json`), and
        those of `markup`; a place may occur several times.  ``{{head}}`` stands for a `head` element with the first
        three of them.
    title
        The title of the page: any text.
    styles, scripts
        The contents of the elements `style` and `script`, which are concatenated.
    data
        The data for the scripts, written as JSON.
    **markup
        HTML for further places.  It is written unchanged, so the caller must escape quoted text.

    Raises ValueError if a style or a script would end its element, or the template has a place without a value.
    """
    style, script = "\n".join(styles), "\n".join(scripts)
    for name, text in (("style", style), ("script", script)):
        if re.search(rf"</{name}|<!--", text, re.IGNORECASE):
            raise ValueError(f"a {name} holds </{name} or <!--, which would end it")
    parts = {
        "policy": _policy(style, script),
        "title": escape(harmless(title)),
        "style": style,
        "script": script,
        "data": embedded(data),
        **markup,
    }

    def part(match: re.Match[str]) -> str:
        if match[1] not in parts:
            raise ValueError(f"the template has a place {match[0]} without a value")
        return parts[match[1]]

    # In one pass, so that places within inserted parts are not replaced.
    return re.sub(r"\{\{(\w+)\}\}", part, template.replace("{{head}}", resource("head.html").rstrip()))


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
    allowed = "".join(f"; {kind}-src '{_digest(text)}'" for kind, text in (("style", style), ("script", script)))
    return f"default-src 'none'{allowed}; img-src data:; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
