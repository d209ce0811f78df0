"""A package of its own that offers engines, and how it is installed."""

SOURCE = '''
"""Engines that lay pieces at random, or none at all."""

import time
from dataclasses import dataclass
from random import Random

from jigsat.csp.engines.engine import SQUARES, Engine, EngineRun
from jigsat.csp.engines.request import About, Options, option, some_options
from jigsat.csp.engines.request import Goal
from jigsat.csp.engines.result import Status
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.search.beam.engine import BeamSearch


@dataclass(frozen=True, kw_only=True)
class ShuffleOptions(some_options("seed")):
    """What the engine takes."""

    tries: int = option(1000, About("how many boards to try", "N", "whole", without="tries no boards"))


class Shuffle(Engine):
    """Boards at random, until one is a solution."""

    name = "shuffle"
    kinds = SQUARES
    goals = frozenset({Goal.SOLVE})
    takes = ShuffleOptions
    proves = False
    counts_nodes = True

    def prepared(self, puzzle, goal, limits, options, stop):
        return ShuffleRun(self.name, puzzle, goal, limits, options, stop)


class Sleeper(Shuffle):
    """An engine that heeds no limit."""

    name = "sleeper"

    def prepared(self, puzzle, goal, limits, options, stop):
        return SleepingRun(self.name, puzzle, goal, limits, options, stop)


@dataclass(frozen=True, kw_only=True)
class WideOptions(some_options("order", "slips", "frame_slips", "seed", "threads", "width", "device")):
    factor: int = option(1, About("by what the width is multiplied", "N", "whole", without="has no factor"))


class WideBeam(BeamSearch):
    """Beams that are wider than asked for."""

    name = "wide-beam"
    takes = WideOptions

    def race(self, puzzle, limits, options, stop):
        width = None if options.width is None else options.width * options.factor
        taken = {name: getattr(options, name) for name in self.options if name != "factor"}
        return super().race(puzzle, limits, Options(**{**taken, "width": width}), stop)


class ShuffleRun(EngineRun):
    found = ()
    tried = 0

    def steps(self, report):
        chance, puzzle = Random(self.options.seed), self.puzzle
        while self.tried < self.options.tries and self.limit_reached() is None:
            self.tried += 1
            pieces = chance.sample(range(len(puzzle.pieces)), len(puzzle.board))
            board = tuple(Placement(piece, chance.randrange(4)) for piece in pieces)
            if check(puzzle, board).is_solution:
                self.found = board
                yield board
                return

    def result(self, kept):
        status = Status.SATISFIABLE if self.found else Status.UNKNOWN
        nodes = (self.tried,) * len(self.puzzle.board)
        ended_by = self.stop.ended_by or "restarts"
        board = self.found or None
        return self.answer(kept, status, ended_by, complete=bool(self.found), nodes=nodes, board=board)

    @property
    def shown_options(self):
        return {"symmetry": self.options.symmetry}


class SleepingRun(ShuffleRun):
    def steps(self, report):
        time.sleep(60)
        return iter(())
'''

ENTRY_POINTS = """
[jigsat.engines]
wide-beam = shuffled_engine:WideBeam
shuffle = shuffled_engine:Shuffle
sleeper = shuffled_engine:Sleeper
"""


def install(folder):
    """Write the package and its metadata into a folder, as pip installs packages."""
    info = folder / "shuffled_engine-1.0.dist-info"
    info.mkdir()
    (folder / "shuffled_engine.py").write_text(SOURCE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shuffled-engine\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder
