"""The check of a proof, step by step: what it says and counts, where it can be stopped, what drat-trim is given."""

import os
from types import SimpleNamespace

import dratify
import pytest

from jigsat.models.proofs import check_proof as module
from jigsat.models.proofs import clause_lines
from jigsat.models.proofs.check_proof import check_proof

GOOD_CNF = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"
GOOD_PROOF = "1 0\n0\n"
RUP = "every lemma is RUP, the last one is empty"


@pytest.fixture
def check(monkeypatch, tmp_path):
    """Checks a proof with the programs in a folder, at first none; the files are named without their folder."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    def checked(cnf=GOOD_CNF, proof=GOOD_PROOF, must_stop=lambda: False):
        paths = tmp_path / "cnf", tmp_path / "proof"
        for path, text in zip(paths, (cnf, proof), strict=True):
            path.write_text(text)
        verdict = check_proof(*paths, must_stop)
        return verdict, verdict.reason.replace(f"{tmp_path}{os.sep}", "")

    return checked


@pytest.fixture
def drat_trim(tmp_path):
    """Puts a program of this name in its place: a shell script, whose folder is `$here`."""

    def install(script, shell="/bin/sh"):
        path = tmp_path / "bin" / "drat-trim"
        path.write_text(f"#!{shell}\nhere='{tmp_path}'\n{script}\n")
        path.chmod(0o755)

    return install


def header(text):
    return GOOD_CNF.replace("p cnf 2 4", text)


@pytest.mark.parametrize(
    ("cnf", "reason"),
    [
        ("", "cnf: no line `p cnf VARIABLES CLAUSES`"),
        (header("p wcnf 2 4"), "cnf: line 1: expected `p cnf VARIABLES CLAUSES`, found p wcnf 2 4"),
        ("c x\n\n\n", "cnf: no line `p cnf VARIABLES CLAUSES`"),
        ("c x\n\n1 0\n", "cnf: line 3: expected `p cnf VARIABLES CLAUSES`, found 1 0"),
        (GOOD_CNF + "1 x 0\n", "cnf: line 6: not a clause that ends with 0: 1 x 0"),
        (header("p cnf 2 3"), "cnf: the header announces 3 clauses, there are 4"),
        (header("p cnf 1 4"), "cnf: the header announces 1 variables, there is a variable 2"),
        (header("p cnf 4194305 4"), "cnf: 4194305 variables, more than the 4194304 that can be checked"),
    ],
)
def test_why_a_formula_is_not_accepted(cnf, reason, check):
    verdict, said = check(cnf)
    assert (said, verdict.accepted, verdict.lemmas, verdict.checkers) == (reason, False, 0, ())


@pytest.mark.parametrize(
    ("proof", "lemmas", "reason"),
    [
        ("1 0\n", 0, "proof: the empty clause is not derived"),
        ("1 0\nx 0\n0\n", 0, "proof: line 2: not a clause that ends with 0: x 0"),
        ("1 0\nd 4194305 0\n0\n", 0, "proof: line 2: a variable greater than 4194304"),
        ("d 1 0\n3 0\n-3 0\n0\n", 3, "dratify: the lemma of line 3 is neither RUP nor RAT"),
        ("0\n", 1, "dratify: the lemma of line 1 is neither RUP nor RAT"),
    ],
)
def test_why_a_proof_is_not_accepted(proof, lemmas, reason, check):
    verdict, said = check(proof=proof)
    assert (said, verdict.accepted, verdict.lemmas) == (reason, False, lemmas)


@pytest.mark.parametrize(
    ("proof", "lemmas", "reason"),
    [
        (GOOD_PROOF, 2, RUP),
        ("1 0\n0\n1 0\nd 1 2 0\n", 3, RUP),
        ("d 2 3 0\n1 0\nd 1 0\n0\n", 2, RUP),
        # Without the clause that was deleted the lemma does not follow.
        ("d 1 2 0\n1 0\n0\n", 2,
         "every lemma is RUP, or RAT with no clause deleted (0 of them); the last one is empty"),
        ("3 4 0\n-3 -4 0\n1 0\n0\n", 4,
         "every lemma is RUP, or RAT with no clause deleted (2 of them); the last one is empty"),
    ],
)  # fmt: skip
def test_why_a_proof_is_accepted(proof, lemmas, reason, check):
    verdict, said = check(proof=proof)
    assert (said, verdict.accepted, verdict.lemmas) == (reason, True, lemmas)
    assert verdict.checkers == (f"dratify {dratify.__version__}",)


def test_the_greatest_variable_that_can_be_checked(check, monkeypatch):
    monkeypatch.setattr(module, "_MOST_VARIABLES", 2)
    assert check(proof="1 2 0\n1 0\n0\n")[0].accepted
    assert check(header("p cnf 3 4"))[1] == "cnf: 3 variables, more than the 2 that can be checked"
    assert check(proof="-3 0\n0\n")[1] == "proof: line 1: a variable greater than 2"


def test_the_seconds_are_those_of_the_check(check, monkeypatch):
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=iter([5.0, 7.5]).__next__))
    assert check()[0].seconds == 2.5


@pytest.mark.parametrize("rat", [False, True])
def test_a_check_can_be_stopped_whenever_it_asks(rat, check, monkeypatch):
    """It asks at each block of lines, of one line here, and then every 4 clauses and 3 steps."""
    monkeypatch.setattr(clause_lines, "_BLOCK", 1)
    monkeypatch.setattr(module, "_LINES_UNASKED", 4)
    monkeypatch.setattr(module, "_STEPS_UNASKED", 3)
    first = "3 4 0\n" if rat else "1 2 0\n"
    proof = f"{first}d 1 2 3 0\n1 2 -2 0\n1 0\n2 -2 0\n2 1 -2 0\n0\n"
    asked = []
    for stop_at in range(20):
        asked.clear()

        def must_stop(stop_at=stop_at):
            asked.append(len(asked))
            return len(asked) == stop_at + 1

        verdict, reason = check(proof=proof, must_stop=must_stop)
        if len(asked) <= stop_at:
            break
        assert (verdict.accepted, reason, verdict.lemmas) == (False, "stopped before the check was complete", 6)
        assert asked[-1] == stop_at
    assert verdict.accepted
    # Of four lines after the header, seven lines, four clauses, seven steps; and at the first step that is not RUP.
    assert len(asked) == 4 + 7 + 1 + 3 + rat


def test_drat_trim_reads_what_was_read_here(check, drat_trim, tmp_path):
    drat_trim('while read -r line; do echo "$line"; done <"$1" >"$here/f"; '
              'while read -r line; do echo "$line"; done <"$2" >"$here/p"; echo "s VERIFIED"')  # fmt: skip
    verdict, reason = check("c x\n\n" + GOOD_CNF, " 1 0 \nd 1 2 0\n0")
    assert (verdict.accepted, reason) == (True, RUP)
    assert verdict.checkers == (f"dratify {dratify.__version__}", "drat-trim")
    assert (tmp_path / "f").read_text() == GOOD_CNF
    assert (tmp_path / "p").read_text() == "1 0\nd 1 2 0\n0\n"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 's NOT VERIFIED'; echo 's VERIFIED'", "drat-trim: s NOT VERIFIED"),
        ("exit 3", "drat-trim: no verdict, exit 3"),
        ("kill -9 $$", "drat-trim: no verdict, exit -9"),
        (r"printf '\377\n'; echo 's VERIFIED'", RUP),
        # Ctrl-C goes to a process group; the program is in one of its own.
        ("read -r pid name state parent group rest </proc/$$/stat && test $group = $$ && echo 's VERIFIED'", RUP),
    ],
)
def test_what_drat_trim_says(script, reason, check, drat_trim):
    if "/proc" in script and not os.path.exists("/proc/self/stat"):
        pytest.skip("there is no /proc")
    drat_trim(script)
    assert check()[1] == reason


def test_drat_trim_says_nothing_to_the_user(check, drat_trim, capfd):
    drat_trim("echo a; echo b >&2; echo 's VERIFIED'")
    assert check()[0].accepted
    assert capfd.readouterr() == ("", "")


def test_drat_trim_cannot_be_run(check, drat_trim):
    drat_trim("", shell="/nowhere/sh")
    verdict, reason = check()
    assert (verdict.accepted, reason) == (False, "drat-trim: cannot be run: No such file or directory")
    assert verdict.checkers == (f"dratify {dratify.__version__}",)


def test_drat_trim_may_take_its_time_and_can_be_stopped(check, drat_trim, tmp_path, monkeypatch):
    """It waits for a file that is there when it has been asked for the third time whether to stop."""
    monkeypatch.setattr(module, "_WAIT_SECONDS", 0.01)
    drat_trim('echo $$ >"$here/pid"; until test -e "$here/go"; do :; done; echo "s VERIFIED"')
    asked = []

    def goes_on():
        asked.append((tmp_path / "pid").exists())
        if sum(asked) == 3:
            (tmp_path / "go").touch()
        return False

    assert check(must_stop=goes_on)[0].accepted
    for name in ("go", "pid"):
        (tmp_path / name).unlink()
    verdict, reason = check(must_stop=lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
    assert (verdict.accepted, reason) == (False, "stopped before the check was complete")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
