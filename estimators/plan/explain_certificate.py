"""The ways to a certificate: the encodings of a puzzle as a formula, with the chosen one first."""

from ...csp.base.errors import EngineError
from ...csp.engines.request import DEFAULTS, NO_LIMITS, Goal, Options
from ...csp.files.instances import Puzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..effort.search_effort import Plan
from ..ways.square_ways import SquareWays
from ..ways.way import Way
from .explain import Explanation, times_of

#: The goal of certificates.
CERTIFY = "certify"


def explain_certificate(puzzle: Puzzle, encoding: str | None = None, solver: str | None = None) -> Explanation:
    """List the ways of `jigsat certify`; no time is predicted for them.

    There is no fitted model for proofs: certificates of 6x6 puzzles with 6 to 8 inner colours took 2 to 40 times as
    long as predicted for a count without a proof.  A note reports the prediction for that count.

    - `puzzle`, `encoding`, `solver`: as for `certify`.

    Raises UsageError or EngineError if the puzzle is a dissection, or the encoding or solver does not exist or does not
    apply to the puzzle.
    """
    from ...models.base.encodings import BITS, CNF_NAMES, cnf_encoding
    from ...models.base.solver_process import check_prover
    from ...models.proofs.certify_exactly import POSITIONS, of_squares, usual_encoding
    from ...models.squares.bits_cnf import no_bits

    squares, prover = of_squares(puzzle), "cadical195" if solver is None else solver
    check_prover(prover)
    why = no_bits(squares)
    if encoding == BITS and why is not None:
        raise EngineError(f"encoding {BITS}: {why}")
    if encoding not in (None, BITS):
        cnf_encoding(encoding)
    taken = usual_encoding(squares) if encoding is None else encoding
    names = dict.fromkeys((taken, BITS, *CNF_NAMES) if encoding is None else (taken,))
    ways = [_way(f"sat:{prover}", name, why if name == BITS else None) for name in names]
    notes = [f"if {BITS} is inconclusive, {POSITIONS} is used instead"] if encoding is None and taken == BITS else []
    first_able = tuple(sorted(ways, key=lambda way: way.refusal is not None))
    return Explanation(squares, CERTIFY, first_able, (*notes, *_count_alone(squares, prover)))


def _way(engine: str, encoding: str, refusal: str | None) -> Way:
    return Way(engine, Plan(None, Options(encoding=encoding)), f"encoding {encoding}", refusal=refusal)


def _count_alone(puzzle: EdgeMatchingPuzzle, solver: str) -> list[str]:
    """Notes on the predicted time of a count by the same solver without a proof."""
    way = SquareWays(puzzle, Goal.COUNT, NO_LIMITS, DEFAULTS).fitted(f"sat:{solver}")
    if way.time is None:
        return []
    median, interval = times_of(way.time)
    return [
        f"a count without a proof: {median} ({interval}) predicted for {way.name}",
        "on 6x6 boards, writing and checking the proof took 2 to 40 times as long",
        "if there are more solutions than stated, the search ends at the first extra one",
    ]
