"""The memory use of this process and of others."""

import resource
import sys


def peak_rss_mib() -> float:
    """The peak memory of this process in MiB."""
    return round(_most_mib(resource.getrusage(resource.RUSAGE_SELF)), 1)


def children_usage() -> tuple[float, float]:
    """CPU seconds and peak memory in MiB of child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, _most_mib(usage)


def _most_mib(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
