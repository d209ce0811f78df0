"""The runs of an experiment: which, in which order, and by what they are known again."""

import json
from dataclasses import fields, replace
from itertools import chain, product

import pytest

from experiment_texts import TINY, part, planned
from jigsat import read
from jigsat.csp.base.errors import EngineError, JigsatError, OrderError, SlipError
from jigsat.csp.files.instances import read_puzzle, save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.work.run import Portion
from jigsat.estimators.experiments import plan as experiment
from jigsat.estimators.experiments.files import bundled_experiments, experiment_schema, load_experiment
from jigsat.estimators.experiments.plan import in_portion, options_of, plan, predicted_seconds, sampled, versions
from jigsat.estimators.ways.times import RATES


def test_every_engine_meets_every_puzzle(tmp_path):
    """Repetitions outermost, then puzzles, then engines with all combinations of their options; parts one by one."""
    engine = {"engine": "backtrack", "order": ["rowscan", "zig_zag"], "symmetry": [True, False]}
    family = {**TINY, "inner_colors": [2, 3], "seeds": [1, 2]}
    runs = planned(tmp_path, part(engine, "cpsat", instances=[family], repetitions=2), part(goal="solve", name="last"))
    engines = [("backtrack", order, s) for order, s in product(("rowscan", "zig_zag"), (True, False))]
    engines.append(("cpsat", None, True))
    expected = list(product((1, 2), (1, 2), (2, 3), engines))
    assert [
        (
            r.repetition,
            r.recipe["seed"],
            r.recipe["inner_colors"],
            (r.engine, r.options["order"], r.options["symmetry"]),
        )
        for r in runs[:-1]
    ] == expected
    assert (runs[-1].part, runs[-1].goal) == ("last", "solve")
    assert len({run.fingerprint for run in runs}) == len(runs) == len(expected) + 1


def test_no_run_is_planned_twice_and_the_first_keeps_its_place(tmp_path):
    """Twice in a part, in two parts, from a file and a family, under two names of one engine: one run each."""
    save(deal_edge_matching(3, 3, 2, 2, seed=0).puzzle, tmp_path / "same.json")
    first = part("backtrack", "backtrack", name="first")
    both = part("cpsat", "backtrack", instances=[{"instance": "same.json"}, TINY], name="both")
    solvers = part("sat", "sat:cadical195", name="solvers")
    runs = planned(tmp_path, first, both, solvers)
    found = [(run.part, run.engine, run.family) for run in runs]
    family = "3x3, 2+2 colours"
    assert found == [("first", "backtrack", family), ("both", "cpsat", "same"), ("solvers", "sat:cadical195", family)]


def fingerprint_of(tmp_path, *engines, **changes):
    (run,) = planned(tmp_path, part(*engines, **changes))
    return run.fingerprint


def test_a_fingerprint_changes_with_all_that_decides_the_result(tmp_path):
    """Otherwise a changed experiment would show the records of the former one."""
    tall, random = {**TINY, "rows": 4}, {**TINY, "random": True}
    engines = [
        "backtrack", "most-constrained", "sat:glucose4", "sat:cadical195", "cpsat",
        {"engine": "backtrack", "order": "rowscan"}, {"engine": "backtrack", "order": "best"},
        {"engine": "backtrack", "slips": "5"}, {"engine": "backtrack", "symmetry": False},
        {"engine": "cpsat", "encoding": "table"}, {"engine": "cpsat", "seed": 1},
    ]  # fmt: skip
    found = [fingerprint_of(tmp_path, engine) for engine in engines]
    found += [fingerprint_of(tmp_path, instances=[family]) for family in (tall, random, {**TINY, "seeds": 1})]
    found += [fingerprint_of(tmp_path, goal=goal) for goal in ("all", "solve", "best")]
    for limit in ({"seconds": 61}, {"memory_mib": 500}, {"nodes": 9}, {"depth": 9}, {"predicted_nodes": 9}):
        found.append(fingerprint_of(tmp_path, limits={"seconds": 60, **limit}))
    cpsat = {"engine": "cpsat", "threads": 2}
    found += [fingerprint_of(tmp_path, cpsat, goal="solve"), fingerprint_of(tmp_path, "cpsat", goal="solve")]
    tangram = [{"instance": "tangram"}]
    for motions in (None, "any", "lattice"):
        found.append(fingerprint_of(tmp_path, {"engine": "backtrack", "motions": motions}, instances=tangram))
    found += [run.fingerprint for run in planned(tmp_path, part(repetitions=3))[1:]]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("name", ["jigsat", "python", "ortools"])
def test_a_fingerprint_changes_with_each_version(name, tmp_path, monkeypatch):
    before = fingerprint_of(tmp_path, "cpsat")
    monkeypatch.setattr(experiment, "versions", lambda kind, engine: {**versions(kind, engine), name: "0"})
    assert fingerprint_of(tmp_path, "cpsat") != before


