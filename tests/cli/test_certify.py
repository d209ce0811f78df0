"""`jigsat certify`: exactly K solutions, proved, and proofs judged on another machine."""

import contextlib
import json
import re
import shutil
from pathlib import Path

import pytest

from command_line import interrupted_in_turn, run
from jigsat.cli.main import main
from jigsat.csp.files.instances import save
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.models.proofs import certify_exactly
from lrat_check import accepts

KEYS = {
    "instance", "kind", "wanted", "answer", "proved", "canonical_count", "complete", "ended_by", "encoding",
    "variables", "clauses", "by_search", "solutions", "proof",
}  # fmt: skip
CERTIFICATE = ("proof", "proof.cnf", "proof.json")


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """A folder with a jigsaw of two solutions and its certificate."""
    folder = tmp_path_factory.mktemp("proved")
    save(search_jigsaw(JigsawWishes(5, 5, seed=1)).puzzle, folder / "jigsaw.json")
    with contextlib.chdir(folder):
        assert main(["certify", "jigsaw.json", "--solutions", "2", "--proof", "proof"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["jigsaw.json", *CERTIFICATE]
    return folder


@pytest.fixture
def copies(proved, here):
    """Another folder with copies of the four files, to work in."""
    return shutil.copytree(proved, here, dirs_exist_ok=True)


def refused(capsys, *arguments):
    """The one line of a command that does nothing."""
    before = sorted(path.name for path in Path().iterdir())
    status, out, err = run(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("jigsat")
    assert "Traceback" not in err
    assert sorted(path.name for path in Path().iterdir()) == before
    return err


@pytest.mark.some_cases(2)
@pytest.mark.parametrize(
    ("wanted", "status", "head", "answer"),
    [
        (2, 0, "exactly 2 different solutions, proved", "exactly"),
        (1, 1, "at least 2 different solutions, more than 1", "more"),
        (0, 1, "at least (1 solution|2 different solutions), more than 0", "more"),
        (3, 1, "exactly 2 different solutions, not 3", "fewer"),
        ("1e9", 1, "exactly 2 different solutions, not 1 000 000 000", "fewer"),
    ],
)
def test_as_many_more_and_fewer(capsys, copies, wanted, status, head, answer):
    """Would catch a claim that passes for proved, and words or a record that say something else."""
    got, out, err = run(capsys, "certify", "jigsaw.json", "--solutions", str(wanted), "--verbose")
    assert (got, err) == (status, "")
    assert re.match(f"perfect 5x5 jigsaw, 2 solutions, seed 1: {head}", out)
    assert re.search(r"\n  formula +20 variables, [\d ]+ clauses, encoding bits\n", out)
    assert ("has exactly 2 solutions: the 2 that are listed" in out) == (answer != "more")
    got, out, err = run(capsys, "certify", "jigsaw.json", "--solutions", str(wanted), "--json")
    record = json.loads(out)
    assert (got, err, out.count("\n"), set(record)) == (status, "", 1, KEYS)
    assert (record["answer"], record["proved"], record["ended_by"]) == (answer, status == 0, None)
    assert (record["wanted"], record["kind"]) == (int(float(wanted)), "jigsaw")
    assert record["complete"] == (answer != "more")
    assert record["canonical_count"] == len(record["solutions"])
    if answer == "more":
        assert record["proof"] is None
    else:
        assert record["solutions"] == [[[list(s) for s in row] for row in board] for board in _assemblies(copies)]
        assert record["proof"]["checked"] is True
        assert record["proof"]["checkers"]
        assert "file" not in record["proof"]
    assert sorted(path.name for path in copies.iterdir()) == ["jigsaw.json", *CERTIFICATE]


def _assemblies(folder):
    return json.loads((folder / "jigsaw.json").read_text())["assemblies"]


def test_no_time_is_undecided(capsys, copies):
    """Would catch a limit that is taken for a proof."""
    status, out, err = run(capsys, "certify", "jigsaw.json", "--solutions", "2", "--time-limit", "0", "--proof", "mine")
    assert (status, err) == (1, "")
    assert "at least 2 different solutions, undecided: the time limit was reached" in out
    status, out, _ = run(capsys, "certify", "jigsaw.json", "--solutions", "2", "--time-limit", "0", "--json")
    record = json.loads(out)
    assert (status, set(record)) == (1, KEYS)
    assert (record["answer"], record["proved"], record["complete"]) == ("undecided", False, False)
    assert (record["ended_by"], record["proof"]) == ("time", None)
    assert sorted(path.name for path in copies.iterdir()) == ["jigsaw.json", *CERTIFICATE]


def test_ctrl_c(here):
    """Would catch a traceback, a solver left running, and a status that does not show it."""
    command = ("jigsat.csp.base.stop:Stop.__call__:3", "certify", "puzzle-c", "--solutions", "100", "--proof", "mine")
    (text, quiet), (out, still) = interrupted_in_turn(("process", *command), ("group", *command, "--json"))
    assert quiet == still == ""
    assert (json.loads(out)["answer"], json.loads(out)["ended_by"]) == ("undecided", "interrupt")
    assert re.search(r"undecided: interrupted\.\n", text)
    assert list(here.iterdir()) == []


def test_the_proof_for_verified_checkers(here, capsys):
    """Of a certificate that is made, and of one that is judged; nothing of it is overwritten."""
    made = ("certify", "perfect-5x5", "--solutions", "2", "--proof", "proof")
    assert run(capsys, *made, "--lrat", "made.lrat")[0] == 0
    assert run(capsys, "certify", "perfect-5x5", "--verify", "proof.json", "--lrat", "judged.lrat")[0] == 0
    formula = Path("proof.cnf").read_text()
    assert Path("made.lrat").read_text() == Path("judged.lrat").read_text()
    assert accepts(formula, Path("made.lrat").read_text())
    assert "give a file for this, too" in refused(capsys, *made[:4], "--lrat", "x.lrat")
    assert "would replace" in refused(capsys, *made, "--lrat", "./proof.cnf")
    assert "overwritten" in refused(capsys, "certify", "perfect-5x5", "--verify", "proof.json", "--lrat", "proof.cnf")
    assert Path("proof.cnf").read_text() == formula
    Path("proof").write_text("0\n")
    assert run(capsys, "certify", "perfect-5x5", "--verify", "proof.json", "--lrat", "no.lrat")[0] == 1
    assert not Path("no.lrat").exists()


def test_a_long_proof_is_foreseen(capsys, monkeypatch):
    """Would catch a long proof that begins without a warning, and a warning for a short one."""
    arguments = ("certify", "three-perfect-7x7", "--solutions", "3")
    assert run(capsys, *arguments)[::2] == (0, "")
    monkeypatch.setattr(certify_exactly, "_SHORT_SEARCH", 50)
    warning = "jigsat: the proof may take minutes or longer: a search"
    err = run(capsys, *arguments)[2]
    assert re.fullmatch(rf"{warning} takes \d+ nodes; --by-search counts without a proof\n", err)
    assert run(capsys, *arguments, "--quiet")[2] == ""
    monkeypatch.setattr(certify_exactly, "_TRIAL", 60)
    assert run(capsys, *arguments)[2] == f"{warning} is not complete after 60 nodes\n"
