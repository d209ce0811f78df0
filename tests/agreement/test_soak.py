"""The long agreement run finds nothing in a few dozen puzzles, and finds every fault that is put in."""

import signal
from collections import Counter
from dataclasses import replace
from itertools import count

import pytest

import in_c
import soak
import soak_runs
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.search.ordered import run as ordered_run
from jigsat.models.base.formula import Clauses

pytestmark = pytest.mark.skipif(not in_c.compiler(), reason="there is no C compiler")


def test_a_few_dozen_puzzles(tmp_path, capsys):
    """The script as it is, with a seed."""
    assert soak.main(["--hours", "1", "--puzzles", "8", "--seed", "quick", "-o", str(tmp_path / "found")]) == 0
    told = capsys.readouterr().out
    assert " 0 differences" in told.splitlines()[-1]
    assert not (tmp_path / "found").exists()


def test_ctrl_c_ends_it_with_the_figures(tmp_path, capsys, monkeypatch):
    """Within a run, too, whose engine takes Ctrl-C for the end of its own work."""

    def interrupted(puzzle, truth, run):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setitem(soak_runs.WHATS, "engine", interrupted)
    assert soak.main(["--hours", "1", "--seed", "ctrl-c", "-o", str(tmp_path)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "        1 ended by Ctrl-C" in told
    assert " 1 puzzles, 0 runs, " in told[-1]

    def stopped(result):
        return replace(result, complete=False, ended_by="interrupt")

    monkeypatch.setitem(soak_runs.WHATS, "engine", soak_runs.engine_run)
    monkeypatch.setattr(soak_runs, "find_engine", lambda *given, **kind: Faulty(find_engine(*given, **kind), stopped))
    assert soak.main(["--hours", "1", "--seed", "ctrl-c", "-o", str(tmp_path)]) == 0
    assert "        1 ended by Ctrl-C" in capsys.readouterr().out.splitlines()


def test_no_compiler_is_said_in_a_line(capsys, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    in_c.library.cache_clear()
    with pytest.raises(SystemExit) as caught:
        soak.main(["--puzzles", "1"])
    assert caught.value.code == 2
    assert "error: there is no C compiler 'no-such-compiler'" in capsys.readouterr().err


class Faulty:
    def __init__(self, engine, change):
        self._engine, self._change = engine, change

    def run(self, puzzle, goal, *arguments, **options):
        return self._change(self._engine.run(puzzle, goal, *arguments, **options))


def loses_a_solution(result):
    if len(result.solutions) < 2 or not result.complete or result.goal is not Goal.ALL:
        return result
    return replace(result, solutions=result.solutions[:-1])


def counts_one_too_many(result):
    return replace(result, count=result.count + 1) if result.complete and (result.count or 0) > 5 else result


def counts_an_orbit_twice(result):
    more = result.complete and (result.canonical_count or 0) > 1
    return replace(result, canonical_count=result.canonical_count + 1, symmetry_factor=None) if more else result


def has_a_worse_score(result):
    worse = result.goal is Goal.BEST and result.complete and result.solutions and result.best_score > 2
    return replace(result, best_score=result.best_score - 1) if worse else result


def bounds_from_above(result):
    limited = not result.complete and result.goal is Goal.COUNT
    return replace(result, count=result.count + 1000) if limited else result


def shows_one_twice(result):
    twice = result.goal is Goal.ALL and len(result.solutions) > 1
    return replace(result, solutions=(*result.solutions[:-1], result.solutions[0])) if twice else result


def gives_up(result):
    return (
        replace(result, complete=False, ended_by="nodes") if result.goal is Goal.COUNT and result.nodes > 9 else result
    )


def counts_a_node_too_many(result):
    nodes = (*result.nodes_by_depth[:-1], result.nodes_by_depth[-1] + 1) if result.nodes_by_depth else ()
    return replace(result, nodes_by_depth=nodes, nodes=sum(nodes))


def first_difference(tmp_path, capsys):
    """The file of the first difference of a run with a seed."""
    figures = Counter()
    soak.soak("faults", count(), tmp_path, figures, lambda: figures["DIFFERENCES"] > 0)
    told = capsys.readouterr().out
    (path,) = tmp_path.glob("*.run.json")
    path = path.with_name(path.name.replace(".run", ""))
    assert told.startswith("DIFFERENCE: ")
    assert told.endswith(f"--again {path}\n")
    return path


FAULTS = (loses_a_solution, has_a_worse_score, shows_one_twice, counts_a_node_too_many)
#: These are met later.
LATER = (counts_an_orbit_twice, counts_one_too_many, bounds_from_above, gives_up)


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("fault", [*FAULTS, *(pytest.param(fault, marks=pytest.mark.slow) for fault in LATER)])
def test_every_fault_is_found(fault, tmp_path, capsys, monkeypatch):
    """Whichever engine has it; the file shows it again, and no longer once it is mended."""
    with monkeypatch.context() as faulty:
        faulty.setattr(soak_runs, "find_engine", lambda *given, **kind: Faulty(find_engine(*given, **kind), fault))
        path = first_difference(tmp_path, capsys)
        assert soak.main(["--again", str(path)]) == 1
        assert "DIFFERENCE: " in capsys.readouterr().out
    assert soak.main(["--again", str(path)]) == 0
    assert capsys.readouterr().out == "no difference\n"


def turns_boards_in_spite_of_slips(monkeypatch):
    """A board that is turned need not have its invalid joins where the slips allow them."""
    monkeypatch.setattr(ordered_run, "restrict_nothing", lambda *given: True)


def leaves_a_clause_out(monkeypatch):
    """The last block of clauses of every formula."""
    blocks = Clauses.blocks
    monkeypatch.setattr(Clauses, "blocks", lambda clauses: list(blocks(clauses))[:-1])


@pytest.mark.slow
@pytest.mark.parametrize("fault", [turns_boards_in_spite_of_slips, leaves_a_clause_out])
def test_faults_deep_in_the_package_are_found(fault, tmp_path, capsys, monkeypatch):
    """Such as no result shows by itself."""
    with monkeypatch.context() as faulty:
        fault(faulty)
        path = first_difference(tmp_path, capsys)
    assert soak.main(["--again", str(path)]) == 0
