"""The directive `packages`: a table of all packages, with the first line of each docstring."""

import ast
import tomllib
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]


class Packages(Directive):
    """A definition list of the packages that pyproject.toml names."""

    def run(self) -> list[nodes.Node]:
        listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
        return [nodes.definition_list("", *map(item_of, listed[1:]))]


def item_of(package: str) -> nodes.definition_list_item:
    """A package and the first line of its docstring."""
    folder = "/".join(package.split(".")[1:])
    about = ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text())) or ""
    term = nodes.term("", "", nodes.literal("", folder))
    return nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph("", about.partition("\n")[0])))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("packages", Packages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
