"""Pictures: what no command can ask for is refused, too."""

import pytest

from jigsat import draw
from jigsat.csp.base.errors import UsageError
from solved_clue import CLUE


def test_pieces_have_no_order():
    with pytest.raises(UsageError, match=r"^order: cannot be drawn with the pieces"):
        draw(CLUE, pieces=True, order="best")
