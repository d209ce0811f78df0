"""Experiments from Python: the same as from the shell, what is reported, and the table of pandas."""

import json

import pytest

from command_line import run
from experiment_texts import TINY, part, written
from jigsat.csp.base import extras
from jigsat.csp.base.errors import JigsatError, UsageError
from jigsat.estimators.experiments import comparison, runner
from jigsat.estimators.experiments.comparison import compare
from jigsat.estimators.experiments.report import page
from records import record


@pytest.fixture(autouse=True)
def pretend(monkeypatch):
    """Makes no run, but a record of each at once, and no figures; the list gets what would have been run."""
    asked = []

    def execute(run, stopped):
        asked.append(run)
        taken = ("experiment", "part", "family", "sha256", "fingerprint", "repetition", "instance", "kind")
        options = {"engine": run.engine, "goal": run.goal, "source": dict(run.recipe), "facts": dict(run.facts)}
        return record(**options) | {name: getattr(run, name) for name in taken}

    monkeypatch.setattr(runner, "execute", execute)
    monkeypatch.setattr(page, "CHARTS", ())
    return asked


def trial(folder):
    """An experiment of four runs."""
    return written(folder, part("backtrack", "cpsat", instances=[{**TINY, "seeds": [1, 2]}]))


@pytest.mark.parametrize(
    ("options", "words"), [({}, []), ({"dry_run": True}, ["--dry-run"]), ({"report_only": True}, ["--report"])]
)
def test_the_command_says_what_the_function_finds(tmp_path, capsys, options, words):
    """Nothing recorded yet, and all recorded."""
    path, mine, other = trial(tmp_path), tmp_path / "mine", tmp_path / "other"
    for _ in range(2):
        found = compare(path, mine, **options)
        status, out, err = run(capsys, "compare", str(path), "-o", str(other), *words)
        assert (status, err) == (0, "")
        assert out == f"{found.summary()}\n".replace(str(mine), str(other))
        assert found.record()["recorded"] == len(found.records) == (0 if options else 4)
        assert found._repr_html_().startswith("<pre>")
    if not options:
        assert found.summary().startswith("nothing to run: all 4 runs")
        records = [(folder / "records.jsonl").read_text() for folder in (mine, other)]
        assert records[0] == records[1]
        assert [json.dumps(each) for each in found.records] == [
            json.dumps(json.loads(line)) for line in records[0].splitlines()
        ]


def test_what_a_comparison_tells(tmp_path, pretend):
    told = []
    todo = compare(trial(tmp_path), tmp_path / "out", dry_run=True)
    assert (todo.complete, todo.page, len(todo.predicted_seconds), todo.executed) == (False, None, 4, None)
    assert todo.record()["predicted_seconds"] == sum(todo.predicted_seconds.values()) > 0
    assert pretend == []
    found = compare(trial(tmp_path), tmp_path / "out", report=told.append)
    assert (found.complete, found.executed, found.ended_by, found.disagreements) == (True, 4, None, [])
    assert found.page == tmp_path / "out" / "report.html"
    assert [progress.note[:11] for progress in told] == [f"{n} of 4 runs" for n in (1, 2, 3, 4)]
    assert told[-1].done == pytest.approx(1)


def test_a_sample_and_then_a_larger_one(tmp_path, pretend):
    """The larger one runs what it adds."""
    assert len(compare(trial(tmp_path), tmp_path / "out", sample=1).records) == 2
    found = compare(trial(tmp_path), tmp_path / "out", sample=2)
    assert (found.executed, len(found.records), len(pretend)) == (2, 4, 4)
    with pytest.raises(UsageError, match="at least 1 is needed, not 0"):
        compare(trial(tmp_path), tmp_path / "out", sample=0)


def test_interrupted(tmp_path, monkeypatch):
    """What was not made is left, and said to be left."""
    monkeypatch.setattr(runner, "execute", lambda run, stopped: None)
    found = compare(trial(tmp_path), tmp_path / "out")
    assert (found.complete, found.executed, found.ended_by) == (False, 0, "interrupt")
    assert found.summary().startswith("trial: 0 of 4 runs recorded\n")


def test_a_row_for_each_run_and_a_column_for_each_value(tmp_path):
    frame = compare(trial(tmp_path), tmp_path / "out").to_pandas()
    assert len(frame) == 4
    assert sorted(frame["engine"]) == ["backtrack", "backtrack", "cpsat", "cpsat"]
    assert {"facts.pieces", "predicted.nodes", "limits.seconds", "source.family"} <= set(frame.columns)
    assert not {"facts", "limits", "source"} & set(frame.columns)
    assert (frame["facts.pieces"] == 9).all()


def test_no_records_are_a_table_too(tmp_path):
    assert compare(trial(tmp_path), tmp_path / "out", report_only=True).to_pandas().empty


def test_without_pandas_the_extra_is_named(tmp_path, monkeypatch):
    found = compare(trial(tmp_path), tmp_path / "out")
    monkeypatch.setattr(extras, "find_spec", lambda module: None)
    with pytest.raises(JigsatError, match=r"^data frames need pandas: .*, jigsat\[pandas\]$"):
        found.to_pandas()


@pytest.mark.parametrize(
    ("options", "refused"),
    [({"jobs": 0}, ("jobs",)), ({"report_only": True, "dry_run": True}, ("report_only", "dry_run"))],
)
def test_misuse(tmp_path, options, refused):
    with pytest.raises(UsageError) as error:
        compare(trial(tmp_path), tmp_path / "out", **options)
    assert error.value.options == refused
    assert not (tmp_path / "out").exists()


def test_only_what_is_seen_is_foretold(tmp_path, monkeypatch):
    """To foretell takes longer than small runs do."""
    monkeypatch.setattr(comparison, "predicted_seconds", lambda runs: pytest.fail("foretold"))
    compare(trial(tmp_path), tmp_path / "out")
