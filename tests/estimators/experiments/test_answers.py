"""The answer of a comparison in words, and its tables, by hand."""

import pytest

from jigsat.estimators.experiments.answers import answer
from jigsat.estimators.experiments.tables import table_of
from records import killed, outcomes, record


def engine(name, seconds, **changes):
    """A run of an engine on each puzzle, with these seconds; None for a run that timed out."""
    return [
        record(engine=name, seed=seed, seconds=s or 10.0, outcome="time" if s is None else "solved", **changes)
        for seed, s in enumerate(seconds)
    ]


def best(name, scores, **changes):
    parts = {"goal": "best", "outcome": "time", "status": "feasible", **changes}
    return [record(engine=name, seed=seed, best_score=score, **parts) for seed, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ([], "Nothing has run yet."),
        ([killed("refused")], "No run was made: 1 refused."),
        (engine("cpsat", [1, 3, 2]), "cpsat solved all 3 puzzles; the median time was 2 s."),
        (engine("cpsat", [None]), "cpsat solved 0 of 1 puzzle."),
        ([*engine("backtrack", [1, 2, 4]), *engine("cpsat", [3, 20, 2])],
         "Both engines solved all 3 puzzles; backtrack was 3 times as fast, by the median of the ratios per puzzle."),
        ([*engine("backtrack", [1, 2]), *engine("cpsat", [1, 2.01])],
         "Both engines solved both puzzles; backtrack and cpsat were equally fast, by the median of the ratios per "
         "puzzle."),
        ([*engine("backtrack", [0.001]), *engine("cpsat", [0.004])],
         "Both engines solved the puzzle; backtrack and cpsat took less than 0.01 s, too little to compare."),
        ([*engine("backtrack", [8]), *engine("cpsat", [1]), *engine("dive", [4])],
         "All 3 engines solved the puzzle; cpsat was 4 times as fast as dive."),
        ([*engine("backtrack", [1, None, 1]), *engine("cpsat", [2.5, 2.5, 2.5])],
         "cpsat solved all 3 puzzles and backtrack 2; on the 2 that both solved, backtrack was 2.5 times as fast, by "
         "the median of the ratios per puzzle."),
        ([*engine("backtrack", [1, None]), *engine("cpsat", [4, None])],
         "Both engines solved 1 of 2 puzzles; backtrack was 4 times as fast."),
        ([*engine("backtrack", [1, None]), *engine("cpsat", [None, 1])],
         "backtrack solved 1 of 2 puzzles and cpsat 1."),
        ([*engine("backtrack", [1, 2]), *engine("cpsat", [1])], "3 runs on 2 puzzles: 3 solved."),
        ([*best("beam", [50, 52]), *best("dive", [48, 52])],
         "The highest score was found by beam on 2 of 2 puzzles, dive on 1."),
        ([*best("beam", [50]), *best("cpsat", [50], status="optimal", outcome="solved")],
         "The highest score, 50 of 60, was found by beam and cpsat, which is proved to be the most."),
        (best("beam", [0], status="unknown"), "No full board was found."),
    ],
)  # fmt: skip
def test_the_answer_in_words(runs, words):
    assert answer(outcomes(*runs)) == words


def test_repetitions_are_one_puzzle():
    """It is solved if all of them are, in their median time."""
    runs = [record(repetition=n, seconds=float(n)) for n in (1, 2, 3)]
    assert answer(outcomes(*runs)) == "backtrack solved the puzzle; the median time was 2 s."
    assert table_of(outcomes(*runs), "puzzle").rows[0][-1] == ("2 s", 2.0)


RUNS = [*engine("sat:x_1|y", [2, None], random=True), *engine("backtrack", [1200.5, 4], random=True)]


def test_tables_in_each_form():
    engines, puzzles = (table_of(outcomes(*RUNS), by) for by in ("engine", "puzzle"))
    assert engines.csv().splitlines() == [
        "engine,runs,solved,not solved,median time,PAR-2", "sat:x_1|y,2,1,1 timed out,,11.0",
        "backtrack,2,2,,602.25,602.25",
    ]  # fmt: skip
    assert engines.markdown().splitlines()[1:3] == [
        "| --- | ---: | ---: | ---: | ---: | ---: |", r"| sat:x_1\|y | 2 | 1 | 1 timed out | – | 11 s |",
    ]  # fmt: skip
    assert puzzles.latex() == (
        "\\begin{tabular}{lrrr}\n\\toprule\npuzzle & answer & sat:x\\_1|y & backtrack \\\\\n\\midrule\n"
        "6x6, 3+5 colours, seed 0 & 4 & 2 s & 1\\,200 s \\\\\n6x6, 3+5 colours, seed 1 & 4 & $>$ 10 s & 4 s \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    )
    assert puzzles.csv().splitlines()[2] == '"6x6, 3+5 colours, seed 1",4,,4'
    assert engines.lines() == engines.lines(1)
    assert engines.lines(0) == [
        "  engine  runs  solved  not solved  median time  PAR-2", "  ... and 2 more",
    ]  # fmt: skip
    assert engines.lines()[1] == "  sat:x_1|y     2       1  1 timed out            –   11 s"


def test_planted_puzzles_are_marked():
    table = table_of(outcomes(record(), record(seed=2, random=True)), "puzzle")
    assert table.heads[:2] == ["puzzle", "planted"]
    assert [row[1][1] for row in table.rows] == [1, 0]


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([record(goal="solve")], "a solution"), ([record(goal="solve", status="unsatisfiable")], "none"),
        ([record(goal="solve", outcome="time")], "–"), ([record(outcome="time", count=3)], "≥ 3"),
        ([record(outcome="time", count=3), record(engine="cpsat", count=7)], "7"), (best("beam", [50]), "50"),
        (best("cpsat", [50], status="optimal", outcome="solved"), "50 (optimal)"),
    ],
)  # fmt: skip
def test_the_answer_for_a_puzzle(runs, text):
    assert table_of(outcomes(*runs), "puzzle").rows[0][2][0] == text
