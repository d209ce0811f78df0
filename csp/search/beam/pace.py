"""The pace of a beam: it becomes narrower if it would not end before the time is over."""

from itertools import accumulate

from ...base.stop import Stop
from .setting import Setting

# Boards are timed from this part of the board on, since earlier ones take half as long.  When this number of squares
# have been timed, the width begins to depend on the time that they took.  The beam is to end in this part of the time
# that is left, and is never made narrower than this number of boards.
_TIMED_FROM, _SQUARES, _USED, _LEAST = 0.55, 8, 0.95, 250


class BeamPace:
    """How many boards a beam may keep, square by square.

    - `setting`, `width`: the setting of the beam, and its width.
    - `stop`: what knows the time that is left.

    Attributes:
    - `is_narrowed`: whether fewer boards than planned were kept.
    """

    def __init__(self, setting: Setting, width: int, stop: Stop) -> None:
        self._stop = stop
        parts = [setting.part(depth) for depth in range(len(setting.free))]
        self._planned = [setting.width_at(part, width) for part in parts]
        # The number of boards from each square on.
        self._still = [*accumulate(reversed(self._planned))][::-1]
        self._first = next((depth for depth, part in enumerate(parts) if part >= _TIMED_FROM), len(parts))
        self._began, self._boards = 0.0, 0
        self.is_narrowed = False

    def most(self, depth: int) -> int | None:
        """The most boards to keep of the square that is filled next; None for as many as planned.

        Called once for each square, in order.
        """
        left, planned = self._stop.seconds_left, self._planned[depth]
        if left is None or depth < self._first:
            return None
        if depth == self._first:
            self._began = self._stop.used
        most = planned
        if depth >= self._first + _SQUARES:
            needed = (self._stop.used - self._began) / self._boards * self._still[depth]
            most = max(int(planned * min(_USED * left / max(needed, 1e-9), 1.0)), min(_LEAST, planned))
        self._boards += most
        if most == planned:
            return None
        self.is_narrowed = True
        return most
