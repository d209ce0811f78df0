"""What a race of beams has on a GPU: its settings there, and the room that one beam after the other uses."""

from collections.abc import Callable
from functools import cache

from ....engines.request import Options
from ...gpu import find_gpu
from ..setting import Setting
from .gpu_beam import GpuBeam
from .gpu_memory import GpuSetting, Room

#: The number of beams among which a limit is divided; the width of a beam without a limit, and of the first beams; each
#: is wider than the one before by the last factor.
BEAMS, WIDTH, FIRST, WIDENED = 4, 1_000_000, 16_384, 64
# The assumed nodes per second of a multiprocessor, and the parts of the memory to use: for a width that is chosen here,
# and for one that is given.  A race goes on with the width that it chose, with a little less memory, too.
_NODES_PER_SECOND, _MEMORY, _MOST_MEMORY = 1_900_000, 0.8, 0.95


class RaceOnGpu:
    """The GPU of a race, and what is on it.

    - `options`: the options of the race.
    - `setting`, `orders`: the setting of each order of squares, and the number of orders.

    Attributes
    ----------
    most_bytes, bytes_a_board
        The memory for beams, and how much of it a beam takes for each board of its width.
    rate
        The assumed number of nodes per second.

    Raises JigsatError if there is no GPU, or the puzzle is too large for its kernels.
    """

    def __init__(self, options: Options, setting: Callable[[int], Setting], orders: int) -> None:
        assert options.device is not None
        self._gpu = find_gpu(options.device)
        self._gpu.use()
        self._settings = [setting(order) for order in range(orders)]
        self._prepared = cache(lambda order: GpuSetting(self._settings[order]))
        self._room: Room | None = None
        GpuBeam.warm_up(self._gpu, self._prepared(0))
        free, self.bytes_a_board = self._gpu.free_bytes, Room.bytes_a_board(self._settings)
        self._bytes, self.most_bytes = int(_MEMORY * free), int(_MOST_MEMORY * free)
        self.rate = _NODES_PER_SECOND * self._gpu.multiprocessors

    def __str__(self) -> str:
        return str(self._gpu)

    @property
    def widest(self) -> int:
        """The largest width of a beam, rounded, so that a little less memory does not change it."""
        most = self._bytes // self.bytes_a_board
        unit = 10 ** max(len(str(most)) - 2, 0)
        return most // unit * unit

    def begun(self, order: int, width: int, seed: int, widest: int) -> GpuBeam:
        """A beam along an order, in the room for the widest one."""
        self._gpu.use()
        if self._room is None:
            self._room = Room(self._settings, widest)
        return GpuBeam(self._gpu, self._prepared(order), self._room, width, seed)

    def leave(self) -> None:
        """Give back the memory; a further beam takes it again."""
        self._room = None
        self._gpu.release()
