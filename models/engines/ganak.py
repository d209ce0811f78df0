"""The engine `ganak`: the exact model counter Ganak on a CNF of the puzzle, for counts."""

from collections.abc import Iterator

from ...csp.engines.request import Goal, Limits, Options, some_options
from ...csp.engines.tiling_run import TilingRun
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import Tiling
from ..base.encodings import Encoding, cnf_encoding
from ..base.model_counter import ModelCounter, need_ganak
from ..squares.board_counts import board_counts
from ..tilings.cnf import tiling_encoding
from ..tilings.domains import TilingDomains
from ..tilings.tiling_counts import tiling_counts
from .model_engine import ModelEngine, ModelRun, Watch
from .tilings import ModelTiler, counting

#: The default encoding of boards; most of the time goes into simplifying the formula, and this one is the smallest.
USUAL_ENCODING = "diamond"


class Ganak(ModelEngine):
    """The model counter Ganak in a separate process: counts without finding the solutions one by one."""

    name = "ganak"
    goals = frozenset({Goal.COUNT})
    takes = some_options("encoding", "order", "slips", "frame_slips")
    waits = True
    libraries = ("pyganak",)

    def encoding(self, text: str | None) -> Encoding:
        return cnf_encoding(USUAL_ENCODING if text is None else text)

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        super().check(goal, limits, options)
        need_ganak()

    def steps(self, run: ModelRun, watch: Watch) -> Iterator[Arrangement]:
        need_ganak()
        run.built()
        for counts in board_counts(run.domains, run.encoding, ModelCounter(run, watch)):
            run.harvest.begin_with([*counts, 0])
        run.exhausted = True
        yield from ()


class GanakTiler(ModelTiler):
    """The model counter Ganak in a separate process: counts without finding the tilings one by one."""

    name = "ganak"
    goals = frozenset({Goal.COUNT})
    takes = some_options("encoding")
    waits = True
    libraries = ("pyganak",)

    def encoding(self, text: str | None) -> str:
        return str(tiling_encoding(text))

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        super().check(goal, limits, options)
        need_ganak()

    def steps(self, run: TilingRun, watch: Watch) -> Iterator[Tiling]:
        need_ganak()
        counter, encoding = ModelCounter(run, watch), tiling_encoding(run.method)
        counting(run, counter.build(lambda: TilingDomains(run.puzzle, symmetry=run.options.symmetry)))
        for counts in tiling_counts(run.puzzle, encoding, counter, symmetry=run.options.symmetry):
            run.begin_with([*counts, 0])
        run.exhausted = True
        yield from ()
