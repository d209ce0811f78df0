"""Proofs of unsatisfiability: written, trimmed, checked; and above all, wrong ones rejected."""

import os
import random
import shutil
from itertools import count

import dratify
import pytest
from pysat.solvers import Solver

import brute_force_proof as brute
from jigsat.csp.base import safe_files
from jigsat.csp.base.errors import InstanceError
from jigsat.models.proofs import check_proof as module
from jigsat.models.proofs.check_proof import check_proof, write_proof
from jigsat.models.proofs.trim import trim_proof

SOLVERS = ("cadical195", "glucose4", "lingeling")
DRAT_TRIM = shutil.which("drat-trim")


@pytest.fixture(autouse=True)
def no_drat_trim(monkeypatch, tmp_path):
    """The verdicts must not depend on what is installed; the tests of drat-trim put one back."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


@pytest.fixture
def checked(tmp_path):
    """Checks a proof that is given as a list of lines; `files` are the formula and the proof that were written last."""
    numbers = count(1)  # to write over a file, one waits until it is on the disk

    def check(formula, lines):
        number = next(numbers)
        check.files = cnf, proof = tmp_path / f"{number}.cnf", tmp_path / f"{number}.drat"
        variables = max((abs(literal) for clause in formula for literal in clause), default=0)
        text = "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in formula)
        cnf.write_text(f"c a comment\np cnf {variables} {len(formula)}\n{text}")
        write_proof(proof, lines)
        return check_proof(cnf, proof)

    return check


def random_clauses(rng, variables, number):
    return [[rng.choice((1, -1)) * v for v in rng.sample(range(1, variables + 1), 3)] for _ in range(number)]


def pigeons(holes):
    """One pigeon more than there are holes."""
    sits = [[holes * pigeon + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    pairs = [(a, b) for a in range(holes + 1) for b in range(a)]
    return [*sits, *([-sits[a][hole], -sits[b][hole]] for a, b in pairs for hole in range(holes))]


def parity(length):
    """Each variable equals the next, but for the last, which differs from the first."""
    equal = [clause for v in range(1, length) for clause in ([v, -v - 1], [-v, v + 1])]
    return [*equal, [1, length], [-1, -length]]


def proof_of(formula, solver="cadical195"):
    """The solver's proof, or None if there is no proof."""
    with Solver(solver, bootstrap_with=formula, with_proof=True) as s:
        if s.solve():
            return None
        lines = list(s.get_proof())
    # Some solvers leave the empty clause out where they need not search.
    return lines if "0" in lines else [*lines, "0"]


def unsatisfiable(rng, solver="cadical195", variables=(4, 6)):
    """A random formula without solution and its proof."""
    while True:
        n = rng.randint(*variables)
        formula = random_clauses(rng, n, round(5.5 * n) + rng.randint(0, 8))
        lines = proof_of(formula, solver)
        if lines is not None:
            return formula, lines


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("solver", SOLVERS)
def test_proofs_of_solvers_are_accepted_trimmed_or_not(solver, checked):
    """Would catch a check that refuses what solvers write, and a trimmer that drops what is needed."""
    rng = random.Random(solver)
    formulas = [unsatisfiable(rng, solver, (4, 60))[0] for _ in range(25)]
    for formula in [*formulas, *map(pigeons, range(1, 6)), *map(parity, range(2, 20, 3))]:
        lines = proof_of(formula, solver)
        verdict = checked(formula, lines)
        assert verdict.accepted, verdict.reason
        assert verdict.lemmas == sum(not line.startswith("d") for line in lines)
        trimmed = trim_proof(formula, lines)
        verdict = checked(formula, trimmed)
        assert verdict.accepted, verdict.reason
        assert verdict.lemmas <= sum(not line.startswith("d") for line in lines)
        assert len(verdict.checkers) == 1


def test_a_lemma_against_a_deleted_reason_is_rejected(checked):
    """dratify by itself accepts this refutation of a satisfiable formula."""
    formula = [[1], [-1, 2]]
    assert brute.is_satisfiable(formula)
    assert not checked(formula, ["d -1 2 0", "-2 0", "0"]).accepted


