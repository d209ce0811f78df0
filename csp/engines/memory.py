"""The memory use of this process and of others."""

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import psutil

# Psutil does not know the peak memory of processes on Linux and macOS, nor this module that of Windows.
_RESOURCE: Any = import_module("resource") if find_spec("resource") else None


def peak_rss_mib() -> float:
    """The peak memory of this process in MiB."""
    if _RESOURCE is None:
        memory = psutil.Process().memory_info()
        return round(getattr(memory, "peak_wset", memory.rss) / 1024**2, 1)
    return round(_most_mib(_RESOURCE.getrusage(_RESOURCE.RUSAGE_SELF)), 1)


def children_usage() -> tuple[float, float]:
    """CPU seconds and peak memory in MiB of child processes that have ended; 0 on Windows, which records neither."""
    if _RESOURCE is None:
        return 0.0, 0.0
    usage = _RESOURCE.getrusage(_RESOURCE.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, _most_mib(usage)


def _most_mib(usage: Any) -> float:
    return usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
