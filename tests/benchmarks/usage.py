"""What benchmarks measure: processor time, by this process or by all that it has started."""

import resource


def user_seconds() -> float:
    """The user time of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def seconds_of_children() -> float:
    """The processor time of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
