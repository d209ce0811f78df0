"""Pseudo-Boolean formulas and proofs of complete enumerations, as VeriPB 3 and CakePB read them.

Everything that depends on the format is here.  It is described in `proof_format_overview.md` of VeriPB
(gitlab.com/MIAOresearch/software/VeriPB).  Constraints are numbered from 1, those of the formula first; a derived
clause and the clause that excludes a solution take the next number.
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO

from .check_proof import said_by
from .linear_formula import Linear

#: The ending of the formula's file.
FORMULA = ".opb"

_LINES = 10_000


def term(literal: int) -> str:
    """A literal with its coefficient."""
    return f"1 x{literal}" if literal > 0 else f"1 ~x{-literal}"


def formula_lines(
    variables: int, constraints: Sequence[Linear], preserved: Iterable[int], about: Iterable[str]
) -> Iterable[str]:
    """The lines of a file in the format OPB.

    - `preserved`: the variables in which solutions differ.
    - `about`: comments.
    """
    # A constraint without literals has the variable 1, too.
    yield f"* #variable= {max(variables, 1)} #constraint= {len(constraints)}\n"
    yield from (f"* {line}\n" for line in about)
    yield f"preserved: {' '.join(f'x{variable}' for variable in preserved)} ;\n"
    for least, literals in constraints:
        yield f"{' '.join([*map(term, literals)]) or '0 x1'} >= {least} ;\n"


class EnumerationProof:
    """A proof under construction: the dead ends of a search, which adds its choices one by one.

    The clause of a dead end says that not all choices so far are right.  It follows by unit propagation from the
    formula and from the clauses of the dead ends one choice further, which are no longer needed after it.  So at most
    as many clauses are kept as the choices so far have alternatives, besides those that exclude solutions.
    """

    def __init__(self, file: IO[str], constraints: int) -> None:
        self._file, self._lines = file, [f"pseudo-Boolean proof version 3.0\nf {constraints} ;\n"]
        self._number, self.solutions, self.steps = constraints, 0, 0
        # For each number of choices the clause so far, and the numbers of the clauses one choice further.
        self._clauses: list[str] = [""]
        self._further: list[list[int]] = [[]]

    def implied(self, clause: Iterable[int]) -> None:
        """Derive a clause that follows by unit propagation."""
        self._derive("".join(f"{term(literal)} " for literal in clause))

    def choose(self, variable: int) -> None:
        """The search makes a variable true."""
        self._clauses.append(f"{self._clauses[-1]}{term(-variable)} ")
        self._further.append([])

    def solution(self, true: Iterable[int]) -> None:
        """The variables that are true make all others follow: a solution, which a clause excludes from here on."""
        self._write(f"solx {' '.join(f'x{variable}' for variable in true)} ;\n")
        self._number += 1
        self.solutions += 1

    def dead_end(self) -> None:
        """There is no further solution with all choices; the search goes back before the last one."""
        self._derive(self._clauses.pop())
        further = self._further.pop()
        if further:
            self._write(f"del id {' '.join(map(str, further))} ;\n")
        if self._further:
            self._further[-1].append(self._number)

    def conclude(self) -> None:
        """There are exactly the solutions so far: the last clause, that of no choices, is a contradiction."""
        assert not self._clauses
        self._write(
            f"output NONE ;\nconclusion ENUMERATION_COMPLETE {self.solutions} : {self._number} ;\n"
            "end pseudo-Boolean proof ;\n"
        )
        self._file.writelines(self._lines)

    def _derive(self, clause: str) -> None:
        self._write(f"rup {clause}>= 1 ;\n")
        self._number += 1
        self.steps += 1

    def _write(self, line: str) -> None:
        self._lines.append(line)
        if len(self._lines) > _LINES:
            self._file.writelines(self._lines)
            self._lines.clear()


def check_enumeration(formula: Path, proof: Path, number: int, must_stop: Callable[[], bool]) -> dict[str, object]:
    """What the record says about the check of a proof by VeriPB; `checked` is None where that is not installed.

    Raises StoppedError if `must_stop` asks to stop.
    """
    program = shutil.which("veripb")
    if program is None:
        return {"checked": None, "reason": "veripb is not installed", "checkers": []}
    try:
        code, said = said_by([program, str(formula), str(proof)], must_stop)
    except OSError as error:
        return {"checked": False, "reason": f"veripb: cannot be run: {error.strerror}", "checkers": []}
    verdicts = [line.strip() for line in said.splitlines() if line.startswith("s ")]
    accepted = verdicts == [f"s VERIFIED COMPLETE ENUMERATION OF {number} SOLUTIONS"]
    reason = f"veripb: {verdicts[0] if verdicts else f'no verdict, exit {code}'}"
    return {"checked": accepted, "reason": reason, "checkers": ["veripb"]}
