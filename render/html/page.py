"""One HTML page that needs nothing else: a template with its styles, scripts and data written into it."""

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
    """The text of a template, a style or a script, which lies beside this module or in another folder.

    ``base.css`` is what all pages have in common.
    """
    return (folder / name).read_text(encoding="utf-8")


def self_contained(
    template: str, *, title: str, styles: Sequence[str], scripts: Sequence[str], data: Any, **markup: str
) -> str:
    """The HTML of a page that loads nothing.

    The browser is told to run no other scripts, to take no other styles, and to load nothing from anywhere.

    Parameters
    ----------
    template
        HTML with the places ``{{policy}}`` (within a `meta` element's `content`), ``{{title}}``, ``{{style}}`` and
        ``{{script}}`` (directly within their elements), ``{{data}}`` (in a script of the type `application/json`), and
        those of `markup`; a place may come several times.  ``{{head}}`` stands for a `head` element with the first
        three of them.
    title
        What the page is called: any text.
    styles, scripts
        What the elements `style` and `script` hold, one after the other.
    data
        What is written as JSON; scripts read it back.
    **markup
        HTML for further places, which is written as it is: whoever makes it escapes what it quotes.

    Raises
    ------
    ValueError
        If a style or a script would end its element, or the template has a place that nothing is given for.
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
            raise ValueError(f"the template has a place {match[0]}, and there is nothing to put there")
        return parts[match[1]]

    # In one pass, so that nothing in a part is taken for a place.
    return re.sub(r"\{\{(\w+)\}\}", part, template.replace("{{head}}", resource("head.html").rstrip()))


def embedded(data: Any) -> str:
    """Data as JSON that may stand within a script element, whatever texts they hold.

    Examples
    --------
    >>> embedded({"name": "</script>"})
    '{"name":"\\\\u003c/script>"}'
    """
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _policy(style: str, script: str) -> str:
    """What a page may do: run that script, show that style, and nothing else."""
    allowed = "".join(f"; {kind}-src '{_digest(text)}'" for kind, text in (("style", style), ("script", script)))
    return f"default-src 'none'{allowed}; img-src data:; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
