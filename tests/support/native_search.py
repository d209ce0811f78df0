"""Solutions by the library's own search, for tests of other parts."""

from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal


def solutions_of(puzzle):
    """One of each."""
    result = find_engine("most-constrained").run(puzzle, Goal.ALL)
    assert result.complete
    return result.solutions
