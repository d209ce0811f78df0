"""Engines that do what a test says, for puzzles of squares: portfolios have them as members."""

import threading
from dataclasses import dataclass, field
from itertools import count

from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import Progress
from jigsat.csp.engines import BUILT_IN
from jigsat.csp.engines.engine import SQUARES, Engine, EngineRun
from jigsat.csp.engines.request import Goal, some_options
from jigsat.csp.engines.result import Status

NAMES = ("endless", "quick", "faulty", "unable", "patient", "bounding", "boards", "idle")


@dataclass
class Script:
    """What the engines do, and what they did.

    Attributes
    ----------
    solution
        The board that is found.
    asked
        How often each engine has asked whether to stop.
    attempts
        How often each one has begun.
    ended
        The engines whose search was asked to stop.
    go
        What the engine `quick` waits for, besides being allowed to go on.
    """

    solution: tuple = ()
    asked: dict = field(default_factory=dict)
    attempts: dict = field(default_factory=dict)
    ended: list = field(default_factory=list)
    go: threading.Event = field(default_factory=threading.Event)


SCRIPT = Script()


def install(monkeypatch, solution):
    """Have the engines for the time of a test; the script of what they do."""
    for name in NAMES:
        monkeypatch.setitem(BUILT_IN["edge-matching"], name, f"{__name__}:{name.title()}")
    fresh = Script(solution)
    vars(SCRIPT).update(vars(fresh))
    return SCRIPT


class ScriptedRun(EngineRun):
    """A run that asks whether to stop until `act` says that it is done."""

    board, proved = None, False

    def __init__(self, act, *arguments):
        super().__init__(*arguments)
        self._act = act

    def steps(self, report):
        name = self.engine_name
        SCRIPT.attempts[name] = SCRIPT.attempts.get(name, 0) + 1
        for number in count():
            if self.limit_reached() is not None:
                SCRIPT.ended.append(name)
                return
            SCRIPT.asked[name] = SCRIPT.asked.get(name, 0) + 1
            if self._act(self, number, report):
                break
            threading.Event().wait(0.001)
        if self.board is not None and self.goal is not Goal.COUNT:
            yield self.board

    def result(self, kept):
        best = self.goal is Goal.BEST
        found = Status.FEASIBLE if best else Status.SATISFIABLE
        status = Status.UNKNOWN if self.board is None else found
        bound = {"best_bound": self.puzzle.max_score} if best else {}
        counts = (int(self.board is not None),) * 2
        return self.answer(
            kept, status, self.stop.ended_by or "restarts", complete=self.proved, board=self.board, counts=counts,
            **bound,
        )  # fmt: skip

    @property
    def shown_options(self):
        return {"symmetry": self.options.symmetry}


class Scripted(Engine):
    kinds, goals, takes, waits = SQUARES, frozenset(Goal), some_options(), True

    def prepared(self, puzzle, goal, limits, options, stop):
        return ScriptedRun(self.act, self.name, puzzle, goal, limits, options, stop)

    @staticmethod
    def act(run, number, report):
        return False


class Endless(Scripted):
    """Finds nothing, and never ends of itself."""

    name = "endless"


class Quick(Scripted):
    """Finds the solution when the test allows it."""

    name = "quick"

    @staticmethod
    def act(run, number, report):
        if SCRIPT.go.is_set():
            run.board, run.proved = SCRIPT.solution, True
        return run.proved


class Patient(Scripted):
    """Finds the solution if it is left alone for so long; it cannot wait."""

    name, waits = "patient", False

    @staticmethod
    def act(run, number, report):
        if run.seconds > 0.3:
            run.board, run.proved = SCRIPT.solution, True
        return run.proved


class Faulty(Scripted):
    name = "faulty"

    @staticmethod
    def act(run, number, report):
        raise AssertionError("a fault of the engine")


class Unable(Scripted):
    """Finds out that it cannot search the puzzle."""

    name = "unable"

    def prepared(self, puzzle, goal, limits, options, stop):
        raise EngineError(f"{puzzle.name}: the engine unable cannot do it")


class Boards(Scripted):
    """For the goal best: has the best board, and no proof; it ends."""

    name = "boards"
    proves = False

    @staticmethod
    def act(run, number, report):
        run.board = SCRIPT.solution
        return True


class Bounding(Scripted):
    """For the goal best: has no board, and finds out what is possible at most."""

    name = "bounding"

    @staticmethod
    def act(run, number, report):
        report(Progress(scores=(None, run.puzzle.score(SCRIPT.solution))))
        return False


class Idle(Boards):
    name = "idle"

    @staticmethod
    def act(run, number, report):
        return True
