"""Experiments from Python: the same as from the shell, what is reported, and the table of pandas."""

import json
from contextlib import contextmanager

import pytest

from command_line import run
from experiment_texts import TINY, part, pretended, records_of, written
from jigsat.api.compare import compare
from jigsat.api.merge import merge
from jigsat.csp.base.errors import InstanceError, UsageError
from jigsat.csp.work import cluster
from jigsat.csp.work.pools import Threads
from jigsat.estimators.experiments.records import COPY, NAME


@pytest.fixture(autouse=True)
def pretend(monkeypatch):
    return pretended(monkeypatch.setattr)


def trial(folder):
    return written(folder, part("backtrack", "cpsat", instances=[{**TINY, "seeds": [1, 2]}]))


@pytest.mark.some_cases(1)
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
        assert found._repr_mimebundle_()["text/html"].startswith("<pre>")
    if not options:
        assert "Nothing new was run: all 4 runs are recorded." in found.summary()
        # The same fields in the same order, too.
        lines = (mine / COPY).read_text()
        assert lines == (other / COPY).read_text()
        assert [json.dumps(each) for each in found.records] == [json.dumps(json.loads(x)) for x in lines.splitlines()]


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
    found.plot(tmp_path / "solved.svg")


def test_parts_have_books_of_their_own_and_know_the_merged_ones(tmp_path, pretend):
    path, out = trial(tmp_path), tmp_path / "out"
    first, second = (compare(path, out, part=f"{number}/2") for number in (1, 2))
    assert (first.book, first.page, first.executed, first.complete) == (out / "part-1-of-2.book", None, 2, True)
    assert sorted(out.iterdir()) == [first.book, second.book]
    assert first.summary().endswith(f"Records of this part: {first.book}, to be merged with those of the other parts.")
    assert "Nothing new was run: all 2 runs are recorded." in compare(path, out, part="1/2").summary()
    assert merge([first.book, second.book, first.book], out / NAME).entries == 4
    found = compare(path, out)
    assert (found.executed, found.complete, found.others) == (0, True, 0)
    assert records_of(out) == [*first.records, *second.records]
    again = compare(path, out, part="1/1")
    assert (again.executed, len(again.records), len(pretend)) == (0, 4, 4)


def test_damage_is_told_and_what_is_lost_is_made_again(tmp_path):
    found = compare(trial(tmp_path), tmp_path / "out")
    found.book.write_bytes(found.book.read_bytes()[:-700])
    with pytest.warns(UserWarning, match=r"records.book: was damaged; \d entries were kept"):
        again = compare(trial(tmp_path), tmp_path / "out")
    assert again.complete
    assert 0 < again.executed < 4


def test_runs_on_a_cluster_are_recorded_by_the_caller(tmp_path, monkeypatch):
    """What the cluster hands out are the missing runs; each takes one thread, whatever it uses."""
    asked = []

    @contextmanager
    def pool(address, make, *, security, dashboard, floors):
        asked.append((address, security, dashboard))
        yield Threads(make(), 1)

    monkeypatch.setattr(cluster, "dask_pool", pool)
    wide = part({"engine": "cpsat", "threads": 2}, instances=[{**TINY, "seeds": [1, 2]}], goal="solve")
    path = written(tmp_path, wide)
    found = compare(path, tmp_path / "out", cluster="local:3", cluster_dashboard=8080)
    assert (asked, found.executed) == ([("local:3", None, 8080)], 2)


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        ({"jobs": 0}, ("jobs",)),
        ({"report_only": True, "dry_run": True}, ("report_only", "dry_run")),
        ({"report_only": True, "part": "1/2"}, ("report_only", "part")),
        ({"jobs": 2, "cluster": "local:2"}, ("jobs", "cluster")),
        ({"part": "3/2"}, ("part",)),
        ({"cluster_security": "keys.yaml"}, ("cluster_security",)),
        ({"cluster_dashboard": 8787}, ("cluster_dashboard",)),
        ({"report_only": True, "cluster": "local:2"}, ("report_only", "cluster")),
        ({"jobs": "2"}, ("jobs",)),
        ({"sample": "1"}, ("sample",)),
        ({"part": 1}, ("part",)),
    ],
)
def test_misuse(tmp_path, options, refused):
    with pytest.raises(UsageError) as error:
        compare(trial(tmp_path), tmp_path / "out", **options)
    assert error.value.options == refused
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["report.html", "figures", "records.jsonl"])
def test_a_report_of_something_else_is_kept(tmp_path, pretend, name):
    (tmp_path / "mine" / name).mkdir(parents=True)
    with pytest.raises(InstanceError, match=f"{name}: exists without records.book; move it away or give another"):
        compare(trial(tmp_path), tmp_path / "mine")
    assert (pretend, [path.name for path in (tmp_path / "mine").iterdir()]) == ([], [name])
