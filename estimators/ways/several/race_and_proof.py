"""The best score: an engine that finds high scores quickly without proof, together with an engine that proves."""

from collections.abc import Sequence
from math import log10

from ..way import Way
from .hedges import portfolio_way

#: Seconds that the race gets before the proof starts; if the proof is expected to take less, there is no race.
RACE_SECONDS = 1.0
#: Without a time limit, the longest proof that is tried, in seconds.
_LONGEST_PROOF = 24 * 3600.0


def raced_and_proved(ways: Sequence[Way], seconds: float | None, threads: int) -> Way | None:
    """Combine a race with the quickest engine that proves, if the proof is expected to be long but feasible.

    - `ways`: all ways to the best score.
    - `seconds`: the time limit; None for no limit.
    - `threads`: the number of threads.
    """
    able = [way for way in ways if way.refusal is None]
    proofs = [way for way in able if way.time is not None and not way.races]
    races = [way for way in able if way.races]
    if not proofs or not races:
        return None
    race, proof = max(races, key=lambda way: way.score or 0.0), min(proofs, key=lambda way: way.expected)
    assert proof.time is not None
    longest = _LONGEST_PROOF if seconds is None else seconds
    if proof.expected <= RACE_SECONDS or proof.time.at_median > longest:
        return None
    # On one thread the two take turns, the quicker one first.
    time = proof.time if threads > 1 else proof.time.times(log10(2))
    both = (race, proof) if proof.time.at_median > RACE_SECONDS else (proof, race)
    how = f"proof by {proof.how}" if proof.how else ""
    return portfolio_way(both, race.plan, how, RACE_SECONDS, time, proof.memory)
