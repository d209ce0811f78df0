"""How much memory this process uses, and what others took."""

import resource
import sys


def peak_rss_mib() -> float:
    """The most memory that this process has used, in MiB."""
    return round(_most_mib(resource.getrusage(resource.RUSAGE_SELF)), 1)


def children_usage() -> tuple[float, float]:
    """CPU seconds and the most memory in MiB of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, _most_mib(usage)


def _most_mib(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