def defined(rng, formula):
    """Lemmas that define a new variable as the conjunction of two literals: RAT, not RUP."""
    new = max(abs(literal) for clause in formula for literal in clause) + 1
    a, b = random_clauses(rng, new - 1, 1)[0][:2]
    return [[new, -a, -b], [-new, a], [-new, b]]


def as_line(clause, deleted=False):
    return " ".join(["d"] * deleted + [str(literal) for literal in [*clause, 0]])


def test_proofs_with_rat_lemmas(checked):
    """Would catch a check without RAT, and a trimmer that breaks proofs whose end needs a RAT lemma."""
    rng = random.Random(1)
    needed = 0
    for _ in range(150):
        formula, lines = unsatisfiable(rng)
        definition = defined(rng, formula)
        verdict = checked(formula, [*map(as_line, definition), *lines])
        assert verdict.accepted
        assert "RAT" in verdict.reason
        lemma = random_clauses(rng, 4, 1)[0][:2]
        if brute.is_rat(formula, lemma) and not brute.is_rup(formula, lemma):
            lines = [as_line(lemma), *proof_of([*formula, lemma])]
            trimmed = trim_proof(formula, lines)
            needed += trimmed == lines
            assert checked(formula, trimmed).accepted
    assert needed > 0


def mutated(rng, formula, lines):
    """A proof with one change, of the kinds that a fault in a solver or a checker would show in."""
    lines = list(lines)
    at = rng.randrange(len(lines))
    variables = max(abs(literal) for clause in formula for literal in clause)
    words = lines[at].split()
    match rng.randrange(11):
        case 0:  # a literal of the other sign
            places = [i for i, word in enumerate(words) if word not in ("d", "0")]
            if places:
                i = rng.choice(places)
                words[i] = str(-int(words[i]))
            lines[at] = " ".join(words)
        case 1:
            del lines[at]
        case 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 3:  # a clause deleted too early, maybe a unit or a reason
            lines.insert(at, as_line(rng.choice(formula), deleted=True))
        case 4:
            lines.insert(at, "d " + rng.choice(lines).removeprefix("d "))
        case 5:  # literals twice
            i = words.index("0") if words[0] != "0" else 0
            words[i:i] = [word for word in words if word not in ("d", "0")]
            lines[at] = " ".join(words)
        case 6:
            v = rng.randint(1, variables)
            lines.insert(at, rng.choice((f"{v} {-v} 0", f"{-v} {v} {v} 0", f"{v} {variables} {-v} 0")))
        case 7:  # a deletion of what is not there
            lines.insert(at, as_line(random_clauses(rng, variables + 1, 1)[0], deleted=True))
        case 8:
            lines[at:at] = [as_line(clause) for clause in rng.sample(defined(rng, formula), rng.randint(1, 3))]
        case 9:  # any lemma: implied, RAT, or wrong
            clause = random_clauses(rng, variables, 1)[0]
            lines.insert(at, as_line(clause[: rng.randint(1, 3)]))
        case 10:  # a literal less
            places = [i for i, word in enumerate(words) if word not in ("d", "0")]
            if places:
                del words[rng.choice(places)]
            lines[at] = " ".join(words)
    return lines


def weakened(rng, formula):
    """The formula without as many clauses as it takes to make it satisfiable."""
    formula = rng.sample(formula, len(formula))
    while not brute.is_satisfiable(formula):
        formula.pop()
    return formula


@pytest.mark.parametrize("number", [150, pytest.param(4000, marks=pytest.mark.slow)])
def test_mutated_proofs_have_the_verdict_of_brute_force(number, checked):
    """Would catch a wrong lemma that passes, a right one that does not, and a trimmer that breaks right proofs."""
    rng = random.Random(2)
    wrong = right = 0
    for case in range(number):
        formula, lines = unsatisfiable(rng, SOLVERS[case % 2])
        for _ in range(rng.randint(1, 3)):
            lines = mutated(rng, formula, lines) if lines else lines
        expected = brute.is_proof(formula, lines)
        verdict = checked(formula, lines)
        assert verdict.accepted == expected, (formula, lines, verdict.reason)
        assert "\n" not in verdict.reason
        assert not expected or checked(formula, trim_proof(formula, lines)).accepted, (formula, lines)
        wrong += not expected
        right += expected
    assert min(wrong, right) > number / 10


