"""`jigsat certify`: exactly K solutions, proved, and proofs judged on another machine."""

import contextlib
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import jigsat as js
from command_line import COMMAND, interrupted_in_turn, run
from jigsat.cli.main import main
from jigsat.csp.files.instances import read_squares, save
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
def here(proved, tmp_path, monkeypatch):
    """Another folder with copies of the four files, to work in."""
    shutil.copytree(proved, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def unsolvable(tmp_path):
    """An edge-matching puzzle without solutions."""
    text = {"format": "jigsat/1", "kind": "edge-matching", "name": "no", "rows": 1, "columns": 2}
    (tmp_path / "no.json").write_text(json.dumps({**text, "pieces": [[0, 1, 0, 0], [0, 2, 0, 0]]}))
    return str(tmp_path / "no.json")


def refused(capsys, *arguments):
    """The one line of a command that does nothing."""
    before = sorted(path.name for path in Path().iterdir())
    status, out, err = run(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("jigsat")
    assert "Traceback" not in err
    assert sorted(path.name for path in Path().iterdir()) == before
    return err


def judged(capsys, page="proof.json", puzzle="jigsaw.json"):
    """Whether a certificate is accepted, and why; `check` must say the same as `certify --verify`."""
    status, out, err = run(capsys, "certify", puzzle, "--verify", page, "--json")
    again = run(capsys, "check", puzzle, page, "--json")
    assert again[0] == status
    if status == 2:
        assert (out, err.count("\n"), again[1:]) == ("", 1, ("", err))
        return None, err
    records = [json.loads(text) for text in (out, again[1])]
    assert err == again[2] == ""
    for record in records:
        record.pop("seconds", None)
    assert records[0] == records[1]
    assert status == (0 if records[0]["accepted"] else 1)
    return records[0]["accepted"], records[0]["reason"]


@pytest.mark.some_cases(2)
@pytest.mark.parametrize(
    ("wanted", "status", "head", "answer"),
    [
        (2, 0, "exactly 2 solutions, proved", "exactly"),
        (1, 1, "at least 2 solutions, more than 1", "more"),
        (0, 1, "at least [12] solutions?, more than 0", "more"),
        (3, 1, "exactly 2 solutions, not 3", "fewer"),
        ("1e9", 1, "exactly 2 solutions, not 1 000 000 000", "fewer"),
    ],
)
def test_as_many_more_and_fewer(capsys, here, wanted, status, head, answer):
    """Would catch a claim that passes for proved, and words or a record that say something else."""
    got, out, err = run(capsys, "certify", "jigsaw.json", "--solutions", str(wanted))
    assert (got, err) == (status, "")
    assert re.match(f"perfect 5x5 jigsaw, 2 solutions, seed 1: jigsaw puzzle, {head}\n", out)
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
        assert record["solutions"] == [[[list(s) for s in row] for row in board] for board in _assemblies(here)]
        assert record["proof"]["checked"] is True
        assert record["proof"]["checkers"]
        assert "file" not in record["proof"]
    assert sorted(path.name for path in here.iterdir()) == ["jigsaw.json", *CERTIFICATE]


def _assemblies(folder):
    return json.loads((folder / "jigsaw.json").read_text())["assemblies"]


def test_assemblies_are_found_where_the_file_has_none(capsys, here):
    """Would catch a certificate that believes what a file says, or that needs it."""
    save(replace(read_squares("jigsaw.json"), assemblies=()), "bare.json")
    status, out, _ = run(capsys, "certify", "bare.json", "--solutions", "2", "--json", "--proof", "mine")
    record = json.loads(out)
    assert (status, record["answer"], record["canonical_count"]) == (0, "exactly", 2)
    assert record["proof"]["file"] == "mine"
    # Assemblies do not belong to what a puzzle is, so the certificates are good for both files.
    for page in ("mine.json", "proof.json"):
        for puzzle in ("bare.json", "jigsaw.json"):
            assert judged(capsys, page, puzzle)[0] is True
    save(replace(read_squares("jigsaw.json"), assemblies=read_squares("jigsaw.json").assemblies[1:] * 3), "odd.json")
    status, out, _ = run(capsys, "certify", "odd.json", "--solutions", "2", "--json")
    assert (status, json.loads(out)["canonical_count"]) == (0, 2)


def test_an_assembly_that_is_none_is_refused(capsys, here):
    """Would catch a board that counts as a solution only because the file lists it."""
    data = json.loads((here / "jigsaw.json").read_text())
    data["assemblies"][1][2][2][1] += 1
    (here / "wrong.json").write_text(json.dumps(data))
    assert re.search("assembly 2 is not a solution", refused(capsys, "certify", "wrong.json", "--solutions", "2"))


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("encoding", ["bits", "direct", "seams", "pairs", "diamond", "direct+parity"])
def test_encodings(capsys, here, encoding):
    """Would catch an encoding whose certificate is not its own, or that has other solutions."""
    command = ["certify", "jigsaw.json", "--solutions", "2", "--encoding", encoding, "--proof", "mine", "--json"]
    status, out, _ = run(capsys, *command)
    assert (status, json.loads(out)["encoding"]) == (0, encoding)
    assert json.loads((here / "mine.json").read_text())["encoding"] == encoding
    assert judged(capsys, "mine.json")[0] is True


@pytest.mark.parametrize("solver", ["glucose4", "lingeling"])
def test_solvers(capsys, here, solver):
    """Would catch a solver whose proof is not understood."""
    assert run(capsys, "certify", "jigsaw.json", "--solutions", "2", "--solver", solver, "--proof", "mine")[0] == 0
    assert json.loads((here / "mine.json").read_text())["solver"] == solver
    assert judged(capsys, "mine.json")[0] is True


def test_a_puzzle_without_solutions(capsys, unsolvable, tmp_path, monkeypatch):
    """Would catch a certificate of none that is not one: that there is no solution at all."""
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "certify", unsolvable, "--solutions", "0", "--proof", "proof")
    assert (status, err) == (0, "")
    assert out.startswith("no: edge-matching puzzle, exactly 0 solutions, proved\n")
    assert "encoding direct" in out
    assert "has no solution" in out
    assert judged(capsys, puzzle=unsolvable)[0] is True
    status, out, _ = run(capsys, "certify", unsolvable, "--solutions", "1", "--json")
    assert (status, json.loads(out)["answer"], json.loads(out)["solutions"]) == (1, "fewer", [])


def test_edge_matching_puzzles_are_counted_as_count_does(capsys, tmp_path, monkeypatch):
    """Would catch solutions that a turn, a swap or a symmetric piece makes twice."""
    monkeypatch.chdir(tmp_path)
    names = ["--rows=3", "--columns=3", "--frame-colors=2", "--inner-colors=2", "--seed=2", "-o", "made.json"]
    assert run(capsys, "make", "edge-matching", *names)[0] == 0
    number = json.loads(run(capsys, "count", "made.json", "--json")[1])["canonical_count"]
    assert number > 0
    for wanted, status in ((number, 0), (number - 1, 1), (number + 1, 1)):
        assert run(capsys, "certify", "made.json", "--solutions", str(wanted), "--proof", "proof")[0] == status
    assert judged(capsys, puzzle="made.json")[0] is True
    refusal = refused(capsys, "certify", "made.json", "--solutions", "1", "--encoding", "bits")
    assert "bits: it is for jigsaws" in refusal


@pytest.mark.slow
def test_on_another_machine(here):
    """Would catch a certificate that hangs on paths, or on what else lies where it was made."""
    command = [*COMMAND, "certify", "copy/jigsaw.json", "--verify", "copy/proof.json"]
    done = subprocess.run(command, cwd=here.parent, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third = done.stdout.splitlines()
    assert "the certificate states: The jigsaw puzzle 'perfect 5x5" in first
    assert second.startswith("  proved, checked by ")
    assert third.startswith("  formula: the second encoder makes the same ")
    text = Path(here, "proof.json").read_text() + Path(here, "proof.cnf").read_text()
    assert str(here.parents[1]) not in text


def test_what_is_not_proved_is_not_accepted(capsys, here):
    """Would catch a check that passes without looking: each file changed a little."""
    whole = {name: (here / name).read_bytes() for name in CERTIFICATE}
    page = json.loads(whole["proof.json"])
    states = page["states"].replace("exactly 2 solutions: the 2 that are", "exactly 1 solution: the one that is")
    board = page["excluded"][0]
    changes = {
        "one solution less": {"excluded": page["excluded"][:1], "states": states},
        "one solution twice": {"excluded": [board, board]},
        "one solution turned": {"excluded": [board, [[[p, (r + 1) % 4] for p, r in row] for row in board]]},
        "two pieces swapped": {"excluded": [board, [board[1], board[0], *board[2:]]]},
        "no solution": {"excluded": [], "states": "The puzzle has no solution."},
        "other words": {"states": page["states"].replace("exactly 2", "exactly 3")},
        "another hash": {"formula": {"file": "proof.cnf", "sha256": "0" * 64}},
        "another encoding": {"encoding": "direct"},
        "the proof for the formula": {"formula": page["proof"]},
    }
    for what, change in changes.items():
        assert {**page, **change} != page, what
        (here / "proof.json").write_text(json.dumps({**page, **change}))
        accepted, _ = judged(capsys)
        assert accepted is False, what
    (here / "proof.json").write_bytes(whole["proof.json"])
    for name in ("proof", "proof.cnf"):
        for size in (0, 1, len(whole[name]) // 2, len(whole[name]) - 3):
            (here / name).write_bytes(whole[name][:size])
            accepted, reason = judged(capsys)
            assert accepted is False
            assert "not the file that was written with the page" in reason
        (here / name).write_bytes(whole[name])
    assert judged(capsys)[0] is True


def test_whoever_forges_the_hashes_too_is_found_out(capsys, here):
    """Would catch a check that compares hashes and nothing else."""
    import hashlib

    whole = (here / "proof").read_text().splitlines(keepends=True)
    page = json.loads((here / "proof.json").read_text())
    # A proof with a hole, one without its end, and one that claims to be at its end.
    for lines in (whole[:-1], ["0\n"], whole[:1], []):
        (here / "proof").write_text("".join(lines))
        page["proof"]["sha256"] = hashlib.sha256((here / "proof").read_bytes()).hexdigest()
        (here / "proof.json").write_text(json.dumps(page))
        assert judged(capsys)[0] is False
    (here / "proof").write_text("".join(whole))
    page["proof"]["sha256"] = hashlib.sha256((here / "proof").read_bytes()).hexdigest()
    # A formula that nothing satisfies has an easy proof, and is not the formula of the claim.
    formula = (here / "proof.cnf").read_text()
    head = re.search(r"(?m)^p cnf (\d+) (\d+)$", formula)
    (here / "proof.cnf").write_text(
        formula.replace(head[0], f"p cnf {head[1]} {int(head[2]) + 2}").rstrip("\n") + "\n1 0\n-1 0\n"
    )
    page["formula"]["sha256"] = hashlib.sha256((here / "proof.cnf").read_bytes()).hexdigest()
    (here / "proof.json").write_text(json.dumps(page))
    accepted, reason = judged(capsys)
    assert accepted is False
    assert "is not the formula of this claim" in reason


def test_a_proof_of_another_certificate_is_not_accepted(capsys, here):
    """Would catch files of two certificates that are mixed up."""
    save(search_jigsaw(JigsawWishes(5, 5, seed=2)).puzzle, "other.json")
    assert run(capsys, "certify", "other.json", "--solutions", "2", "--proof", "theirs")[0] == 0
    for puzzle, page in (("other.json", "proof.json"), ("jigsaw.json", "theirs.json")):
        accepted, err = judged(capsys, page, puzzle)
        assert accepted is None
        assert "the certificate is of another puzzle" in err
    shutil.copy("theirs", "proof")
    assert judged(capsys) == (False, "the formula or the proof is not the file that was written with the page")


def test_one_side_flipped_is_another_jigsaw(capsys, here):
    """Would catch a certificate that is good for a puzzle that it does not prove anything of."""
    data = json.loads((here / "jigsaw.json").read_text())
    data["pieces"][7][0] *= -1
    del data["assemblies"]
    (here / "flipped.json").write_text(json.dumps(data))
    accepted, err = judged(capsys, puzzle="flipped.json")
    assert accepted is None
    assert "the certificate is of another puzzle" in err


@pytest.mark.parametrize("missing", CERTIFICATE)
def test_missing_files_are_named(capsys, here, missing):
    """Would catch a certificate that passes with a part of it gone, and a traceback."""
    (here / missing).unlink()
    accepted, err = judged(capsys)
    assert accepted is None
    assert re.fullmatch(rf"jigsat: .*{re.escape(missing)}: cannot be read: No such file or directory\n", err)


PAGES = {
    "the proof": (lambda folder: (folder / "proof").read_text(), r"not a certificate: [^:]"),
    "the formula": (lambda folder: (folder / "proof.cnf").read_text(), r"not a certificate: [^:]"),
    "the jigsaw": (lambda folder: (folder / "jigsaw.json").read_text(), "not a certificate: format: "),
    "empty": (lambda _: "", "is empty|not a certificate: [^:]"),
    "a list": (lambda _: "[]", "not a certificate: [^:]"),
    "cut short": (lambda folder: (folder / "proof.json").read_text()[:300], "not a certificate: [^:]"),
    "a later format": (
        lambda folder: (folder / "proof.json").read_text().replace("certificate/1", "certificate/2"),
        "not a certificate: format: ",
    ),
    "a path": (
        lambda folder: (folder / "proof.json").read_text().replace('"proof.cnf"', '"../copy/proof.cnf"'),
        "must be in the same folder",
    ),
}


@pytest.mark.parametrize("what", PAGES)
def test_pages_that_are_no_certificate(capsys, here, what):
    """Would catch a traceback, or a line without the place and the cause."""
    text, message = PAGES[what]
    (here / "page.json").write_text(text(here))
    err = refused(capsys, "certify", "jigsaw.json", "--verify", "page.json")
    assert re.match("jigsat: page.json: ", err)
    assert re.search(message, err), err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["jigsaw.json"], "--solutions --verify is required"),
        (["jigsaw.json", "--solutions"], "expected one argument"),
        (["jigsaw.json", "--solutions", "-1"], "'-1' is not a whole number"),
        (["jigsaw.json", "--solutions", "1.5"], "'1.5' is not a whole number"),
        (["jigsaw.json", "--solutions", "x"], "'x' is not a whole number"),
        (["jigsaw.json", "--solutions", "1e30"], "'1e30' is not a whole number"),
        (["jigsaw.json", "--solutions", "2", "--verify", "proof.json"], "not allowed with --solutions"),
        (["jigsaw.json", "--verify", "proof.json", "--proof", "mine"], "--verify and --proof: "),
        (["jigsaw.json", "--verify", "proof.json", "--encoding", "bits"], "--verify and --encoding: "),
        (["jigsaw.json", "--verify", "proof.json", "--solver", "glucose4"], "--verify and --solver: "),
        (["jigsaw.json", "--verify", "proof.json", "--time-limit", "1"], "--verify and --time-limit: "),
        (["jigsaw.json", "--verify", "nowhere.json"], "nowhere.json: cannot be read"),
        (["jigsaw.json", "--verify", "."], r"\.: cannot be read: Is a directory"),
        (["nowhere.json", "--solutions", "2"], "nowhere.json: "),
        (["clue3", "--verify", "proof.json"], "another puzzle"),
        (["jigsaw.json", "--solutions", "2", "--proof", "jigsaw.json"], "jigsaw.json: is also the input file"),
        (["jigsaw.json", "--solutions", "2", "--proof", "jigsaw"], "jigsaw.json: is also the input file"),
        (["jigsaw.json", "--solutions", "2", "--proof", "nowhere/mine"], "there is no folder nowhere"),
        (["jigsaw.json", "--solutions", "2", "--proof", "-"], "cannot be written to standard output"),
        (["jigsaw.json", "--solutions", "2", "--proof", "."], "is a folder"),
        (["jigsaw.json", "--solutions", "2", "--proof", "jigsaw.json/mine"], "cannot be written"),
        (["jigsaw.json", "--solutions", "2", "--encoding", "runes"], "encoding:? 'runes'"),
        (["jigsaw.json", "--solutions", "2", "--encoding", ""], "encoding"),
        (["clue3", "--solutions", "2", "--encoding", "bits"], "bits: it is for jigsaws"),
        (["jigsaw.json", "--solutions", "2", "--solver", "abacus"], "the solver 'abacus' writes no proofs"),
        (["jigsaw.json", "--solutions", "2", "--solver", "minisat22"], "writes no proofs"),
        (["jigsaw.json", "--solutions", "2", "--solver", ""], "the solver '' writes no proofs"),
        (["jigsaw.json", "--solutions", "2", "--time-limit", "-1"], "'-1' is not a time"),
        (["jigsaw.json", "--solutions", "2", "--time-limit", "nan"], "'nan' is not a time"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(capsys, here, arguments, message):
    """Would catch tracebacks, files left behind, and work that is done before it is refused."""
    assert re.search(message, refused(capsys, "certify", *arguments))


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="a folder in which no one may write")
def test_a_folder_that_may_not_be_written(capsys, here):
    """Would catch a traceback after the search, and a status of success."""
    status, out, err = run(capsys, "certify", "jigsaw.json", "--solutions", "2", "--proof", "/proc/mine")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("jigsat: /proc/mine: cannot be written: ")


def test_no_time_is_undecided(capsys, here):
    """Would catch a limit that is taken for a proof."""
    status, out, err = run(capsys, "certify", "jigsaw.json", "--solutions", "2", "--time-limit", "0", "--proof", "mine")
    assert (status, err) == (1, "")
    assert "at least 2 solutions, undecided: the time limit was reached" in out
    status, out, _ = run(capsys, "certify", "jigsaw.json", "--solutions", "2", "--time-limit", "0", "--json")
    record = json.loads(out)
    assert (status, set(record)) == (1, KEYS)
    assert (record["answer"], record["proved"], record["complete"]) == ("undecided", False, False)
    assert (record["ended_by"], record["proof"]) == ("time", None)
    assert sorted(path.name for path in here.iterdir()) == ["jigsaw.json", *CERTIFICATE]


def test_ctrl_c(tmp_path, monkeypatch):
    """Would catch a traceback, a solver left running, and a status that does not show it."""
    monkeypatch.chdir(tmp_path)
    command = (
        "jigsat.csp.base.stop:Stop.__call__:3",
        "certify",
        "puzzle-c",
        "--solutions",
        "100",
        "--proof",
        "mine",
    )
    (text, quiet), (out, still) = interrupted_in_turn(("process", *command), ("group", *command, "--json"))
    assert quiet == still == ""
    assert (json.loads(out)["answer"], json.loads(out)["ended_by"]) == ("undecided", "interrupt")
    assert re.search("undecided: interrupted\n", text)
    assert list(tmp_path.iterdir()) == []


def test_the_proof_for_verified_checkers(tmp_path, capsys, monkeypatch):
    """Of a certificate that is made, and of one that is judged; nothing of it is overwritten."""
    monkeypatch.chdir(tmp_path)
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


@pytest.mark.parametrize(
    ("wanted", "status", "head"),
    [
        (2, 0, "exactly 2 solutions, by search only"),
        (3, 1, "exactly 2 solutions, not 3, by search only"),
        (1, 1, "at least 2 solutions, more than 1"),
    ],
)
def test_without_a_proof(capsys, here, wanted, status, head):
    """Would catch a count that passes for proved."""
    got, out, err = run(capsys, "certify", "perfect-5x5", "--solutions", str(wanted), "--by-search")
    assert (got, err) == (status, "")
    line = r"  search           \d+ nodes of the engine most-constrained; there is no proof"
    assert re.fullmatch(f"perfect-5x5: jigsaw puzzle, {head}\n{line}\n", out)
    found = js.certify(js.read("perfect-5x5"), wanted, by_search=True)
    record = json.loads(run(capsys, "certify", "perfect-5x5", f"--solutions={wanted}", "--by-search", "--json")[1])
    assert record == json.loads(json.dumps(found.record()))
    assert (record["proved"], record["proof"], record["encoding"]) == (False, None, None)
    assert record["by_search"]["complete"] == (wanted != 1)
    assert set(record) == KEYS
    assert run(capsys, "certify", "perfect-5x5", "--solutions=2", "--by-search", "--proof=p")[::2] == (
        2, "jigsat: --by-search and --proof: a search makes no proof; omit the option\n",
    )  # fmt: skip


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
