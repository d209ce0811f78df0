"""Names in figures are shown as they are, and the file is one that every reader of its format accepts."""

from dataclasses import replace
from itertools import product
from xml.etree import ElementTree

import pytest

from jigsat import estimate
from jigsat.csp.engines.figures import drawable, power_of_ten
from jigsat.csp.make.edge_matching import deal_edge_matching

pytest.importorskip("matplotlib", reason="matplotlib is an extra")


NAMES = ("$$ $\\frac{$", "\x00\x1b[31m\ufffe", "<b>&--></b>", "\u202e漢字\u05d0", "W" * 200)


@pytest.mark.some_cases(3)
@pytest.mark.parametrize(("name", "ending"), [*product(NAMES, ["svg"]), (NAMES[0], "pdf"), (NAMES[1], "png")])
def test_any_name_can_be_plotted(tmp_path, name, ending):
    """Without a warning, which would be an error here."""
    puzzle = replace(deal_edge_matching(3, 3, 2, 2, seed=1).puzzle, name=name)
    file = tmp_path / f"figure.{ending}"
    # With probes, they and the prediction are compared.
    estimate(puzzle, probes=10_000 if ending == "png" else None).plot(file)
    content = file.read_bytes()
    assert content.startswith({"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[ending])
    if ending == "svg":
        ElementTree.fromstring(content)


def test_what_a_font_lacks_is_replaced():
    assert drawable("a $x$ \x00\x1b\u202e漢\u00e9\u202f1") == "a $x$ \ufffd\ufffd\ufffd\ufffd\u00e9\u202f1"
    assert drawable("two\nlines") == "two\nlines"
    assert drawable("x" * 81) == "x" * 79 + "…"
    assert [power_of_ten(exponent) for exponent in (0.0, 47.0, -120.0)] == ["10⁰", "10⁴⁷", "10⁻¹²⁰"]
