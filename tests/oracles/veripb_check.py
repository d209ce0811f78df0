"""Checks pseudo-Boolean proofs of complete enumerations the plain way; shares no code with the package.

It is written from VeriPB's description of the format, and knows only the steps that such proofs need: `f`, `rup` of a
clause, `solx`, `del id`, `output NONE` and `conclusion ENUMERATION_COMPLETE`.  It refuses every other step.  Unit
propagation is that of ``propagation.c``.

As a program it prints the verdict on a formula and a proof, `python -m jigsat.tests.oracles.veripb_check OPB PBP`.
"""

import ctypes
import re
import sys

import numpy as np

from in_c import library


class Refused(Exception):  # noqa: N818 - a verdict
    """The formula cannot be read, or a step of the proof does not follow."""


class _Checker:
    def __init__(self, formula: str) -> None:
        head, *lines = formula.splitlines()
        found = re.fullmatch(r"\* #variable= (\d{1,7}) #constraint= (\d+)", head, re.ASCII)
        _demand(found is not None, "no head of a formula")
        self._variables = int(found[1])
        self._c = library("propagation")
        self._c.reset(self._variables)
        self._number, self._solutions, self._done, self._ended = 0, 0, False, False
        self._formula = set()
        preserved, *constraints = [line for line in lines if line and line[0] != "*"]
        self._preserved = [one >> 1 for one in self._literals(_before("preserved:", _statement(preserved)).split())]
        _demand(len(constraints) == int(found[2]), "another number of constraints")
        for line in constraints:
            self._add(*self._constraint(_statement(line)))
        self._formula = {*range(1, self._number + 1)}

    def step(self, text: str) -> None:
        """Check a step and carry it out."""
        rule, _, rest = text.partition(" ")
        _demand(not self._ended and (not self._done or rule == "end"), "a step after the conclusion")
        if rule == "f":
            _demand(int(rest) == self._number, "the formula has another number of constraints")
        elif rule == "rup":
            least, literals = self._constraint(rest)
            _demand(least == 1, "only clauses are known")
            _demand(self._propagated([one ^ 1 for one in literals]) < 0, "does not follow by unit propagation")
            self._add(least, literals)
        elif rule == "solx":
            self._solution(self._literals(rest.split()))
        elif rule == "del":
            _demand(rest.startswith("id "), "only constraints with numbers can be deleted")
            for number in map(int, rest[3:].split()):
                _demand(0 < number <= self._number and number not in self._formula, "is not a derived constraint")
                self._formula.add(number)  # it cannot be deleted again
                self._c.delete(number - 1)
        elif rule == "output":
            _demand(rest == "NONE", "only the output NONE is known")
        elif rule == "conclusion":
            found = re.fullmatch(r"ENUMERATION_COMPLETE (\d+) : (\d+)", rest)
            _demand(found is not None, "another conclusion")
            _demand(int(found[1]) == self._solutions, "another number of solutions was found")
            _demand(self._c.is_contradiction(int(found[2]) - 1), "the constraint is not a contradiction")
            self._done = True
        elif text == "end pseudo-Boolean proof":
            _demand(self._done, "there is no conclusion")
            self._ended = True
        else:
            raise Refused("an unknown step")

    @property
    def verdict(self) -> int:
        """The number of solutions, all of which were found."""
        _demand(self._ended, "there is no conclusion")
        return self._solutions

    def _solution(self, true: list[int]) -> None:
        """All variables follow and no constraint is false, so that each is true; exclude what is preserved of it."""
        values = np.zeros(2 * self._variables + 2, dtype=np.uint8)
        _demand(self._propagated(true, values) == self._variables, "not a solution")
        self._add(1, [2 * variable + int(values[2 * variable]) for variable in self._preserved])
        self._formula.add(self._number)
        self._solutions += 1

    def _constraint(self, text: str) -> tuple[int, list[int]]:
        """How many of which literals must be true; a negative coefficient is one of the negation."""
        left, least = text.split(">=")
        bound, words = int(least), left.split()
        coefficients = [*map(int, words[::2])]
        _demand(all(abs(one) <= 1 for one in coefficients), "only coefficients of 1 are known")
        terms = zip(coefficients, self._literals(words[1::2]), strict=True)
        literals = [literal ^ (coefficient < 0) for coefficient, literal in terms if coefficient]
        bound += coefficients.count(-1)
        _demand(abs(bound) < 2**31, "a large number")
        return bound, literals

    def _literals(self, names: list[str]) -> list[int]:
        literals = [*map(_code, names)]
        _demand(len({one >> 1 for one in literals}) == len(literals), "a variable is there twice")
        _demand(all(0 < one >> 1 <= self._variables for one in literals), "an unknown variable")
        return literals

    def _add(self, least: int, literals: list[int]) -> None:
        self._c.add(least, len(literals), (ctypes.c_int * len(literals))(*literals))
        self._number += 1

    def _propagated(self, literals: list[int], values=None) -> int:
        at = None if values is None else ctypes.c_void_p(values.ctypes.data)
        return self._c.propagate(len(literals), (ctypes.c_int * len(literals))(*literals), at)


def complete_enumeration(formula: str, proof: str) -> int:
    """The number of solutions of a formula, as a proof shows; both as texts.

    Raises
    ------
    Refused
        If the proof is wrong.
    """
    head, _, rest = proof.partition("\n")
    _demand(head == "pseudo-Boolean proof version 3.0", "another format")
    try:
        checker = _Checker(formula)
    except (Refused, ValueError, IndexError) as error:
        raise Refused(f"the formula: {error}") from error
    for number, line in enumerate(rest.splitlines(), start=2):
        try:
            checker.step(_statement(line))
        except (Refused, ValueError, IndexError) as error:
            raise Refused(f"line {number}: {error}") from error
    return checker.verdict


def _code(name: str) -> int:
    negated = name[0] == "~"
    _demand(name[negated] == "x", "is not a literal")
    return 2 * int(name[negated + 1 :]) + negated


def _statement(line: str) -> str:
    _demand(line.endswith(";"), "no semicolon")
    # Python reads numbers that the format does not have, such as 1_0.
    _demand(re.fullmatch(r"(?:[A-Za-z0-9 ~:=>;-]|_(?=C))*", line), "an unknown character")
    return line[:-1].strip()


def _before(word: str, line: str) -> str:
    _demand(line.startswith(word), f"no {word}")
    return line[len(word) :]


def _demand(condition: object, otherwise: str) -> None:
    if not condition:
        raise Refused(otherwise)


if __name__ == "__main__":
    with open(sys.argv[1]) as opb, open(sys.argv[2]) as pbp:
        print(f"s VERIFIED COMPLETE ENUMERATION OF {complete_enumeration(opb.read(), pbp.read())} SOLUTIONS")
