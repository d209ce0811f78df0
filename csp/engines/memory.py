"""The memory use of this process and of others."""

import sys
from typing import TYPE_CHECKING

import psutil

try:
    import resource
except ModuleNotFoundError:  # on Windows
    resource = None

if TYPE_CHECKING:
    from resource import struct_rusage


def peak_rss_mib() -> float:
    """The peak memory of this process in MiB."""
    if resource is None:
        memory = psutil.Process().memory_info()
        return round(getattr(memory, "peak_wset", memory.rss) / 1024**2, 1)
    return round(_most_mib(resource.getrusage(resource.RUSAGE_SELF)), 1)


def children_usage() -> tuple[float, float]:
    """CPU seconds and peak memory in MiB of child processes that have ended; 0 on Windows, which records neither."""
    if resource is None:
        return 0.0, 0.0
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, _most_mib(usage)


def _most_mib(usage: "struct_rusage") -> float:
    return usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
