"""The schedule, by a clock that only the test moves."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.engines.portfolio_run import GROWTH, Turns


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


def test_turns_grow_and_the_shortest_one_is_next():
    first, second = Worker(head_start=2.0), Worker(head_start=0.5)
    simulated([first, second], 1, 0.5 + 1 + 2 + 2 + 4 + 4 + 3)
    assert first.turns == [2.0, 4.0, 3.0]
    assert second.turns == [0.5, 1.0, 2.0, 4.0]


def test_two_places_are_always_filled():
    workers = [Worker(), Worker(), Worker()]
    simulated(workers, 2, 60)
    assert sum(worker.worked for worker in workers) == 120
    assert min(worker.worked for worker in workers) > 10


def test_who_is_done_leaves_the_place_to_others():
    now = [0.0]
    one, two = Worker(need=0.5), Worker()
    turns = Turns([one, two], 1, lambda worker: now[0])
    turns.look()
    one.worked, now[0] = 0.5, 0.6
    turns.look()
    assert two.working
    # No member waits: there is no turn to be over.
    now[0] = 1000.0
    turns.look()
    assert two.working


@given(
    st.lists(st.tuples(st.integers(1, 200), st.sampled_from((0.5, 1.0, 3.0))), min_size=1, max_size=5),
    st.integers(1, 3),
)
def test_the_first_answer_waits_for_no_member_much_longer_than_it_worked(needs, places):
    """Every other member has had at most about the growth times as long as the one that is done, and its head start."""
    workers = [Worker(need, head_start) for need, head_start in needs]
    simulated(workers, places, 1e6)
    (done,) = [worker for worker in workers if worker.over][:1]
    if places == 1:
        for worker in workers:
            assert worker.worked <= GROWTH * (done.worked + done.head_start) + worker.head_start
    if places >= len(workers):
        assert done.need == min(worker.need for worker in workers)
