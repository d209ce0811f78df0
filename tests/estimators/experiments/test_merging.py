"""Records of several folders in one: nothing is lost, nothing counted twice, nothing of another experiment."""

import pytest

from command_line import run
from experiment_texts import TINY, part, records_of, written
from jigsat.csp.base.errors import InstanceError, UsageError
from jigsat.estimators.experiments import runner
from jigsat.estimators.experiments.comparison import compare
from jigsat.estimators.experiments.merging import merge_records
from jigsat.estimators.experiments.report import page
from records import record


@pytest.fixture(autouse=True)
def pretend(monkeypatch):
    """Makes no run, but a record of each at once, with a number that counts up; and no figures."""
    made = []

    def execute(run, stopped):
        made.append(run)
        taken = ("experiment", "part", "family", "sha256", "fingerprint", "repetition", "instance", "kind")
        options = {"engine": run.engine, "goal": run.goal, "source": dict(run.recipe), "facts": dict(run.facts)}
        return record(**options, seconds=float(len(made))) | {name: getattr(run, name) for name in taken}

    monkeypatch.setattr(runner, "execute", execute)
    monkeypatch.setattr(page, "CHARTS", ())
    return made


def trial(folder, seeds="1..5"):
    """An experiment of two runs a seed."""
    return written(folder, part("backtrack", "cpsat", instances=[{**TINY, "seeds": seeds}]))


@pytest.fixture
def shards(tmp_path):
    """The folders of three shards, which together have every record."""
    path = trial(tmp_path)
    return [compare(path, tmp_path / "out", shard=f"{i}/3").folder for i in (1, 2, 3)]


def seconds(records):
    return {each["fingerprint"]: each["seconds"] for each in records}


def test_all_shards_are_the_whole_experiment(tmp_path, shards, pretend):
    found = merge_records(trial(tmp_path), tmp_path / "out", shards)
    assert (found.complete, found.executed, found.others, len(found.records)) == (True, None, 0, 10)
    assert found.page == tmp_path / "out" / "report.html"
    assert found.page.exists()
    assert records_of(tmp_path / "out") == [record for folder in shards for record in records_of(folder)]
    before = (tmp_path / "out" / "records.jsonl").read_bytes()
    merge_records(trial(tmp_path), tmp_path / "out", shards)
    assert (tmp_path / "out" / "records.jsonl").read_bytes() == before
    assert compare(trial(tmp_path), tmp_path / "out").executed == 0
    assert len(pretend) == 10


def test_the_command_does_the_same(tmp_path, shards, capsys):
    status, out, err = run(
        capsys, "compare", str(trial(tmp_path)), "-o", str(tmp_path / "a"), "--merge", *map(str, shards)
    )
    found = merge_records(trial(tmp_path), tmp_path / "b", shards)
    assert (status, err) == (0, "")
    assert out == f"{found.summary()}\n".replace(str(tmp_path / "b"), str(tmp_path / "a"))
    assert out.startswith("trial: 10 of 10 runs recorded\n")


def test_a_run_has_one_record_the_first(tmp_path):
    """The folder's own before those of others, these in the order in which they are given."""
    path = trial(tmp_path, "1..2")
    first, second, own = (compare(path, tmp_path / name) for name in ("first", "second", "own"))
    merge_records(path, tmp_path / "new", [second.folder, first.folder])
    assert seconds(records_of(tmp_path / "new")) == seconds(second.records)
    merge_records(path, own.folder, [first.folder, second.folder])
    assert seconds(records_of(own.folder)) == seconds(own.records)


def test_what_is_missing_is_said_and_can_be_run(tmp_path, shards):
    found = merge_records(trial(tmp_path), tmp_path / "new", shards[1:])
    assert not found.complete
    assert found.summary().startswith(f"trial: {len(found.records)} of 10 runs recorded\n")
    rest = compare(trial(tmp_path), tmp_path / "new")
    assert (rest.executed, rest.complete) == (10 - len(found.records), True)


def test_records_of_other_runs_of_the_experiment_are_kept_but_not_shown(tmp_path):
    """Such as those made before an update of a library."""
    older = compare(trial(tmp_path, "1..3"), tmp_path / "older").folder
    found = merge_records(trial(tmp_path, "3..4"), tmp_path / "new", [older])
    assert (len(found.records), found.others, len(records_of(tmp_path / "new"))) == (2, 4, 6)


def test_another_experiment_is_refused_before_anything_is_written(tmp_path, shards):
    """Its records would never be shown."""
    other = compare(written(tmp_path, part(), name="other\x1b"), tmp_path / "other").folder
    with pytest.raises(InstanceError, match=r"other: has records of the experiment 'other\\x1b', not 'trial'$"):
        merge_records(trial(tmp_path), tmp_path / "new", [*shards, other])
    assert not (tmp_path / "new").exists()


def test_a_folder_without_records_is_refused_but_not_an_empty_shard(tmp_path, shards):
    """A wrong path must not look like a shard that had nothing to do."""
    empty = compare(trial(tmp_path), tmp_path / "out", shard="9/9").folder
    assert records_of(empty) == []
    with pytest.raises(InstanceError, match=r"nowhere: there are no records of jigsat compare"):
        merge_records(trial(tmp_path), tmp_path / "new", [*shards, tmp_path / "nowhere"])
    assert merge_records(trial(tmp_path), tmp_path / "new", [empty, *shards]).complete


def test_a_torn_record_is_not_merged(tmp_path, shards):
    """The shard makes the run again."""
    file = shards[0] / "records.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    before = file.read_bytes()
    assert len(merge_records(trial(tmp_path), tmp_path / "new", shards).records) == 9
    assert file.read_bytes() == before
    assert len(records_of(tmp_path / "new")) == 9


def test_standard_input_is_refused(tmp_path, shards):
    with pytest.raises(UsageError, match=r"^experiment: give a file or a bundled experiment, not standard input$"):
        merge_records("-", tmp_path / "new", shards)


@pytest.mark.parametrize("option", ["--shard=1/2", "--cluster=local:1", "--dry-run", "--report"])
def test_merging_runs_nothing(option, tmp_path, shards, capsys):
    words = ["compare", str(trial(tmp_path)), "-o", str(tmp_path / "new"), option, "--merge", *map(str, shards)]
    status, out, err = run(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "--merge" in err
    assert not (tmp_path / "new").exists()
