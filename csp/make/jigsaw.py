"""Makes jigsaws with an exact number of solutions."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from ..base.errors import MAX_NAME, InstanceError, grouped, plural, told_of
from ..base.seeded_random import Chance
from ..base.stop import StoppedError, never
from ..base.strict_json import validated
from ..engines.engine import run_aside
from ..engines.request import Goal, Limits
from ..files.square_files import arrangement_from_rows, board_rows, check_pieces
from ..puzzles.board import Arrangement, Board
from ..puzzles.check_board import appearance, check
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.jigsaw_algebra import (
    Quality,
    connector_classes,
    jigsaw_from_assemblies,
    jigsaw_of,
    original,
    quality,
    shared_joins_of_pairs,
)
from ..work.steps import KeptSteps
from .annealing import Annealed, anneal, scrambles
from .jigsaw_wishes import JigsawWishes, SolutionsCounted

# Groups with few symmetries, for numbers of solutions that larger groups do not allow.
_SMALL_GROUPS = {True: (("d46",), ("d75",), ("d22",)), False: (("d66",), ("d44",), ("d22",))}

# More pairs of solutions are not listed in a summary.
_MOST_PAIRS = 10

# The node limit for counting, per wanted solution; beyond it a jigsaw is skipped.  Most need as many nodes as pieces.
_MOST_NODES = 5_000_000


@dataclass(frozen=True)
class MadeJigsaw:
    """A jigsaw that was made."""

    puzzle: EdgeMatchingPuzzle  #: The jigsaw, with its solutions as assemblies
    quality: Quality
    solutions: int | None  #: The number of its solutions; None if they were not all counted
    faults: tuple[str, ...]  #: The requirements that it does not meet, a few words each
    tried: int = 1  #: The number of scrambles tried

    @property
    def distance(self) -> tuple[int, int]:
        """The distance from the requirements; smaller is nearer."""
        return len(self.faults), self.solutions or _MOST_NODES

    @property
    def staying(self) -> dict[int, int]:
        """The number of pieces that stay, by the turn of the second assembly in degrees; empty with one assembly."""
        staying = self.quality.staying
        return {90 * turns: len(pieces) for turns, pieces in staying[0, 1].by_turn.items()} if staying else {}

    def record(self) -> dict[str, Any]:
        """Its quality, for scripts."""
        puzzle, quality = self.puzzle, self.quality
        return {
            "perfect": quality.perfect,
            "three_perfect": quality.three_perfect,
            "connectors": len(quality.uses),
            "max_use": max(quality.uses.values(), default=0),
            "shared_joins": quality.shared[0, 1] if quality.shared else None,
            "shared_joins_of_pairs": [
                {"assemblies": [one + 1, other + 1], "shared_joins": joins}
                for (one, other), joins in shared_joins_of_pairs(puzzle.board, puzzle.assemblies).items()
            ],
            "staying_pieces": {str(degrees): pieces for degrees, pieces in self.staying.items()},
            "faults": list(self.faults),
            "tried": self.tried,
        }

    def summary(self, *, verbose: bool = False) -> str:
        """Its quality in a sentence; with `verbose` also by turns and pairs of solutions."""
        quality = self.quality
        most = plural(max(quality.uses.values(), default=0), "join")
        if not verbose:
            text = f"  {plural(len(quality.uses), 'connector')} on at most {most} each{quality.words}"
            stay = self.staying.get(0, 0)
            if quality.staying:
                which = f"{grouped(stay)} of" if stay else "none of the"
                places = "stay in their places" if stay > 1 else "stays in its place"
                text += f"; {which} {grouped(len(self.puzzle.pieces))} pieces {places}"
            return f"{text}."
        lines = [f"  connectors       {grouped(len(quality.uses))}, on at most {most} each{quality.words}"]
        if len(quality.shared) > 1:
            pairs = [f"{i + 1} and {j + 1}: {grouped(joins)}" for (i, j), joins in quality.shared.items()]
            more = f"; at most {grouped(max(quality.shared.values()))} in all {len(pairs)} pairs"
            lines.append(f"  shared joins     {'; '.join(pairs[:_MOST_PAIRS])}{more * (len(pairs) > _MOST_PAIRS)}")
        if quality.staying:
            unturned, *turned = self.staying.items()
            numbers, degrees = (", ".join(grouped(pair[i]) for pair in turned) for i in (1, 0))
            of_all = f"{grouped(unturned[1])} of {grouped(len(self.puzzle.pieces))}"
            lines.append(f"  staying pieces   {of_all}; {numbers} with the second solution turned by {degrees} degrees")
        return "\n".join(lines)


def head_of(wishes: JigsawWishes) -> dict[str, Any]:
    """What the steps of a search depend on, for `keep_steps`."""
    return {"work": "make jigsaw", "command": wishes.command, "seed": wishes.seed}


_Number = Annotated[StrictInt, Field(ge=0)]
_Rows = list[list[tuple[_Number, _Number]]]


class _AnnealedEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")
    steps: _Number
    energy: _Number
    scramble: _Rows | None
    third: _Rows | None = None


class _CountedEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")
    solutions: list[_Rows]
    count: _Number | None
    ended_by: str | None


class _Steps:
    """The steps of a search for a jigsaw; those of an earlier run have the same outcomes without being done again."""

    def __init__(self, wishes: JigsawWishes, kept: KeptSteps) -> None:
        self._board, self._kept = Board(wishes.rows, wishes.columns), kept
        self._annealed = deque(entry["annealed"] for entry in kept.earlier if "annealed" in entry)
        self._counted = deque(entry["counted"] for entry in kept.earlier if "counted" in entry)
        self._least: int | None = None
        self._ended = False
        self._tell_kept()

    def _tell_kept(self) -> None:
        self._kept.taken_over = not (self._annealed or self._counted)

    @property
    def annealed(self) -> Iterator[Annealed]:
        """The annealings of the earlier run."""
        while self._annealed:
            entry = validated(_AnnealedEntry, self._annealed.popleft(), self._kept.label, {})
            self._tell_kept()
            if self._least is None or entry.energy < self._least:
                self._least = entry.energy
            # The scrambles that lead nowhere are not kept.
            scramble = () if entry.scramble is None else self._arrangement(entry.scramble)
            if entry.energy == 0 and not scramble:
                raise InstanceError(f"{self._kept.label}: a scramble is missing")
            third = () if entry.third is None else self._arrangement(entry.third)
            yield Annealed(scramble, entry.energy, entry.steps, (), third)

    def keep_annealed(self, found: Annealed) -> None:
        """Keep the outcome of an annealing."""
        wanted = found.energy == 0 or self._least is None or found.energy < self._least
        self._least = found.energy if self._least is None else min(self._least, found.energy)
        rows = board_rows(found.arrangement, self._board) if wanted else None
        entry = {"steps": found.steps, "energy": found.energy, "scramble": rows}
        if wanted and found.third:
            entry["third"] = board_rows(found.third, self._board)
        self._kept.add({"annealed": entry})

    def end(self) -> None:
        """Neither keep what follows nor take it from an earlier run: a run that is not stopped does not come to it."""
        self._ended = True

    def counted(self, jigsaw: EdgeMatchingPuzzle, count: Callable[[], SolutionsCounted]) -> SolutionsCounted:
        """The solutions of the next jigsaw: those of the earlier run, or else what `count` finds."""
        if self._ended:
            return count()
        if self._counted:
            entry, label = validated(_CountedEntry, self._counted.popleft(), self._kept.label, {}), self._kept.label
            solutions = tuple(map(self._arrangement, entry.solutions))
            for verdict in (check(jigsaw, board) for board in solutions):
                if not verdict.is_solution:
                    raise InstanceError(f"{label}: has what is not a solution: {verdict.problems[0]}")
            self._tell_kept()
            return SolutionsCounted(solutions, entry.count, entry.ended_by)
        found = count()
        rows = [board_rows(board, jigsaw.board) for board in found.solutions]
        self._kept.add({"counted": {"solutions": rows, "count": found.count, "ended_by": found.ended_by}})
        return found

    def _arrangement(self, rows: _Rows) -> Arrangement:
        with told_of(self._kept.label):
            found = arrangement_from_rows(rows, self._board, "board")
            check_pieces(found, self._board, len(self._board), "board", once=True, full=True)
        return found


def search_jigsaw(
    wishes: JigsawWishes,
    *,
    kept: KeptSteps | None = None,
    must_stop: Callable[[], bool] = never,
    report: Callable[[str], None] = lambda _: None,
) -> MadeJigsaw:
    """Search for a jigsaw with an exact number of solutions; a native search counts them.

    Sides that face each other in any of its assemblies must have opposite connectors; the number of connectors is the
    largest possible.  Returns the nearest jigsaw if `must_stop` ended the work or no other is possible: then it has
    `faults`, and its name and source show it.
    """
    nearest: MadeJigsaw | None = None
    tried, steps = 0, _Steps(wishes, KeptSteps() if kept is None else kept)
    for jigsaw in _candidates(wishes, steps, must_stop, report):
        tried += 1
        report(f"counting the solutions of scramble {tried}")
        made = _judged(wishes, jigsaw, steps, must_stop)
        if nearest is None or made.distance < nearest.distance:
            nearest = made
        if not made.faults or must_stop():
            break
        report(f"{tried} scrambles tried; the nearest has {' and '.join(nearest.faults)}")
    assert nearest is not None
    if nearest.faults:
        name = f"not a {wishes.title}"[:MAX_NAME]
        source = f"NOT as wished, but the nearest jigsaw found by: {wishes.command}"
        nearest = replace(nearest, puzzle=replace(nearest.puzzle, name=name, source=source))
    return replace(nearest, tried=tried)


def _candidates(
    wishes: JigsawWishes, steps: _Steps, must_stop: Callable[[], bool], report: Callable[[str], None]
) -> Iterator[EdgeMatchingPuzzle]:
    """Jigsaws that may meet the wishes; if no jigsaw does, the nearest one."""
    chance = Chance(wishes.seed)
    while wishes.chosen == "planted":
        yield _planted(wishes, chance)
    while wishes.chosen == "closed-form":
        yield _with_scramble(wishes, _closed_form(wishes.rows, wishes.columns, chance, must_stop))
    if wishes.chosen == "crystal":
        from .closed_forms import crystal

        yield _with_scramble(wishes, crystal(wishes.rows))
        return
    best: Annealed | None = None
    attempt, groups = anneal, None
    if wishes.of_three:
        # The SAT solver takes long to import.
        if wishes.chosen == "refinement":
            from .refinement import refine_pair as attempt
        else:
            from .pair_annealing import anneal_pair as attempt
        groups = wishes.symmetries_of_three
    elif wishes.solutions > 2:
        groups = _SMALL_GROUPS[wishes.rows == wishes.columns]

    def tell(found: Annealed) -> None:
        nonlocal best
        best = found
        if wishes.chosen == "refinement":
            solutions = plural(found.energy + wishes.solutions, "solution", str)
            report(f"{plural(found.steps, 'jigsaw')} counted, the nearest has {solutions}")
            return
        report(f"{found.steps / 1e6:.1f} million moves, {found.energy} faults remain in the nearest scramble")

    none = True
    seed = chance.below(2**53)
    for found in scrambles(
        wishes.of_scramble(),
        seed,
        groups=groups,
        earlier=steps.annealed,
        keep=steps.keep_annealed,
        must_stop=must_stop,
        report=tell,
        attempt=attempt,
    ):
        yield _with_scramble(wishes, found.arrangement, found.third)
        none = False
    if none and best is not None:
        steps.end()
        yield _with_scramble(wishes, best.arrangement, best.third)


def _closed_form(rows: int, columns: int, chance: Chance, must_stop: Callable[[], bool]) -> Arrangement:
    """A scramble in closed form; if stopped before one is found, one that comes near."""
    from .closed_forms import draw_closed_form, draw_even_form, draw_row_form
    from .mixed_form import draw_mixed_form

    odd_sides = rows % 2 + columns % 2
    if odd_sides != 1:
        return (draw_closed_form if odd_sides else draw_even_form)(rows, columns, chance)
    return draw_mixed_form(rows, columns, chance, must_stop) or draw_row_form(rows, columns, chance)


def _with_scramble(wishes: JigsawWishes, scramble: Arrangement, third: Arrangement = ()) -> EdgeMatchingPuzzle:
    board = Board(wishes.rows, wishes.columns)
    assemblies = [original(board), scramble, *([third] if third else [])]
    if third and connector_classes(board, assemblies).self_mating:
        # The nearest that was found, before its connectors were consistent.
        assemblies.pop()
    return jigsaw_from_assemblies(wishes.rows, wishes.columns, assemblies, wishes.title, wishes.command)


def _planted(wishes: JigsawWishes, chance: Chance) -> EdgeMatchingPuzzle:
    """One assembly, with its joins distributed to connectors of the wanted use, and random signs."""
    board = Board(wishes.rows, wishes.columns)
    each_its_own = connector_classes(board, [original(board)])
    joins = len(each_its_own.uses)
    dealt = chance.shuffled(range(joins))
    connector = [0] * (joins + 1)
    for place, join in enumerate(dealt):
        connector[join + 1] = (place // wishes.use + 1) * (1 - 2 * chance.below(2))
    own = each_its_own.connector
    sides = np.sign(own) * np.array(connector)[abs(own)]
    return jigsaw_of(wishes.rows, wishes.columns, sides, wishes.title, wishes.command, (original(board),))


def _judged(
    wishes: JigsawWishes, jigsaw: EdgeMatchingPuzzle, steps: _Steps, must_stop: Callable[[], bool]
) -> MadeJigsaw:
    """Check whether a jigsaw meets the wishes; its solutions become its assemblies."""
    found = quality(jigsaw)
    faults = list(_faults(wishes, found))
    most = wishes.solutions + 1
    limits = Limits(nodes=_MOST_NODES * wishes.solutions, solutions=most)

    def count() -> SolutionsCounted:
        # There each connector is on few joins.  For 50x51 the other search needs more than 20 million nodes.
        if wishes.chosen == "closed-form":
            from .consistent_domains import count_by_domains

            counted = count_by_domains(jigsaw, most, must_stop)
            if counted is not None:
                return counted
        result = run_aside("most-constrained", jigsaw, Goal.ALL, limits, must_stop)
        return SolutionsCounted(result.solutions, result.count, None if result.complete else result.ended_by)

    try:
        result = steps.counted(jigsaw, count)
    except StoppedError:
        return MadeJigsaw(jigsaw, found, None, (*faults, "an unknown number of solutions"))
    number = len(result.solutions)
    if result.ended_by is not None:
        more = result.ended_by == "solutions"
        faults.append(f"more than {wishes.solutions} solutions" if more else "an unknown number of solutions")
        return MadeJigsaw(jigsaw, found, None, tuple(faults))
    if number != wishes.solutions:
        faults.append(plural(number, "solution", str))
    assemblies: dict[object, Arrangement] = {}
    for assembly in (*jigsaw.assemblies, *result.solutions):
        assemblies.setdefault(appearance(jigsaw, assembly), assembly)
    known = {"count": result.count, "canonical_count": number}
    if len(assemblies) > len(jigsaw.assemblies):
        found = quality(replace(jigsaw, assemblies=tuple(assemblies.values())))
    jigsaw = replace(jigsaw, assemblies=tuple(assemblies.values()), known=known)
    return MadeJigsaw(jigsaw, found, number, tuple(faults))


def _faults(wishes: JigsawWishes, found: Quality) -> Iterator[str]:
    """The wishes that a jigsaw does not meet, except for solutions."""
    most = max(found.uses.values(), default=0)
    if wishes.connectors is None and most > wishes.use:
        yield f"a connector on {most} joins"
    if wishes.connectors is not None and len(found.uses) != wishes.connectors:
        yield f"{len(found.uses)} connectors"
    if any(found.shared.values()):
        yield "joins that are in both assemblies"
    if found.duplicates:
        yield "pieces that are equal"
    if found.symmetric:
        yield "pieces that look alike after a turn"
    if wishes.no_stay:
        board = Board(wishes.rows, wishes.columns)
        corners = board.turns() == 4
        staying = found.staying[0, 1]
        if staying.by_turn[0] or any(not corners or board.square_class(p) != "corner" for p in staying.pieces):
            yield "pieces that stay"
