"""Two walks of one search tree, one with a quick kernel and one without it, advanced by the same slices."""

import numpy as np
import pytest

from jigsat.csp.search.ordered import walk as walk_module
from jigsat.csp.search.shared_tree import EXHAUSTED


def advanced(walk, budget):
    """What a slice reports."""
    code = walk.advance(budget)
    return code, walk.nodes.tolist(), walk.solutions().tolist(), walk.deepest().tolist()


def agree(quick, plain, budgets):
    """Advance both by the same slices, the quick kernel and the plain one taking turns all the time, to the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk_module, "_SPRINTLESS", np.uint64(3))
        for budget in (*budgets, *[20_000] * 50):
            found = advanced(quick, budget)
            assert found == advanced(plain, budget)
            if found[0] == EXHAUSTED:
                return
            assert quick.done() == plain.done()
