"""Beams on a processor and on a GPU, or on Numba's simulator of one, in a process of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import simulated_gpu


@dataclass(frozen=True)
class BeamCase:
    """A beam."""

    #: The puzzle.
    puzzle: object
    #: The number of the order, the width, the random seed, and a slip array.
    order: int = 0
    width: int = 400
    seed: int = 1
    slips: tuple[int, ...] | None = None
    #: The most threads of a launch in the simulator.
    threads: int = 4
    #: Constants of the modules `gpu_beam` and `gpu_memory`.
    constants: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class BeamOutcome:
    """What became of a beam, on a processor or a GPU."""

    #: The boards of each layer.
    numbers: list
    #: The invalid joins of the last layer's boards, sorted.
    invalid: list
    #: Those of the boards of each layer, sorted.
    potentials: list
    hopes: list
    #: As of the beam.
    is_exhaustive: bool
    is_full: bool
    #: The board with the fewest invalid joins.
    best: tuple
    #: For each layer: how many children there were, how many were kept, at most how many, the least score of those,
    #: and the largest of the others; None instead of a score that does not exist.  On a GPU only.
    cut: list


def beams(cases, simulated=True):
    return simulated_gpu.answers("simulated_beams", cases, simulated)


def answer(case):
    from jigsat.csp.engines.tallies import Tally
    from jigsat.csp.puzzles.orders import fixed_first
    from jigsat.csp.puzzles.symmetry import symmetries
    from jigsat.csp.search.beam.beam_search import Beam
    from jigsat.csp.search.beam.routes import BeamTables
    from jigsat.csp.search.beam.setting import Setting, all_beam_orders

    puzzle, found = case.puzzle, symmetries(case.puzzle)
    tables, orders = BeamTables(puzzle), all_beam_orders(puzzle)
    order = fixed_first(puzzle, orders[case.order % len(orders)])
    setting = Setting(puzzle, tables, order, case.slips)
    tally = Tally(puzzle, found, tables.candidates, order[len(puzzle.fixed) :], None, by_type=True)
    on_gpu, cut = _gpu_beam(case, setting)
    return _outcome(Beam(setting, case.width, case.seed), tally, []), _outcome(on_gpu, tally, cut)


def _gpu_beam(case, setting):
    """A beam on the GPU, and the list to which it adds how each layer was cut."""
    import numpy as np

    from jigsat.csp.search.beam import gpu_beam
    from jigsat.csp.search.beam import gpu_beam as gpu_memory
    from jigsat.csp.search.beam import gpu_kernel as kernel
    from jigsat.csp.search.beam.gpu_beam import GpuSetting, Room
    from jigsat.csp.search.gpu import Gpu, find_gpu

    gpu, cut = find_gpu("cuda"), []

    class Simulator(Gpu):
        def grid(self, items):
            return (1, min(max(items, 1), case.threads)) if self.simulated else super().grid(items)

    class Noted(gpu_beam.GpuBeam):
        def _limit(self, children, width, threshold):
            limit, buffer = super()._limit(children, width, threshold), self._room.children
            order, score = (array.copy_to_host()[:children] for array in (buffer.order, buffer.score))
            kept, others = score[order < limit], score[(order >= limit) & (order != kernel.NEVER)]
            ends = (int(part.item()) if part.size else None for part in (_least(kept), _most(others)))
            cut.append((children, len(kept), width, *ends))
            return limit

    def _least(scores):
        return np.sort(scores)[:1]

    def _most(scores):
        return np.sort(scores)[-1:]

    for name, value in case.constants.items():
        setattr(gpu_beam if hasattr(gpu_beam, name) else gpu_memory, name, value)
    prepared = GpuSetting(setting)
    simulator = Simulator(gpu.number, gpu.name, gpu.multiprocessors, gpu.simulated)
    return Noted(simulator, prepared, Room([setting], case.width), case.width, case.seed), cut


def _outcome(beam, tally, cut):
    import numpy as np

    numbers, potentials, hopes = [], [], []
    while beam.number and not beam.is_full:
        if beam.depth == len(beam._setting.free) - 1:
            beam.tell_apart()
        numbers.append(beam.extend())
        potential, hope = beam._boards.potential[: beam.number], getattr(beam, "_hope", None)
        hope = beam._boards.hope[: beam.number] if hope is None else hope[: beam.number]
        if hasattr(potential, "copy_to_host"):
            from jigsat.csp.search.beam.gpu_kernel import UNIT

            potential, hope = (array.copy_to_host() / UNIT for array in (potential, hope))
        potentials.append(np.sort(potential).tolist())
        hopes.append(np.sort(hope).tolist())
    best = next(iter(tally.arrangements(beam.best_row()[None]))) if beam.is_full and beam.number else ()
    invalid = np.sort(beam.invalid).tolist()
    return BeamOutcome(numbers, invalid, potentials, hopes, beam.is_exhaustive, beam.is_full, best, cut)
