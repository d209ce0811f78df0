"""Makes what the site has besides its pages: puzzles to play in the browser, and the tutorials as notebooks."""

from pathlib import Path

import jupytext
from sphinx.application import Sphinx

import jigsat as js


def make(app: Sphinx) -> None:
    """Write the pages and notebooks to a folder whose content Sphinx copies to the root of the site."""
    folder = Path(app.outdir).parent / f"{Path(app.outdir).name}-extra"
    for name in ("play", "notebooks"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    js.view("cup-and-ring", play=True, image="cup-and-ring", output=folder / "play" / "cup-and-ring.html")
    js.view("clue1", play=True, output=folder / "play" / "clue1.html")
    js.view("tangram", play=True, output=folder / "play" / "tangram.html")
    tilings = js.solve("ostomachion", all=True).solutions
    js.view("ostomachion", tilings, limit=len(tilings), output=folder / "play" / "ostomachion.html")
    for page in sorted(Path(app.srcdir, "tutorials").glob("*.md")):
        if page.stem != "index":
            jupytext.write(jupytext.read(page), folder / "notebooks" / f"{page.stem}.ipynb")
    app.config.html_extra_path.append(str(folder))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", make)
    return {"parallel_read_safe": True}