@pytest.mark.parametrize("number", [150, pytest.param(4000, marks=pytest.mark.slow)])
def test_no_proof_of_a_satisfiable_formula_is_accepted(number, checked):
    """The worst that could happen.  Deletions come in numbers, because that is where checkers have been wrong."""
    rng = random.Random(3)
    for _ in range(number):
        formula, lines = unsatisfiable(rng)
        formula = weakened(rng, formula)
        if rng.random() < 0.5:  # units, so that deletions meet reasons
            with Solver("glucose4", bootstrap_with=formula) as solver:
                assert solver.solve()
                true = solver.get_model()
            formula += [[literal] for literal in rng.sample(true, min(2, len(true)))]
        assert brute.is_satisfiable(formula)
        deletions = [as_line(clause, deleted=True) for clause in formula if rng.random() < 0.3]
        contrary = [f"{-literal} 0" for clause in formula for literal in clause[:1] if rng.random() < 0.1]
        offered = rng.choice((lines, [*deletions, *lines], [*deletions, *contrary, "0"]))
        for _ in range(rng.randint(0, 2)):
            offered = mutated(rng, formula, offered)
        assert not checked(formula, offered).accepted, (formula, offered)
        assert not checked(formula, trim_proof(formula, offered)).accepted, (formula, offered)


@pytest.mark.parametrize("number", [150, pytest.param(2000, marks=pytest.mark.slow)])
def test_a_proof_cut_off_before_its_end_is_rejected(number, checked):
    """Would catch a check that takes all lemmas being right for a proof, or reads a clause without its 0."""
    rng = random.Random(4)
    for _ in range(number):
        formula, lines = unsatisfiable(rng)
        whole = checked(formula, lines)
        assert whole.accepted
        cnf, path = checked.files
        text = path.read_text().rstrip()
        path.write_text(text[: rng.randrange(len(text))])
        verdict = check_proof(cnf, path)
        assert not verdict.accepted
        assert verdict.lemmas < whole.lemmas


GOOD_CNF = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"
GOOD_PROOF = "1 0\n0\n"


def test_variants_that_are_well_formed(tmp_path):
    """Line ends of other systems, comments, more spaces, an empty clause in the formula: all within the formats."""
    for cnf in (GOOD_CNF, GOOD_CNF.replace("\n", "\r\n"), "c x\n\n" + GOOD_CNF.replace(" ", "  "), "p cnf 0 1\n0\n"):
        (tmp_path / "f.cnf").write_bytes(cnf.encode())
        for proof in (GOOD_PROOF, GOOD_PROOF.replace("\n", "\r\n"), "1  0\n 0"):
            (tmp_path / "f.drat").write_bytes(proof.encode())
            assert check_proof(tmp_path / "f.cnf", tmp_path / "f.drat").accepted


def test_files_that_cannot_be_read(tmp_path):
    """A missing or binary file is the user's mistake, and named."""
    (tmp_path / "good.cnf").write_text(GOOD_CNF)
    (tmp_path / "binary").write_bytes(b"\x84\xff\x00")
    for name in ("missing", "binary", "."):
        for arguments in ((tmp_path / "good.cnf", tmp_path / name), (tmp_path / name, tmp_path / "good.cnf")):
            with pytest.raises(InstanceError, match=name):
                check_proof(*arguments)


@pytest.mark.skipif(DRAT_TRIM is None, reason="drat-trim is not installed")
def test_drat_trim_agrees(checked, tmp_path):
    """Would catch files that drat-trim cannot read, and a trimmed proof that only dratify accepts."""
    (tmp_path / "bin" / "drat-trim").symlink_to(DRAT_TRIM)
    rng = random.Random(6)
    for _ in range(20):
        formula, lines = unsatisfiable(rng, variables=(10, 60))
        for offered in (lines, trim_proof(formula, lines)):
            verdict = checked(formula, offered)
            assert verdict.accepted, verdict.reason
            assert len(verdict.checkers) == 2


# ---- step by step: what it says and counts, where it can be stopped, what drat-trim is given

RUP = "every lemma is RUP, the last one is empty"


