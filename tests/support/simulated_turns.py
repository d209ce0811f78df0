"""Members of a portfolio that take turns by a clock of their own."""

from dataclasses import dataclass, field

from jigsat.csp.engines.portfolio_run import Turns


@dataclass(eq=False)
class Worker:
    """A member that is done after the given seconds of work."""

    need: float = float("inf")
    head_start: float = 1.0
    working: bool = False
    worked: float = 0.0
    turns: list = field(default_factory=list)

    @property
    def over(self):
        return self.worked >= self.need

    def go_on(self):
        assert not self.working
        assert not self.over
        self.working = True
        self.turns.append(0.0)

    def pause(self):
        assert self.working
        self.working = False


def simulated(workers, places, until, tick=0.25):
    """Let them work until a moment, or until somebody is done; the moment."""
    now = [0.0]
    turns = Turns(workers, places, lambda worker: now[0])
    while now[0] < until:
        turns.look()
        assert sum(worker.working and not worker.over for worker in workers) <= places
        now[0] += tick
        for worker in workers:
            if worker.working and not worker.over:
                worker.worked += tick
                worker.turns[-1] += tick
        if any(worker.over for worker in workers):
            break
    return now[0]
