"""What experiments teach, and that the engine that is advised can do what is asked."""

import json
from itertools import product
from math import log10

import pytest

from jigsat import read
from jigsat.cli.main import main
from jigsat.csp.base.errors import EngineError, InstanceError, OrderError
from jigsat.csp.engines.installed import ENGINES
from jigsat.csp.engines.registry import able_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.files.instances import read_puzzle, save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.symmetry import symmetries
from jigsat.estimators.experiments.lessons import learn
from jigsat.estimators.plan import advice as advising
from jigsat.estimators.plan.advice import (
    NEIGHBOURS,
    Lesson,
    Record,
    advice,
    load_lessons,
    nearest,
    predicted_effort,
    save_lessons,
    standings,
)
from jigsat.estimators.plan.prediction import predict
from records import killed, outcomes, record

CLUE = read("clue3")


def lesson(seconds, *, kind="edge-matching", goal="count", pieces=36, effort=5.0, limit=10.0):
    return Lesson(kind, goal, pieces, effort, limit, seconds)


@pytest.fixture
def taught(monkeypatch):
    """Sets what experiments are said to have taught."""
    return lambda *those: monkeypatch.setattr(advising, "load_lessons", lambda: those)


def test_a_lesson_is_a_puzzle_with_the_quickest_run_of_each_engine():
    found = learn(
        outcomes(
            record(seconds=3.0, options={"order": "zig_zag"}), record(seconds=2.00004), killed("time"),
            record(engine="cpsat", seconds=9.0), killed("memory", engine="sat:cadical195"),
            record(engine="cpsat", seed=2, seconds=1.0), record(seed=2, seconds=4.0),
        )
    )  # fmt: skip
    assert [one.seconds for one in found] == [
        {"backtrack": 2.0, "cpsat": 9.0, "sat:cadical195": None},
        {"cpsat": 1.0, "backtrack": 4.0},
    ]
    assert {(one.kind, one.goal, one.pieces, one.limit) for one in found} == {("edge-matching", "count", 36, 10.0)}
    assert found[0].log_effort == pytest.approx(log10(4321), abs=1e-3)


@pytest.mark.parametrize(
    "useless",
    [
        [record()],
        [record(), record(options={"order": "zig_zag"})],
        [record(), record(engine="cpsat", goal="solve")],
        [record(), record(engine="cpsat", seed=2)],
        [record(), killed("crash", engine="cpsat")],
        [record(), record(engine="cpsat", outcome="refused")],
        [record(outcome="depth"), record(engine="cpsat")],
        [record(outcome="nodes"), record(engine="cpsat")],
        [record(), record(engine="cpsat", options={"slips": "20"})],
    ],
    ids=range(9),
)
def test_what_compares_no_engines_on_one_question_teaches_nothing(useless):
    """With slips there are other solutions; a search that was cut short by its nodes took no time to speak of."""
    assert learn(outcomes(*useless)) == []


def test_lessons_are_written_and_read(tmp_path):
    path = tmp_path / "lessons.jsonl"
    those = [lesson({"backtrack": 1.5, "cpsat": None}), lesson({"a": 1, "b": 2}, effort=None, kind="dissection")]
    save_lessons(those, path)
    assert load_lessons(path) == tuple(those)
    assert len(path.read_text().splitlines()) == 2


def test_no_file_teaches_nothing_and_another_one_is_refused(tmp_path):
    assert load_lessons(tmp_path / "nowhere") == ()
    for number, content in enumerate(("oops", "[1, 2]", '{"kind": "jigsaw"}', json.dumps(record()), "\xff")):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(content, encoding="latin-1")
        with pytest.raises(InstanceError, match=f"{path}: holds no lessons: "):
            load_lessons(path)


