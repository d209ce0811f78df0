"""How many solutions a puzzle has, about: approximate counting by hashing (needs the extra ``approximate``).

ApproxMC cuts the models into cells by random parity constraints until the models of one cell can be counted.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from ...csp.base.errors import EngineError
from ..base.solver_process import end_with_parent, how_it_ended
from .cnf import EdgeMatchingCNF
from .export import clause_blocks

_INSTALL = 'pip install "jigsat[approximate]"'
# Versions 4.3.4 and 4.4.0 leave out a factor of two for each variable that their preprocessing finds to be free.
_KNOWN = (([[1, 2], [-1, -2]], 2), ([[1, -1], [2, 3]], 6))


@dataclass(frozen=True)
class ApproximateCount:
    """An estimate of the number of solutions.

    Parameters
    ----------
    count
        The estimate: ``cell_count * 2**hash_count * factor``.
    cell_count, hash_count
        Models in a cell, and the number of parity constraints that cut it out.  Without any (0) the estimate is the
        count itself: there were few enough models to count.
    factor
        How many arrangements a model stands for; 1 if the model does not break symmetry.
    epsilon, delta
        With probability ``1 - delta`` the count lies between ``count / (1 + epsilon)`` and ``count * (1 + epsilon)``.
    """

    count: int
    cell_count: int
    hash_count: int
    factor: int
    epsilon: float
    delta: float


def approximate_count(
    model: EdgeMatchingCNF, *, epsilon: float = 0.8, delta: float = 0.2, seed: int = 1
) -> ApproximateCount:
    """About how many arrangements solve a puzzle (clauses added to `model.cnf` included).

    With probability at least ``1 - delta`` the estimate is within a factor ``1 + epsilon`` of the count (Chakraborty,
    Meel and Vardi 2013, 2016).  It is no bound in either direction.

    Parameters
    ----------
    model
        The puzzle as a formula.  If it breaks symmetry, added clauses must not tell apart what the symmetries exchange.
    epsilon, delta
        How far the estimate may be off, and with what probability it may be off further.
    seed
        What the random choices are made by.

    Raises
    ------
    EngineError
        If ApproxMC is not installed, epsilon or delta is out of range, or the model breaks symmetry and its models
        stand for different numbers of arrangements.

    Examples
    --------
    >>> from jigsat import read
    >>> from jigsat.models.squares.cnf import build_cnf
    >>> approximate_count(build_cnf(read("puzzle-a"))).count   # doctest: +SKIP
    """
    for name, value, most in (("epsilon", epsilon, float("inf")), ("delta", delta, 1)):
        if not 0 < value < most:
            raise EngineError(f"{name} {value}: it must lie between 0 and {most}")
    if not 0 <= seed < 2**31:
        raise EngineError(f"seed {seed}: it must lie between 0 and 2^31 - 1")
    if find_spec("pyapproxmc") is None:
        raise EngineError(f"approximate counting needs ApproxMC: {_INSTALL}")
    factor = _factor(model)
    found = _ask(model, seed, epsilon, delta)
    if found is None:
        raise EngineError(f"the installed version of pyapproxmc loses powers of two of the count: {_INSTALL}")
    cells, hashes = found
    return ApproximateCount(cells * 2**hashes * factor, cells, hashes, factor, epsilon, delta)


def _factor(model: EdgeMatchingCNF) -> int:
    """How many arrangements each model stands for."""
    if not model.domains.symmetry:
        return 1
    if not model.domains.found.regular:
        raise EngineError(
            "models of this puzzle stand for different numbers of arrangements: build with symmetry=False"
        )
    return model.domains.tally().regular(1)[0]


def _ask(model: EdgeMatchingCNF, seed: int, epsilon: float, delta: float) -> tuple[int, int] | None:
    """The count of a cell and the number of hashes, None from a version that cannot be trusted.

    ApproxMC has a process of its own, for Ctrl-C does not reach it.
    """
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", f"from {__name__} import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0,  # Ctrl-C is this process's to notice
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with process.stdin as pipe:
            for part in ((seed, epsilon, delta, model.deciding), *_zero_ended(model)):
                pickle.dump(part, pipe, protocol=pickle.HIGHEST_PROTOCOL)
        return pickle.load(process.stdout)
    except (BrokenPipeError, EOFError):
        raise EngineError(f"ApproxMC's process {how_it_ended(process)}") from None
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def _zero_ended(model: EdgeMatchingCNF) -> Iterator[np.ndarray]:
    """The clauses in flat arrays, each followed by a 0."""
    for block in clause_blocks(model):
        yield np.pad(block, ((0, 0), (0, 1))).astype(np.int32).ravel()


def main() -> None:
    """The process: the question in, the answer out."""
    end_with_parent()
    question, answer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what ApproxMC prints must not get into the answer
    Counter = import_module("pyapproxmc").Counter  # noqa: N806 - an extra, which not everybody has

    def counted(clauses: list[list[int]]) -> int:
        counter = Counter()
        counter.add_clauses(clauses)
        cells, hashes = counter.count(sorted({abs(literal) for clause in clauses for literal in clause}))
        return cells * 2**hashes

    trusted = all(counted(clauses) == number for clauses, number in _KNOWN)
    seed, epsilon, delta, deciding = pickle.load(question)
    counter = Counter(seed=seed, epsilon=epsilon, delta=delta)
    while True:
        try:
            counter.add_clauses(pickle.load(question))
        except EOFError:
            break
    with answer:
        pickle.dump(counter.count(deciding.tolist()) if trusted else None, answer)
