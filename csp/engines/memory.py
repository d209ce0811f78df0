"""How much memory this process uses."""

import resource
import sys


def peak_rss_mib() -> float:
    """The most memory that this process has used, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024**2 if sys.platform == "darwin" else 1024), 1)