def test_the_nearest_are_alike_in_kind_and_goal_then_in_effort_and_size():
    """A power of ten in effort is as far as a doubling of the pieces."""
    those = [
        lesson({}, effort=5.0), lesson({}, effort=7.5), lesson({}, pieces=72, effort=6.0), lesson({}, effort=6.4),
        lesson({}, kind="jigsaw"), lesson({}, goal="solve"), lesson({}, pieces=144, effort=None),
    ]  # fmt: skip
    found = nearest(those, "edge-matching", "count", 36, 6.0)
    assert found == [those[3], those[0], those[2], those[1], those[6]]
    assert nearest(those, "dissection", "count", 36, None) == []
    # Without an effort, size alone.
    assert nearest(those, "edge-matching", "count", 144, None)[0] == those[6]
    assert len(nearest([those[0]] * 50, "edge-matching", "count", 36, None)) == NEIGHBOURS


def test_standings_are_by_par2():
    """Twice the limit for what was not done; of the puzzles that an engine was given alone."""
    those = [
        lesson({"a": 1.0, "b": 8.0}), lesson({"a": None, "b": 9.0}), lesson({"a": 2.0, "c": 0.5}, limit=100.0),
    ]  # fmt: skip
    assert standings(those) == [
        Record("c", 1, 1, 0.5), Record("a", 3, 2, pytest.approx(23 / 3)), Record("b", 2, 2, 8.5),
    ]  # fmt: skip
    assert standings([]) == []


def test_the_best_of_those_that_can_is_taken(taught):
    taught(*[lesson({"cpsat": 1.0, "sat:cadical195": 2.0, "backtrack": 3.0, "most-constrained": None})] * 3)
    best = advice(CLUE, Goal.COUNT, Limits(), Options())
    assert (best.engine, best.order) == ("cpsat", None)
    assert best.why.startswith(
        "on the 3 nearest puzzles of the experiments cpsat did 3 of 3, PAR-2 1 s "
        "(sat:cadical195 did 3 of 3, PAR-2 2 s; backtrack did 3 of 3, PAR-2 3 s); "
    )
    assert best.why.endswith("nodes are expected in the whole tree")
    nodes = advice(CLUE, Goal.COUNT, Limits(nodes=10), Options())
    assert (nodes.engine, nodes.order) == ("backtrack", predict(CLUE, Options(), follows=False).order_name)
    along = advice(CLUE, Goal.COUNT, Limits(), Options(order="zig_zag"))
    assert (along.engine, along.order) == ("backtrack", None)
    assert advice(CLUE, Goal.COUNT, Limits(), Options(encoding="seams")).engine == "sat:cadical195"


def test_an_engine_that_did_nothing_is_not_taken(taught):
    taught(lesson({"cpsat": None, "sat:cadical195": None}))
    found = advice(CLUE, Goal.COUNT, Limits(), Options())
    assert found.engine == "backtrack"
    assert found.why.startswith("no engine did anything like it in the experiments; ")


def test_what_nothing_was_taught_of_gets_the_usual_engine(taught):
    taught()
    assert advice(CLUE, Goal.COUNT, Limits(), Options()).engine == "backtrack"
    assert advice(read("perfect-6x6"), Goal.COUNT, Limits(), Options()).engine == "most-constrained"
    assert advice(read_puzzle("tangram"), Goal.COUNT, Limits(), Options()).engine == "backtrack"
    assert advice(CLUE, Goal.COUNT, Limits(), Options(seed=1)).engine == "cpsat"
    assert advice(CLUE, Goal.COUNT, Limits(), Options(proof="p")).engine == "sat:cadical195"
    assert advice(CLUE, Goal.SOLVE, Limits(), Options(threads=2)).engine == "cpsat"


def test_a_solver_of_the_lattice_is_not_taken_for_other_motions(taught):
    taught(lesson({"sat:cadical195": 1.0, "backtrack": 2.0}, kind="dissection", pieces=7, effort=None))
    assert advice(read_puzzle("tangram"), Goal.COUNT, Limits(), Options()).engine == "sat:cadical195"
    assert advice(read_puzzle("l-shape"), Goal.COUNT, Limits(), Options()).engine == "backtrack"


