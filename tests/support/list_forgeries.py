"""Changes proofs that a list of solutions is complete, and knows by another way which are still right.

A proof is accepted by ``veripb_check.py``.  It is right if the formula has as many solutions as it says.  They are
counted by a SAT solver that knows cardinality constraints, one after the other; so the formula may be changed, too.
"""

import random as random_
import re
from dataclasses import dataclass, replace
from pathlib import Path

from pysat.solvers import Solver

from forgeries import changed_lines
from in_c import TooMuch
from veripb_check import Refused, complete_enumeration

#: A formula with more solutions is not judged.
MOST = 3_000
_ODD = (
    *("rup >= 1 ;", "rup 1 x1 >= 1 ;", "rup 1 ~x2 1 x3 >= 1 ;", "rup 1 x1 1 x1 >= 1 ;", "rup 2 x1 >= 2 ;"),
    *("solx x1 ;", "solx ;", "solx ~x1 x2 ;", "del id 1 ;", "del id 99999 ;", "output NONE ;", "f 3 ;", "a >= 1 ;"),
    *("conclusion ENUMERATION_COMPLETE 1 : 1 ;", "conclusion NONE ;", "end pseudo-Boolean proof ;", "x", ""),
    *("1 x1 1 ~x2 >= 1 ;", "1 x1 >= 1 ;", "0 x1 >= 1 ;", "preserved: x1 ;", "1 x1 >= 0 ;", "* x", "-1 x1 >= 0 ;"),
)


@dataclass(frozen=True)
class ListFiles:
    """The texts of a formula and of a proof that a list of its solutions is complete."""

    formula: str
    proof: str

    @classmethod
    def read(cls, proof: Path) -> "ListFiles":
        """Those of a proof that is there."""
        return cls(proof.with_suffix(".opb").read_text(), proof.read_text())


def forge_list(random: random_.Random, files: ListFiles) -> ListFiles:
    """A changed proof, or one with a changed formula, which may happen to be right."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        change = random.choice((_other_proof, _other_proof, _other_number, _step_elsewhere, _other_formula))
        if min(files.formula.count("\n"), files.proof.count("\n")) < 3:  # hardly anything is left
            break
        files = change(random, files)
    return files


def _other_proof(random: random_.Random, files: ListFiles) -> ListFiles:
    made = changed_lines(random, files.proof.splitlines(), odd=_ODD)
    return replace(files, proof=made.decode("latin-1"))


def _other_formula(random: random_.Random, files: ListFiles) -> ListFiles:
    """Another formula, often with a number of constraints in the proof that fits it."""
    head, *lines = files.formula.splitlines()
    made = changed_lines(random, [line for line in lines if not line.startswith("*")], odd=_ODD).decode("latin-1")
    number = sum(not line.startswith("*") for line in made.splitlines()) - 1
    proof = files.proof
    if random.random() < 0.8:
        proof = re.sub(r"^f \d+", f"f {number}", proof, flags=re.M)
        head = re.sub(r"\d+$", str(number), head)
    return ListFiles(f"{head}\n{made}", proof)


def _other_number(random: random_.Random, files: ListFiles) -> ListFiles:
    """A solution less or more is claimed; often one is missing, or there twice, too."""
    solutions = re.findall(r"^solx[^\n]*\n", files.proof, re.M)
    more = random.choice((-1, 1))
    proof = re.sub(
        r"(?<=ENUMERATION_COMPLETE )\d+", lambda found: str(max(0, int(found[0]) + more)), files.proof, count=1
    )
    if solutions and random.random() < 0.7:
        one = random.choice(solutions)
        proof = proof.replace(one, "" if more < 0 else one * 2, 1)
    return replace(files, proof=proof)


def _step_elsewhere(random: random_.Random, files: ListFiles) -> ListFiles:
    """A step is left out, and all deletions too, so that no number is of another constraint, or it comes later."""
    lines = [line for line in files.proof.splitlines() if random.random() < 0.5 or not line.startswith("del")]
    line = lines.pop(random.randrange(len(lines))) if lines else ""
    if random.random() < 0.5:
        lines.insert(random.randrange(len(lines) + 1), line)
    return replace(files, proof="\n".join([*lines, ""]))


def accepted_list(files: ListFiles) -> int | None:
    """How many solutions the proof shows to be all, if the checker accepts it."""
    try:
        return complete_enumeration(files.formula, files.proof)
    except Refused:
        return None


def is_right(files: ListFiles, number: int) -> bool:
    """Whether the formula can be read, and has this number of solutions; raises `TooMuch` if more than `MOST`."""
    try:
        return number_of_solutions(files.formula) == number
    except (ValueError, IndexError):
        return False


def number_of_solutions(formula: str) -> int:
    """How many assignments of the preserved variables the solutions of a formula have.

    Raises `TooMuch` if they are more than `MOST`.
    """
    lines = [line for line in formula.splitlines() if line and not line.startswith("*")]
    (preserved,) = (re.findall(r"x(\d+)", line) for line in lines if line.startswith("preserved:"))
    shown = sorted({*map(int, preserved)})
    found = 0
    with Solver("minicard") as solver:
        for line in lines:
            if not line.startswith("preserved:"):
                _add(solver, line)
        while solver.solve():
            # Variables that the formula does not have may be either, and are false here.
            true = {literal for literal in solver.get_model() if literal > 0}
            found += 1
            if found > MOST:
                raise TooMuch
            solver.add_clause([-one if one in true else one for one in shown])
    return found


def _add(solver: Solver, line: str) -> None:
    """A constraint of a formula: at least a number of these literals, or of their negations, are true."""
    left, right = line.rstrip(" ;").split(">=")
    words, least = left.split(), int(right)
    literals = []
    for factor, name in zip(words[::2], words[1::2], strict=True):
        literal = -int(name[2:]) if name[0] == "~" else int(name[1:])
        if int(factor) < 0:  # -x is (not x) - 1
            literal, least = -literal, least + 1
        literals += [literal] * abs(int(factor))
    if least > len(literals):
        solver.add_clause([])
    elif least > 0:
        solver.add_atmost([-one for one in literals], len(literals) - least)
