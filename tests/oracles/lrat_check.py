"""Checks proofs in the format LRAT the plain way; shares no code with the package.

As a program it prints the verdict on a formula and a proof, `python lrat_check.py FORMULA PROOF`.
"""

import sys


def accepts(formula: str, proof: str) -> bool:
    """Whether every lemma of a proof follows by its hints and the last one is empty; texts of DIMACS and LRAT."""
    clauses: dict[int, list[int]] = {}
    for line in formula.splitlines():
        if line and line[0] not in "cp":
            *literals, end = map(int, line.split())
            assert end == 0
            clauses[len(clauses) + 1] = literals
    for line in proof.splitlines():
        words = line.split()
        if words[1] == "d":
            for word in words[2:-1]:
                clauses.pop(int(word), None)
            continue
        number, *numbers = map(int, words)
        end = numbers.index(0)
        lemma, hints = numbers[:end], numbers[end + 1 : -1]
        assert number not in clauses
        if numbers[-1] != 0 or any(hint not in clauses for hint in hints):
            return False
        if not follows(lemma, [clauses[hint] for hint in hints]):
            return False
        if not lemma:
            return True
        clauses[number] = lemma
    return False


def follows(lemma, hints) -> bool:
    """Whether a lemma follows: with its literals false, each hint makes one more literal true, the last is false."""
    true = {-literal for literal in lemma}
    for hint in hints:
        left = {literal for literal in hint if -literal not in true}
        if not left:
            return True
        if len(left) != 1:
            return False
        true |= left
    return False


if __name__ == "__main__":
    with open(sys.argv[1]) as cnf, open(sys.argv[2]) as lrat:
        print("s VERIFIED" if accepts(cnf.read(), lrat.read()) else "s NOT VERIFIED")
