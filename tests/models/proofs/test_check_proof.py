"""Proofs of unsatisfiability: written, trimmed, checked; and above all, wrong ones rejected."""

import random
import shutil
from itertools import count

import pytest
from pysat.solvers import Solver

import brute_force_proof as brute
from jigsat.csp.base.errors import InstanceError
from jigsat.models.proofs import trim
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


def test_trimming_leaves_only_what_is_needed(checked):
    """Would catch a trimmer that gives everything back: of a proof with many idle lemmas few may be left."""
    formula = [*pigeons(3), *([v, v + 1] for v in range(100, 200))]
    idle = [f"{v} {v + 1} {v + 2} 0" for v in range(100, 190)]
    lines = proof_of(formula)
    trimmed = trim_proof(formula, [*idle, *lines])
    assert checked(formula, trimmed).accepted
    assert not {*idle} & {*trimmed}
    assert sum(not line.startswith("d") for line in trimmed) <= len(lines)
    # What has no part in it is deleted before the first lemma.
    assert {f"d {v} {v + 1} 0" for v in range(100, 200)} <= {*trimmed}


def test_larger_proofs_are_trimmed_to_proofs(checked, monkeypatch):
    """Would catch watches that go wrong when a long proof with many deletions is undone, and a slice that is lost."""
    rng = random.Random(5)
    for n in (100, 120, 140):
        formula = random_clauses(rng, n, 6 * n)
        lines = proof_of(formula)
        assert lines is not None
        assert any(line.startswith("d") for line in lines)
        trimmed = trim_proof(formula, lines)
        with monkeypatch.context() as patch:
            patch.setattr(trim, "_SLICE", 7)
            assert trim_proof(formula, lines) == trimmed
        assert 1 < sum(not line.startswith("d") for line in trimmed) < sum(not line.startswith("d") for line in lines)
        assert checked(formula, trimmed).accepted


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["1 0"],
        ["d 1 2 0"],
        ["0"],
        ["1 1 0", "0"],
        ["rubbish", "0"],
        ["1 x 0", "0"],
        ["-2147483648 0", "0"],
        ["99999999999 0"],
    ],
)
def test_what_cannot_be_trimmed_comes_back(lines):
    """A trimmer that made something up would hide that there was no proof."""
    assert trim_proof([[1, 2], [-1, 2], [1, -2]], lines) == lines


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


@pytest.mark.parametrize(
    ("cnf", "says"),
    [
        ("", "no line `p cnf"),
        ("1 2 0\n", "expected `p cnf"),
        (GOOD_CNF.replace("2 4", "2 3"), "announces 3 clauses, there are 4"),
        (GOOD_CNF.replace("2 4", "2 5"), "announces 5 clauses, there are 4"),
        (GOOD_CNF.replace("2 4", "1 4"), "announces 1 variables, there is a variable 2"),
        (GOOD_CNF.replace("2 4", "99999999 4"), "more than"),
        (GOOD_CNF.replace("p cnf", "p wcnf"), "expected `p cnf"),
        (GOOD_CNF + "p cnf 2 4\n", "line 6: not a clause"),
        (GOOD_CNF + "%\n0\n", "line 6: not a clause"),
        (GOOD_CNF[:-3], "line 5: not a clause"),
        (GOOD_CNF.replace("-1 2 0\n1 -2 0", "-1 2 0 1 -2 0"), "line 3: not a clause"),
        (GOOD_CNF.replace("1 2 0", "1\n2 0", 1), "line 2: not a clause"),
        (GOOD_CNF.replace("-2 0", "-2 x 0"), "line 4: not a clause"),
        (GOOD_CNF.replace("-2 0", "-2 0 c"), "line 4: not a clause"),
        (GOOD_CNF.replace("-2 0", "-2_0 0"), "line 4: not a clause"),
        (GOOD_CNF.replace("-2 0", "\u0662 0"), "line 4: not a clause"),
        (GOOD_CNF.replace("-2 0", "-" + "9" * 5000 + " 0"), "line 4: not a clause"),
    ],
)
def test_malformed_formula(cnf, says, tmp_path):
    """A formula that is read otherwise than it was meant would make the proof one of something else."""
    (tmp_path / "f.cnf").write_text(cnf)
    (tmp_path / "f.drat").write_text(GOOD_PROOF)
    verdict = check_proof(tmp_path / "f.cnf", tmp_path / "f.drat")
    assert not verdict.accepted
    assert verdict.checkers == ()
    assert says in verdict.reason
    assert "\n" not in verdict.reason


@pytest.mark.parametrize(
    ("proof", "says"),
    [
        ("", "the empty clause is not derived"),
        ("1 0\n", "the empty clause is not derived"),
        ("1 0\nd 0\n", "the empty clause is not derived"),
        ("1 0\n0\nrubbish\n", "line 3: not a clause"),
        ("1 0\n\n0\n", "line 2: not a clause that ends with 0: an empty line"),
        ("1 0 0\n", "line 1: not a clause"),
        ("1\n0\n", "line 1: not a clause"),
        ("c 1 0\n0\n", "line 1: not a clause"),
        ("d1 0\n0\n", "line 1: not a clause"),
        ("d d 1 0\n0\n", "line 1: not a clause"),
        ("+1 0\n0\n", "line 1: not a clause"),
        ("-0\n", "line 1: not a clause"),
        ("1\x00b 0\n", r"1\x00b 0"),
        ("8999999 0\n0\n", "line 1: a variable greater than"),
        ("0\n", "dratify: the lemma of line 1"),
        ("3 0\n-3 0\n0\n", "dratify: the lemma of line 2"),
    ],
)
def test_malformed_or_wrong_proof(proof, says, tmp_path):
    """Rubbish gets one line, whatever it is; so does a lemma that is wrong."""
    (tmp_path / "f.cnf").write_text(GOOD_CNF)
    (tmp_path / "f.drat").write_text(proof)
    verdict = check_proof(tmp_path / "f.cnf", tmp_path / "f.drat")
    assert not verdict.accepted
    assert says in verdict.reason
    assert "\n" not in verdict.reason


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


@pytest.mark.parametrize(
    ("answer", "accepted", "says"),
    [
        ("echo 's VERIFIED'", True, "RUP"),
        ("echo 's NOT VERIFIED'", False, "drat-trim: s NOT VERIFIED"),
        ("echo 's VERIFIED'; echo 's NOT VERIFIED'", False, "drat-trim"),
        ("echo 'c VERIFIED'; exit 3", False, "no verdict, exit 3"),
    ],
)
def test_both_checkers_must_accept(answer, accepted, says, tmp_path):
    """Would catch a verdict of drat-trim that is ignored or misread."""
    program = tmp_path / "bin" / "drat-trim"
    program.write_text(
        f'#!/bin/sh\nread first < "$1"; test "$first" = "p cnf 2 4" || exit 9\ntest -s "$2" && {answer}\n'
    )
    program.chmod(0o755)
    (tmp_path / "f.cnf").write_text("c comment\n" + GOOD_CNF)
    (tmp_path / "f.drat").write_text(GOOD_PROOF)
    verdict = check_proof(tmp_path / "f.cnf", tmp_path / "f.drat")
    assert verdict.accepted == accepted
    assert verdict.checkers[1:] == ("drat-trim",)
    assert says in verdict.reason


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
