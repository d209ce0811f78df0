"""Tables and figures of the site are those of the model and of the bundled experiments."""

import re
from pathlib import Path

from jigsat import count, read
from jigsat.estimators.experiments.figures import FIGURES
from jigsat.estimators.experiments.files import bundled_experiments
from jigsat.estimators.owen.complexity import Complexity

DOCS = Path(__file__).parents[2] / "docs"


def rows_of(page, heading):
    """The rows of the table of a page whose heading begins so, without spaces in the cells."""
    table = re.search(rf"^\| {heading} \|.*\n\|.*\n((?:\|.*\n)+)", (DOCS / page).read_text(), re.MULTILINE)[1]
    return [[cell.strip().replace(" ", "") for cell in line.strip("|\n").split("|")] for line in table.splitlines()]


def test_predicted_nodes_are_those_of_the_model():
    """Each number of the table to the digits that it has, and of the facts those that are quickly counted."""
    rows = rows_of("howto/estimates.md", "depth")
    assert len(rows) > 5
    for column, (name, order) in enumerate((("puzzle-a", "rowscan"), ("clue1", None), ("puzzle-c", "rowscan"))):
        estimate = Complexity(read(name)).estimate(order, symmetry=True)
        found = count(read(name), order=order) if name == "puzzle-a" else None
        for depth, *cells in rows:
            predicted, actual = cells[2 * column : 2 * column + 2]
            nodes = estimate.nodes if depth == "all" else estimate.nodes_by_depth[int(depth) - 1]
            assert float(f"{float(nodes):.2e}") == float(predicted) or round(nodes) == int(predicted)
            if found is not None:
                assert int(actual) == (found.nodes if depth == "all" else found.nodes_by_depth[int(depth) - 1])


def test_figures_of_experiments_can_be_made_again():
    """They are of bundled experiments, by the names that the report gives them."""
    figures = re.findall(r"^\$ cp (\S+)/figures/(\S+)\.svg (\S+)$", (DOCS / "gallery.md").read_text(), re.MULTILINE)
    assert len(figures) == 1
    for name, figure, picture in figures:
        assert name in bundled_experiments()
        assert figure in FIGURES
        assert (DOCS / "pictures" / picture).read_text().count("<path ") > 20
