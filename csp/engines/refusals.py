"""Options that an engine does not have are refused, never ignored."""

from ..base.errors import EngineError, shortened
from .request import OF_ONE_ENGINE, Options

_WHAT_ENGINES_DO = {
    "cluster": ("counts on one machine", "backtrack counts on a cluster"),
    "encoding": ("makes no model, so it has no encodings", "sat:NAME, maxsat and cpsat do"),
    "ledger": ("keeps no ledger", "backtrack does"),
    "method": ("has one method only", "backtrack has several to count by"),
    "order": ("chooses each square as it goes, so it has no search order", "backtrack has one"),
    "proof": ("writes no proofs", "sat:cadical195 does"),
    "seed": ("makes no random choices that a seed could change", "cpsat does"),
    "slips": ("allows no slips", "backtrack, cpsat, sat:NAME and maxsat do"),
    "width": ("keeps no beam of partial boards", "beam does"),
}


def refuse_options(engine: str, options: Options, *unknown: str) -> None:
    """Keep an option from being ignored in silence.

    Raises
    ------
    EngineError
        If one of the options that the engine does not have is given, or one that another engine alone has.
    """
    of_others = (name for name, owner in OF_ONE_ENGINE.items() if owner != engine)
    for name in (*unknown, *of_others):
        if getattr(options, name) is not None:
            why, who = _WHAT_ENGINES_DO[name]
            raise EngineError(f"{name} {shortened(str(getattr(options, name)))!r}: the engine {engine} {why}; {who}")