def test_a_fingerprint_changes_with_nothing_else(tmp_path):
    """An experiment that is renamed, extended or moved keeps its records."""
    (run,) = planned(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (same,) = planned(tmp_path / "elsewhere", part(name="p"), name="n", about="a")
    assert same.fingerprint == run.fingerprint
    assert fingerprint_of(tmp_path, limits={"seconds": 60.0, "memory_mib": 4096}) == run.fingerprint
    others = {"experiment", "part", "family", "recipe", "folder", "instance", "kind", "facts", "patience", "begun"}
    deciding = {"sha256", "engine", "options", "goal", "limits", "repetition"}
    assert {field.name for field in fields(run)} == others | deciding
    for name in others:
        value = "jigsaw" if name == "kind" else None  # of the same engines
        assert replace(run, **{name: value}).fingerprint == run.fingerprint


def test_an_option_of_an_installed_engine_is_one_of_experiments(tmp_path, installed_engines):
    """In the schema as well; another engine refuses it."""
    run, other = planned(tmp_path, part({"engine": "shuffle", "tries": [2, 500], "seed": 3}, goal="solve"))
    assert (run.options["tries"], other.options["tries"]) == (2, 500)
    assert options_of(other.options)[1] == {"tries": 500}
    assert run.fingerprint != other.fingerprint
    assert "how many boards to try" in json.dumps(experiment_schema())
    with pytest.raises(EngineError, match=r"part 1, engine 1, .*: tries: the engine backtrack has no such option"):
        planned(tmp_path, part({"engine": "backtrack", "tries": 2}))


def test_the_default_leaves_everything_to_the_plan(tmp_path):
    """What is named is no default."""
    (run,) = planned(tmp_path, part({"engine": "default", "seed": 1}))
    assert (run.engine, run.options["seed"]) == ("default", 1)
    assert run.fingerprint != fingerprint_of(tmp_path, "backtrack")
    for name, value in (("order", "rowscan"), ("method", "frames"), ("encoding", "pairs"), ("width", 9)):
        with pytest.raises(EngineError, match=f"part 1, engine 1, .*: {name}: the engine default"):
            planned(tmp_path, part({"engine": "default", name: value}))
    for name in ("nodes", "depth", "predicted_nodes"):
        with pytest.raises(EngineError, match=f"{name}: the engine default"):
            planned(tmp_path, part("default", limits={"seconds": 60, name: 5}))


def test_a_sample_has_all_runs_on_the_same_share_of_each_part(tmp_path):
    """A larger one holds the smaller ones."""
    large = part("backtrack", "cpsat", instances=[{**TINY, "seeds": "1..8"}], name="large")
    small = part("backtrack", goal="solve", instances=[{**TINY, "seeds": "1..4"}], name="small")
    runs = planned(tmp_path, large, small)
    before = set()
    for number in range(1, 13):
        drawn = sampled(runs, number)
        puzzles = [(run.part, run.sha256) for run in drawn]
        assert len(set(puzzles)) == number
        assert all(puzzles.count(key) == (2 if key[0] == "large" else 1) for key in puzzles)
        assert before < set(puzzles)
        before = set(puzzles)
        if number % 3 == 0:
            assert len({key for key in puzzles if key[0] == "small"}) == number // 3
    assert sampled(runs, 12) == sampled(runs, 99) == runs


@pytest.mark.parametrize("number", [1, 2, 3, 7, 12])
def test_portions_are_a_partition_by_puzzles(number, tmp_path):
    """As many puzzles in each but for one, each puzzle with all its runs, in the order of the plan."""
    runs = planned(tmp_path, part("backtrack", "cpsat", instances=[{**TINY, "seeds": "1..7"}], repetitions=2))
    portions = [in_portion(runs, Portion(i, number)) for i in range(1, number + 1)]
    assert sorted(map(runs.index, chain(*portions))) == list(range(len(runs)))
    puzzles = [{run.sha256 for run in portion} for portion in portions]
    assert {len(mine) for mine in puzzles} <= {7 // number, -(-7 // number)}
    assert all(len(portion) == 4 * len(mine) for portion, mine in zip(portions, puzzles, strict=True))
    assert all(sorted(map(runs.index, portion)) == list(map(runs.index, portion)) for portion in portions)


@pytest.mark.slow
def test_bundled_experiments_can_be_planned():
    """An option that an engine lost, or a puzzle that was renamed, would show when somebody runs it."""
    for name in bundled_experiments():
        runs = plan(load_experiment(name))
        assert len({run.fingerprint for run in runs}) == len(runs) > 10


def test_errors_name_part_and_entry(tmp_path):
    """The one of the second part, with its numbers; the kind of error stays."""
    place = "experiment.json: part 2, engine 2, on 3x3, 2\\+2 colours, seed 0: "
    for entry, error in (
        ({"engine": "magic"}, EngineError),
        ({"engine": "backtrack", "order": "diagonal"}, OrderError),
        ({"engine": "backtrack", "slips": "99"}, SlipError),
    ):
        with pytest.raises(error, match=place):
            planned(tmp_path, part(), part("backtrack", entry))
    with pytest.raises(JigsatError, match="part 2, instance 3: nowhere: there is no such file"):
        planned(tmp_path, part(), part(instances=[TINY, TINY, {"instance": "nowhere"}]))


TANGRAM, CLUE = read_puzzle("tangram"), read("clue3")


# How long runs take: never beyond their limits, and by what is known of their kind.

OVERHEAD = experiment._OVERHEAD
# Nodes a second, as limits on nodes are turned into seconds.
RATE = RATES["backtrack any order"]


def seconds(folder, *engines, **changes):
    return [*predicted_seconds(planned(folder, part(*engines, **changes))).values()]


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("limits", [{"seconds": 7}, {"seconds": 1e9, "nodes": 7 * RATE}, {"seconds": 0}])
def test_no_run_takes_longer_than_its_limits(limits, tmp_path):
    """Eternity II takes more seconds than a float holds powers of ten, were it not for them."""
    (told,) = seconds(tmp_path, instances=[{"instance": "eternity2"}], limits=limits)
    assert told == pytest.approx((7 if limits["seconds"] else 0) + OVERHEAD)