@pytest.fixture
def check(tmp_path):
    """Checks a proof; the files are named without their folder."""

    def checked(cnf=GOOD_CNF, proof=GOOD_PROOF, must_stop=lambda: False):
        paths = tmp_path / "cnf", tmp_path / "proof"
        for path, text in zip(paths, (cnf, proof), strict=True):
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
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
        (f"c {'x' * 99}\n\n\n", "cnf: no line `p cnf VARIABLES CLAUSES`"),
        (header("p cnf 2 5"), "cnf: the header announces 5 clauses, there are 4"),
        (GOOD_CNF + "p cnf 2 4\n", "cnf: line 6: not a clause that ends with 0: p cnf 2 4"),
        (GOOD_CNF[:-3], "cnf: line 5: not a clause that ends with 0: -1 -2"),
        (GOOD_CNF.replace("-2 0", "\u0662 0"), "cnf: line 4: not a clause that ends with 0: 1 \u0662 0"),
        ("c x\n\n1 0\n", "cnf: line 3: expected `p cnf VARIABLES CLAUSES`, found 1 0"),
        (GOOD_CNF + "1 x 0\n", "cnf: line 6: not a clause that ends with 0: 1 x 0"),
        (header("p cnf 2 3"), "cnf: the header announces 3 clauses, there are more"),
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
        ("", 0, "proof: the empty clause is not derived"),
        ("1 0\n", 0, "proof: the empty clause is not derived"),
        ("1 0\nd 0\n", 0, "proof: the empty clause is not derived"),
        ("1 0\n\n0\n", 0, "proof: line 2: not a clause that ends with 0: an empty line"),
        ("c 1 0\n0\n", 0, "proof: line 1: not a clause that ends with 0: c 1 0"),
        ("1\x00b 0\n", 0, r"proof: line 1: not a clause that ends with 0: 1\x00b 0"),
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
        ("1 0\n0\n1 0\nd 1 2 0\nx", 2, RUP),
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


@pytest.mark.parametrize(
    ("most", "proof", "reason"),
    [
        ({"_MOST_LEMMAS": 2}, "1 0\n1 0\n1 0\n0\n", "proof: has more than 2 lemmas or"),
        ({"_MOST_LITERALS": 5}, "1 2 -2 0\n1 0\n0\n", "proof: has more than 4194304 lemmas or 5 literals"),
        ({"_FREE_DELETIONS": 0}, "d 1 2 0\n" * 11 + "0\n", "proof: deletes more clauses than there are"),
        ({"_LONGEST_LINE": 20}, "1 0\n" + "2 " * 20, "proof: line 2: has more than 20 characters: 2 2"),
    ],
)
def test_proofs_that_only_take_time_and_memory(most, proof, reason, check, monkeypatch):
    monkeypatch.setattr(safe_files, "_CHUNK", 8)
    for name, value in most.items():
        monkeypatch.setattr(module, name, value)
    verdict, said = check(proof=proof)
    assert said.startswith(reason)
    assert not verdict.accepted


BINARY = b"a\x02\0" + b"d\x02\x04\0" + b"a\0"


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        (BINARY, RUP),
        (BINARY + b"zz", RUP),
        (b"a\x02\0" + b"a\x84\0\0", "proof: clause 2: no clause of binary DRAT"),
        (b"a\x02\0" + b"x\x02\0", "proof: clause 2: no clause of binary DRAT"),
        (b"a\x02\0" + b"a\x02", "proof: clause 2: a clause that is cut short, or too long"),
        (b"a\x02\0" + b"a" * 100, "proof: clause 2: a clause that is cut short, or too long"),
        (b"a\x02\0", "proof: the empty clause is not derived"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_binary_proofs_are_read_in_parts(proof, reason, size, check, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", size)
    monkeypatch.setattr(module, "_LONGEST_LINE", 50)
    assert check(proof=proof)[1] == reason


@pytest.mark.parametrize("rat", [False, True])
def test_a_check_can_be_stopped_whenever_it_asks(rat, check, monkeypatch):
    """It asks at each block of lines, of one line here, and then every 4 clauses and 3 steps."""
    monkeypatch.setattr(safe_files, "_CHUNK", 1)
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
        assert (verdict.accepted, reason) == (False, "stopped before the check was complete")
        assert verdict.lemmas == (6 if stop_at > 10 else 0)
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
