"""Imports point down: each contract of the linter notices an arrow that points up, and no import hides in a string."""

import ast
import tomllib
from itertools import combinations
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
CONTRACTS = [
    contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    if contract["type"] == "layers"
]


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph("jigsat")


def layers_of(contract):
    """The layers of a contract, each a list of modules, the highest first."""
    above = contract.get("containers", [""])[0]
    return [[f"{above}.{name}".lstrip(".") for name in layer.split(" | ")] for layer in contract["layers"]]


def broken(graph, layers):
    levels = [grimp.Layer(*layer, independent=True) for layer in layers]
    return graph.find_illegal_dependencies_for_layers(layers=levels)


@pytest.mark.parametrize("contract", CONTRACTS, ids=[contract["name"] for contract in CONTRACTS])
def test_an_arrow_that_points_up_is_found(contract, graph):
    """Catches a contract that leaves out a folder, or names one that is gone."""
    layers = layers_of(contract)
    assert not broken(graph, layers)
    for higher, lower in combinations(layers, 2):
        arrow = {"importer": lower[0], "imported": higher[-1]}
        graph.add_import(**arrow)
        assert broken(graph, layers), arrow
        graph.remove_import(**arrow)


def test_no_import_of_jigsat_is_a_string():
    """The root names its modules in one list, `__init__.pyi`; what engines are called is in one table."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).parts
        if parts[0] in ("csp", "models", "render", "estimators", "api", "cli"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in (
                    "import_module",
                    "__import__",
                ):
                    named = node.args[0]
                    if not isinstance(named, ast.Constant) or named.value.startswith((".", "jigsat")):
                        found.append(f"{'/'.join(parts)}:{node.lineno}")
    assert found == []
