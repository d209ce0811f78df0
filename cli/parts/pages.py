"""Pages on the command line: their options, and what is reported about them."""

import sys

from ...csp.base.words import grouped
from ...estimators.tasks.viewing import LIMIT
from ...render.html.page import WebPage
from .options import add_output, whole
from .parser import Parser


def add_page(parser: Parser) -> None:
    """Add how many solutions a page has, and where it is written."""
    parser.limits.add_argument(
        "--limit", type=whole, default=LIMIT, metavar="N", help=f"include at most N solutions (default: {LIMIT})"
    )
    add_output(parser, "write the page to PAGE: .html; - for standard output", metavar="PAGE", required=True)


def page_status(page: WebPage) -> int:
    """Report what the page omits; returns the exit status."""
    if page.shown < page.total:
        numbers = f"the page includes the first {grouped(page.shown)} of {grouped(page.total)} solutions"
        print(f"jigsat: {numbers}; --limit N changes this", file=sys.stderr)
    return 130 if page.ended_by == "interrupt" else 0
