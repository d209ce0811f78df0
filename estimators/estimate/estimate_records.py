"""Records of probes, random boards and searches that accompany a prediction."""

from typing import TYPE_CHECKING, Any, NamedTuple

from ...csp.engines.result import Result
from ..owen.rounding import significant
from ..random_probes.tree_probes import Probes

if TYPE_CHECKING:
    from ..random_probes.solution_samples import Sample


class Sampled(NamedTuple):
    """The result of random boards, their order and random seed, and whether Ctrl-C ended them."""

    sample: "Sample"
    order: str
    seed: int
    interrupted: bool

    def record(self) -> dict[str, Any]:
        """All numbers, for scripts."""
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
    """The results of probes, for scripts; depths count the fixed pieces."""
    return {
        "number": probes.number,
        "width": probes.width,
        "nodes": probes.total,
        "error": probes.total_error,
        "trusted_depth": probes.trusted_depth + fixed,
        "interrupted": probes.interrupted,
    }


def actual_record(actual: Result) -> dict[str, Any]:
    """The result of the search, for scripts."""
    return {
        "complete": actual.complete,
        "ended_by": actual.ended_by,
        "nodes": actual.nodes,
        "count": actual.count,
        "seconds": actual.seconds,
    }
