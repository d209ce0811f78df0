"""What probes, random boards and searches say beside a prediction, for scripts."""

from typing import TYPE_CHECKING, Any, NamedTuple

from ...csp.engines.result import Result
from ..owen.rounding import significant
from ..random_probes.tree_probes import Probes

if TYPE_CHECKING:
    from ..random_probes.solution_samples import Sample


class Sampled(NamedTuple):
    """What random boards say, along which order and by which seed, and whether Ctrl-C ended that."""

    sample: "Sample"
    order: str
    seed: int
    interrupted: bool

    def record(self) -> dict[str, Any]:
        """The same for scripts."""
        sample = self.sample
        return {
            "estimate": None if sample.estimate is None else significant(sample.estimate),
            "interval": None if sample.interval is None else [significant(end) for end in sample.interval],
            "error": sample.error,
            "exact": sample.exact is not None,
            "populations": len(sample.populations),
            "died_out": sample.died_out,
            "width": sample.width,
            "order": self.order,
            "seed": self.seed,
            "interrupted": self.interrupted,
        }


def probes_record(probes: Probes, fixed: int = 0) -> dict[str, Any]:
    """What probes say; depths count the fixed pieces."""
    return {
        "number": probes.number,
        "width": probes.width,
        "nodes": probes.total,
        "error": probes.total_error,
        "trusted_depth": probes.trusted_depth + fixed,
    }


def actual_record(actual: Result) -> dict[str, Any]:
    """What the search itself found."""
    return {
        "complete": actual.complete,
        "ended_by": actual.ended_by,
        "nodes": actual.nodes,
        "count": actual.count,
        "seconds": actual.seconds,
    }
