"""A finished page, for notebooks and files."""

import re
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path

from ...csp.base.safe_files import replacing
from ...csp.files.file_format import format_for

#: The format of pages, with the endings of their files.
FORMATS = {"html": (".html", ".htm")}


@dataclass(frozen=True)
class WebPage:
    """A self-contained page; notebooks display it in a frame."""

    #: The text of the page.
    html: str = field(repr=False)
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

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 720px; border: 0"
        title = re.search("<title>(.*?)</title>", self.html, re.DOTALL)
        # The title in a page is escaped already.
        named = "" if title is None else f'title="{escape(unescape(title[1]))}" '
        return f'<iframe {named}sandbox="allow-scripts" style="{style}" srcdoc="{escape(self.html)}"></iframe>'
