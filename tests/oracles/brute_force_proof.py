"""Judges proofs of unsatisfiability of small formulas the plain way; shares no code with the checkers or the trimmer.

A formula is a list of clauses, a clause a list of signed variables; a proof is a list of DRAT lines.  Deletions are
ignored: with them a RUP lemma has fewer premises and stays right; a RAT lemma is the more easily accepted the more was
deleted, and what is accepted here is right without that.
"""

from itertools import product


def is_satisfiable(clauses) -> bool:
    """By trying every assignment."""
    variables = sorted({abs(literal) for clause in clauses for literal in clause})
    for signs in product((1, -1), repeat=len(variables)):
        true = {variable * sign for variable, sign in zip(variables, signs, strict=True)}
        if all(any(literal in true for literal in clause) for clause in clauses):
            return True
    return False


def contradicts(clauses, assumed) -> bool:
    """Whether unit propagation from the assumed literals makes a clause false."""
    true = set(assumed)
    if any(-literal in true for literal in true):
        return True
    while True:
        for clause in clauses:
            if any(literal in true for literal in clause):
                continue
            left = {literal for literal in clause if -literal not in true}
            if not left:
                return True
            if len(left) == 1:
                true |= left
                break
        else:
            return False


def is_rup(clauses, lemma) -> bool:
    """Whether assuming all of the lemma's literals false ends in a contradiction."""
    return contradicts(clauses, [-literal for literal in lemma])


def is_rat(clauses, lemma) -> bool:
    """Whether every resolvent on the lemma's first literal is RUP."""
    if not lemma:
        return False
    opposite = -lemma[0]
    others = ([literal for literal in clause if literal != opposite] for clause in clauses if opposite in clause)
    return all(is_rup(clauses, [*lemma, *other]) for other in others)


def is_proof(formula, lines) -> bool:
    """Whether every lemma up to the empty one is RUP or RAT, and there is an empty one."""
    known = [list(clause) for clause in formula]
    for line in lines:
        if line.startswith("d"):
            continue
        lemma = [int(word) for word in line.split()]
        assert lemma.pop() == 0
        if not is_rup(known, lemma) and not is_rat(known, lemma):
            return False
        if not lemma:
            return True
        known.append(lemma)
    return False
