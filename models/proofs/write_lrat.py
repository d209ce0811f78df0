"""Writes the proof of a certificate in the format LRAT, which verified checkers read.

Each lemma comes with the numbers of the clauses by which it follows, so that a checker need not search for them.  That
makes checkers so simple that they have been proved correct: ``cake_lpr`` down to its machine code, and the one of ACL2.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ...csp.base.safe_files import read_text, replacing
from ...csp.base.stop import never
from .trim import HintedLemma, hinted_proof

_MOST_BYTES = 2**32


def write_lrat(
    formula: str | Path, proof: str | Path, path: str | Path, must_stop: Callable[[], bool] = never
) -> int | None:
    """Write a proof in the format LRAT.

    - `formula`, `proof`: the formula, in the DIMACS format, and its proof, in the textual DRAT format, as certificates
      have them.
    - `path`: the file to write, not standard output.
    - `must_stop`: is called often; returns whether to give up.

    Returns the number of lemmas; None, with nothing written, if a lemma is not RUP (some solvers write lemmas that are
    RAT only) or the work was stopped.

    Raises InstanceError if a file cannot be read or written.
    """
    clauses = [
        [int(word) for word in line.split()[:-1]] for line in _lines(formula) if line.strip() and line[0] not in "cp"
    ]
    lemmas = hinted_proof(clauses, _lines(proof), must_stop)
    if lemmas is None:
        return None
    with replacing(path) as file:
        file.writelines(f"{line}\n" for line in lrat_lines(clauses, lemmas))
    return len(lemmas)


def _lines(path: str | Path) -> list[str]:
    """The lines of a file as proof checkers see them; `str.splitlines` would split a comment at other characters."""
    return read_text(path, _MOST_BYTES).removesuffix("\n").split("\n")


def lrat_lines(clauses: Sequence[Sequence[int]], lemmas: Sequence[HintedLemma]) -> Iterator[str]:
    """The lines of a proof: lemmas with their hints, each clause deleted after the last lemma that needs it.

    Clauses have the numbers from 1, in the order of the formula.

    Examples
    --------
    >>> clauses = [[1, 2], [1, -2], [-1, 3], [-1, -3], [2, 3]]
    >>> print(*lrat_lines(clauses, hinted_proof(clauses, ["1 0", "0"]) or ()), sep="\\n")
    5 d 5 0
    6 1 0 2 1 0
    6 d 2 1 0
    7 0 6 4 3 0
    """
    known = {number: list(clause) for number, clause in enumerate(clauses, start=1)}
    numbers = dict(zip(range(len(clauses)), known, strict=True))
    steps = []
    for lemma in lemmas:
        number = len(clauses) + 1 + len(steps)
        hints = _as_needed(lemma.literals, [numbers[hint] for hint in lemma.hints], known)
        steps.append((number, lemma.literals, hints))
        numbers[lemma.number], known[number] = number, lemma.literals
    last_needed_by = {hint: number for number, _, hints in steps for hint in hints}
    yield from _deletion(
        len(clauses), [number for number in range(1, len(clauses) + 1) if number not in last_needed_by]
    )
    for number, literals, hints in steps:
        yield " ".join(map(str, [number, *literals, 0, *hints, 0]))
        if literals:
            yield from _deletion(number, [hint for hint in hints if last_needed_by[hint] == number])


def _deletion(number: int, clauses: list[int]) -> Iterator[str]:
    if clauses:
        yield " ".join(map(str, [number, "d", *clauses, 0]))


def _as_needed(lemma: list[int], hints: list[int], clauses: dict[int, list[int]]) -> list[int]:
    """The hints up to the clause that is false, without those that make nothing true.

    The propagation by which they were found began with what is true without the lemma's negation, so that some make
    true what follows from that at once.
    """
    true = {-literal for literal in lemma}
    kept = []
    for hint in hints:
        left = {literal for literal in clauses[hint] if -literal not in true}
        if left & true:
            continue
        kept.append(hint)
        if not left:
            break
        true |= left
    return kept
