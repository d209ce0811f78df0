"""The README tells the truth: its commands, figures and numbers are what the program does."""

import re
from pathlib import Path

import numpy as np
from PIL import Image

from jigsat import count, read
from jigsat.cli.main import main
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.files.instances import parse_instance
from jigsat.csp.puzzles.check_board import check
from jigsat.estimators.experiments.files import bundled_experiments, load_experiment
from jigsat.estimators.experiments.plan import plan
from jigsat.estimators.experiments.report.charts import CHARTS
from jigsat.estimators.owen.complexity import Complexity

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
#: The experiments whose figures the README shows, and what the figures are called.
FIGURES = re.findall(r"`jigsat compare (\S+) -o \1`, then `\1/figures/(\S+)\.svg`", README)


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def pixels_of(path):
    with Image.open(path) as image:
        return np.asarray(image, float)


def test_readme_instance_is_one_and_has_a_solution():
    (text,) = blocks("json")
    puzzle = parse_instance(text)
    (solution,) = find_engine("backtrack").run(puzzle, Goal.ALL).solutions
    assert check(puzzle, solution).is_solution


def test_readme_pictures_are_what_its_commands_draw(tmp_path, monkeypatch):
    """A picture that no command makes any more would mislead; they are drawn anew and compared."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    kinds = r"solve \S+ (?:--all )?-o \S+\.json$|draw [^`\n]* docs/[^`\s]+|forms [^`\n]* --draw docs/[^`\s]+"
    for line in re.findall(rf"(?:^\$ |`)jigsat ({kinds})", README, re.MULTILINE):
        assert main(line.split()) == 0
    plotted = set(re.findall(r"`jigsat estimate .* --plot (\S+)`", README))
    pictures = set(re.findall(r"!\[[^]]*\]\(([^)]*)\)", README))
    assert pictures > plotted > set()
    # Which Hamiltonian cycle is found differs from version to version of the solver.
    pictures -= set(re.findall(r"`jigsat graph .* --draw (\S+)`", README))
    # Experiments take an hour and more.
    pictures -= {f"docs/{name}.svg" for name, _ in FIGURES}
    for picture in pictures - plotted:
        if picture.endswith(".jpg"):  # compressed a little differently from version to version
            drawn, shown = (pixels_of(folder / picture) for folder in (tmp_path, ROOT))
            assert drawn.shape == shown.shape
            assert np.abs(drawn - shown).mean() < 3
        else:
            assert (tmp_path / picture).read_text() == (ROOT / picture).read_text()
    # Matplotlib draws a little differently from version to version.
    command = next(line for line in re.findall(r"`jigsat (estimate .* --plot \S+)`", README) if "puzzle-a" in line)
    assert main(command.split()) == 0
    drawn = [(folder / command.split()[-1]).read_text().count("<use ") for folder in (tmp_path, ROOT)]
    assert drawn[0] == drawn[1] > 36


def test_readme_figures_of_experiments_can_be_made_again():
    """They are of bundled experiments, by the names that the report gives them."""
    assert FIGURES
    for name, figure in FIGURES:
        assert name in bundled_experiments()
        assert figure in CHARTS
        assert (ROOT / "docs" / f"{name}.svg").read_text().count("<path ") > 20


def test_readme_experiment_is_one(tmp_path):
    """Its plan has every engine on every puzzle: 21 puzzles, three orders and CP-SAT."""
    (text,) = (block for block in blocks("text") if "jigsat-experiment/1" in block)
    (tmp_path / "experiment.json").write_text(text)
    runs = plan(load_experiment(str(tmp_path / "experiment.json")))
    assert len(runs) == 21 * 4


def test_readme_predictions_are_those_of_the_model():
    """Each number of the table to the digits that it has, and of the facts those that are quickly counted."""
    table = re.search(r"^\| depth \|.*\n\|.*\n((?:\|.*\n)+)", README, re.MULTILINE)[1]
    rows = [[cell.strip().replace(" ", "") for cell in line.strip("|\n").split("|")] for line in table.splitlines()]
    for column, (name, order) in enumerate((("puzzle-a", "rowscan"), ("clue1", None), ("puzzle-c", "rowscan"))):
        estimate = Complexity(read(name)).estimate(order, symmetry=True)
        found = count(read(name), order=order) if name == "puzzle-a" else None
        for depth, *cells in rows:
            predicted, actual = cells[2 * column : 2 * column + 2]
            nodes = estimate.nodes if depth == "all" else estimate.nodes_by_depth[int(depth) - 1]
            assert float(f"{float(nodes):.2e}") == float(predicted) or round(nodes) == int(predicted)
            if found is not None:
                assert int(actual) == (found.nodes if depth == "all" else found.nodes_by_depth[int(depth) - 1])


def test_readme_best_score_is_found(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    block = next(block for block in blocks("text") if "--best" in block)
    *commands, shown = re.split(r"^\$ jigsat ", block, flags=re.MULTILINE)[1:]
    last, _, shown = shown.partition("\n")
    for command in (*commands, last):
        capsys.readouterr()
        assert main(command.split()) == 0
    assert capsys.readouterr().out.startswith(shown)


def test_readme_python_runs(capsys, monkeypatch, tmp_path):
    """The README is ours; what it writes goes to a folder of its own."""
    monkeypatch.chdir(tmp_path)
    search, models, certified, algebra = blocks("python")
    # With less time than the README has, on the lattice, and without the experiment.
    quick = search.replace("time_limit=60", "time_limit=1").replace('motions="any"', 'motions="lattice"')
    exec(re.sub(r"^frame = .*\n", "", quick, flags=re.MULTILINE), {})
    assert "unknown engine 'x'" in capsys.readouterr().out
    exec(models, {})
    engines = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert [name for name, found in engines if found.startswith("Placement(")] == ["cadical195", "glucose4", "cpsat"]
    exec(certified, {})
    assert ", exactly 2 solutions, proved\n" in capsys.readouterr().out
    exec(algebra, {})
    assert capsys.readouterr().out == "False False True\n8\n"


def test_readme_certificates_are_proved(tmp_path, monkeypatch, capsys):
    """What the commands print is what stands there, but for the version of the checker."""
    monkeypatch.chdir(tmp_path)
    first, second = (block for block in blocks("text") if "--proof" in block)
    for block in (first, second):
        for command in re.findall(r"^\$ jigsat (.*)", block, re.MULTILINE):
            capsys.readouterr()
            assert main(command.split()) == 0
            shown = block.partition(command)[2].partition("\n")[2].partition("$ ")[0]
            printed = capsys.readouterr().out
            if shown:
                assert re.sub(r"dratify [\d.]+", "", printed) == re.sub(r"dratify [\d.]+", "", shown)
        assert "proved, checked by dratify" in printed
