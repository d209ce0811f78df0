"""Where the time of beams on a GPU goes: seconds of each kernel, boards a second, and the best score by width.

Run by hand, where there is a GPU:  python tests/benchmarks/gpu_beam.py [--puzzle eternity2-hints] [--widths 1e6 4e6]

The processor waits for each kernel, which costs some tens of microseconds each; the last column is without that.
"""

import argparse
import time
from collections import defaultdict
from typing import Any

import numpy as np
from numba import cuda

from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.orders import fixed_first
from jigsat.csp.search.beam.gpu_beam import GpuBeam, GpuSetting, Room
from jigsat.csp.search.beam.routes import BeamTables
from jigsat.csp.search.beam.setting import Setting, all_beam_orders
from jigsat.csp.search.gpu import Gpu, find_gpu


class TimedBeam(GpuBeam):
    """A beam that waits for each kernel and adds up its seconds."""

    seconds: defaultdict[str, float]

    def _launch(self, kernel: Any, items: int, *arguments: Any) -> None:
        name = getattr(kernel, "py_func", kernel).__name__
        if name == "gather":
            name += " (count)" if arguments[-1] else " (write)"
        cuda.synchronize()
        started = time.perf_counter()
        super()._launch(kernel, items, *arguments)
        cuda.synchronize()
        self.seconds[name] += time.perf_counter() - started


def one_beam(kind: type[GpuBeam], gpu: Gpu, prepared: GpuSetting, room: Room, seed: int) -> tuple[GpuBeam, int, float]:
    """A beam to its end, its boards, and its seconds."""
    started = time.perf_counter()
    beam, boards = kind(gpu, prepared, room, room.width, seed), 0
    if isinstance(beam, TimedBeam):
        beam.seconds = defaultdict(float)
    while beam.number and not beam.is_full:
        boards += beam.extend()
    cuda.synchronize()
    return beam, boards, time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzle", default="eternity2-hints", help="bundled instance or file")
    parser.add_argument("--widths", type=float, nargs="+", default=[1e6])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--order", type=int, default=0, help="number of the order of squares")
    parser.add_argument("--device", default="cuda")
    arguments = parser.parse_args()
    gpu, puzzle = find_gpu(arguments.device), read_squares(arguments.puzzle)
    tables, orders = BeamTables(puzzle), all_beam_orders(puzzle)
    order = fixed_first(puzzle, orders[arguments.order % len(orders)])
    prepared = GpuSetting(Setting(puzzle, tables, order))
    started = time.perf_counter()
    GpuBeam.warm_up(gpu, prepared)
    print(f"{gpu.name}, {puzzle.name}: kernels compiled in {time.perf_counter() - started:.1f} s")
    for width in map(int, arguments.widths):
        room = Room([prepared.setting], width)
        beam, boards, seconds = one_beam(GpuBeam, gpu, prepared, room, arguments.seed)
        score = puzzle.max_score - beam.fewest_invalid if beam.number else None
        rate = boards / seconds / 1e6
        print(f"width {width:,}: score {score}, {boards:,} boards in {seconds:.2f} s, {rate:.1f} M/s", flush=True)
        timed, _, seconds = one_beam(TimedBeam, gpu, prepared, room, arguments.seed)
        assert isinstance(timed, TimedBeam)
        same = timed.number == beam.number and np.array_equal(np.sort(timed.invalid), np.sort(beam.invalid))
        shares = (f"{name} {part:.2f}" for name, part in sorted(timed.seconds.items(), key=lambda pair: -pair[1]))
        print(f"  {seconds:.2f} s, {'the same boards' if same else 'OTHER BOARDS'}: {', '.join(shares)}", flush=True)
        del room, beam, timed
        gpu.release()


if __name__ == "__main__":
    main()