@pytest.mark.parametrize("those", [(), "all"])
@pytest.mark.parametrize("name", ["clue3", "perfect-6x6", "tangram"])
def test_the_engine_that_is_advised_can_do_what_is_asked(name, those, taught):
    """Whatever that is, if any engine can: `--engine auto` must not end in an error about an engine nobody named."""
    puzzle = read_puzzle(name)
    engines = [*(engine for engine in ENGINES if engine not in ("sat", "maxsat")), "sat:cadical195", "maxsat:rc2"]
    seconds = {engine: float(at) for at, engine in enumerate(engines)}
    taught(*(lesson(seconds, kind=puzzle.kind, goal=goal) for goal in Goal if those))
    limits = [Limits(), Limits(nodes=9), Limits(depth=9), Limits(nodes=9, depth=9)]
    options = [
        Options(
            **dict(zip(("order", "symmetry", "threads", "slips", "encoding", "seed", "proof"), values, strict=True))
        )
        for values in product(
            (None, "rowscan"), (True, False), (1, 2), (None, "9"), (None, "pairs", "table"), (None, 1), (None, "p")
        )
    ]
    # 5 divides none of the numbers of choices, so that each is among those that are left.
    for asked in list(product(Goal, limits, options))[::5]:
        if any(can(puzzle, engine, *asked) for engine in engines):
            assert can(puzzle, advice(puzzle, *asked).engine, *asked), asked


def can(puzzle, engine, goal, limits, options):
    try:
        able_engine(puzzle.kind, engine, goal, limits, options)
    except EngineError:
        return False
    return True


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("goal", ["solve", "count", "all"])
def test_the_effort_of_a_question_is_that_of_its_lesson(goal, symmetry):
    """Otherwise a puzzle would not even be nearest to itself."""
    puzzle = deal_edge_matching(6, 6, 3, 4, seed=1).puzzle
    found = predict(puzzle, Options(order="rowscan", symmetry=symmetry), follows=True)
    (run,) = outcomes(
        record(goal=goal, symmetry_factor=symmetries(puzzle).product, options={"symmetry": symmetry})
        | {"predicted": found.summary}
    )
    effort = predicted_effort(puzzle, Goal(goal), found, symmetry=symmetry)
    assert effort == pytest.approx(run.log_effort)
    assert predicted_effort(puzzle, Goal.BEST, found, symmetry=symmetry) is None


def test_an_order_that_is_none_is_told(taught):
    taught()
    with pytest.raises(OrderError):
        advice(CLUE, Goal.COUNT, Limits(), Options(order="diagonal"))


@pytest.mark.parametrize("command", ["solve", "count"])
def test_the_command_line_takes_the_advice_and_says_why(command, taught, capsys, tmp_path):
    file = str(tmp_path / "small.json")
    save(deal_edge_matching(4, 4, 2, 3, seed=1).puzzle, file)
    taught(*(lesson({"cpsat": 1.0, "backtrack": 2.0}, goal=goal) for goal in ("solve", "count")))
    assert main([command, file, "--engine", "auto", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["engine"] == "cpsat"
    assert captured.err.startswith("engine auto: cpsat: on the 1 nearest puzzles of the experiments cpsat did 1 of 1")
    assert captured.err.count("\n") == 1
    assert main([command, file, "--engine", "auto", "--json", "--node-limit=5", "--quiet"]) == 0
    captured = capsys.readouterr()
    result = json.loads(captured.out)
    assert (result["engine"], result["nodes"]) == ("backtrack", 5)
    assert captured.err == ""


def test_bundled_lessons_can_be_read():
    """If there are any: each of a kind and a goal that there is, and of more than one engine."""
    for one in load_lessons():
        assert one.kind in ("edge-matching", "jigsaw", "dissection")
        assert one.goal in list(Goal)
        assert len(one.seconds) > 1
        assert one.pieces > 0
