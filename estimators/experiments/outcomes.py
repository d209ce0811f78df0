"""The runs of an experiment, in the form that its report uses."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, log10
from typing import Any, Generic, TypeVar

from ...csp.base.words import log10_of, log_sum
from ...csp.engines.engine import follows_order
from .files import DEFAULT

_Item = TypeVar("_Item")
_Value = TypeVar("_Value")
_Key = TypeVar("_Key", bound=Hashable)

#: Outcomes without information about how hard a puzzle is for an engine.
NO_ANSWER = ("refused", "interrupt")
_COUNTED = ("count", "all")
# Engines that choose these options by the puzzle if they are not given; then they are not part of the label.
_CHOOSE = {"beam": ("order", "width"), "dive": ("order", "slips")}
# Options that can be given without an engine.
_FOR_ALL = ("motions", "symmetry", "threads", "slips")
_SHOWN_FIRST = ("order", "method", "encoding", "motions", "slips", "symmetry", "threads")


class _Noted(Generic[_Value]):
    """A property of a run from its record; from a section of the record, None if it is missing."""

    def __init__(self, name: str, section: str | None = None) -> None:
        self._name, self._section = name, section

    def __get__(self, run: "Outcome", owner: type["Outcome"]) -> _Value:
        if self._section is None:
            return run.record[self._name]
        section: Any = run.record.get(self._section) or {}
        return section.get(self._name)


@dataclass(frozen=True, eq=False)
class Outcome:
    """One run."""

    #: The whole record.
    record: Mapping[str, Any]
    #: The engine, and those of its options in which the runs of the engine differ.
    label: str
    #: The symmetry factor of the puzzle, from any of its records; None if no record has it.
    symmetry_factor: int | None = None

    part = _Noted[str]("part")  #: the part of the experiment
    family = _Noted[str]("family")  #: the generated family or pattern of files; a bundled puzzle's name
    instance = _Noted[str]("instance")  #: the puzzle's name
    sha256 = _Noted[str]("sha256")  #: the fingerprint of the puzzle
    kind = _Noted[str]("kind")  #: the kind of the puzzle
    source = _Noted[Mapping[str, Any]]("source")  #: the entry of the experiment that made the puzzle
    goal = _Noted[str]("goal")  #: the goal
    outcome = _Noted[str]("outcome")  #: how the run ended: ``solved``, ``time``, ``memory`` and so on
    seed = _Noted[int | None]("seed", "source")  #: the seed of a generated puzzle
    limit = _Noted[float | None]("seconds", "limits")  #: the time limit in seconds
    depth_limit = _Noted[int | None]("depth", "limits")  #: the depth limit of the search
    rows = _Noted[int | None]("rows", "facts")  #: rows of the board; None for a dissection, as all properties of boards
    columns = _Noted[int | None]("columns", "facts")  #: columns of the board
    inner_colors = _Noted[int | None]("inner_colors", "facts")  #: inner colours of the puzzle
    clues = _Noted[int | None]("clues", "facts")  #: fixed pieces

    @property
    def engine(self) -> str:
        """The engine without its options; ``default`` if the experiment named no engine."""
        return DEFAULT if self._asked("engine") == DEFAULT else self.record["engine"]

    @property
    def options(self) -> Mapping[str, Any]:
        """The options and the number of threads, without those that are unknown or have no effect.

        For solvers, the order only determines where slips may be, and with the goal best slips may be anywhere.
        """
        options = {**(self.record.get("options") or {}), "threads": self.record.get("threads")}
        options["method"] = self._asked("method")
        rows, columns = self.rows or 0, self.columns or 0
        inner_joins = rows * (columns - 1) + columns * (rows - 1) - 2 * (rows - 1) - 2 * (columns - 1)
        if self.goal == "best" and options.get("slips") == f"1x{inner_joins}":
            options["slips"] = ""
        if self.engine == DEFAULT:
            slips = options.get("slips") if self._asked("slips") else None
            options = {name: value for name, value in options.items() if name in _FOR_ALL} | {"slips": slips}
        elif self.engine in _CHOOSE:
            options |= {name: None for name in _CHOOSE[self.engine] if self._asked(name) is None}
        elif not follows_order(self.engine) and not options.get("slips"):
            options["order"] = None
        return {name: value for name, value in options.items() if value is not None}

    @property
    def order(self) -> str | None:
        return self.options.get("order")

    @property
    def slips(self) -> str:
        """The slip arrays that boards must obey; empty without slips."""
        slips, frame = self.options.get("slips", ""), self.options.get("frame_slips")
        return f"{slips} and {frame} along the frame".removeprefix(" and ") if frame else slips

    @property
    def solved(self) -> bool:
        """Whether the goal was reached."""
        return self.outcome == "solved"

    @property
    def counted(self) -> bool:
        """Whether the goal asks for a search of the whole tree: count and all."""
        return self.goal in _COUNTED

    @property
    def seconds(self) -> float:
        """The engine's time, with planning for ``default``; the time of the process if the run was killed."""
        seconds = self.record.get("answer_seconds" if self.engine == DEFAULT else "seconds")
        return self.record["wall_seconds"] if seconds is None else seconds

    @property
    def done(self) -> bool:
        """Whether the goal or the depth limit was reached."""
        return self.solved or self.outcome == "depth"

    @property
    def predicted_seconds(self) -> tuple[float, float, float] | None:
        """The median and the interval of the predicted seconds; None without a prediction that the run can test."""
        seconds = (self.record.get("way") or {}).get("seconds")
        if seconds is None or not (self.solved or self.outcome == "time"):
            return None
        return seconds["median"], seconds["low"], seconds["high"]

    @property
    def processor_seconds(self) -> float:
        """The time that is predicted: that of one thread on an idle machine.

        This is the smaller of the processor time and the elapsed time, or the time limit of a run that was killed.
        """
        seconds, cpu = self.record.get("seconds"), self.record.get("cpu_seconds")
        if seconds is None:
            return self.limit or self.seconds
        return max(min(seconds, cpu) if cpu else seconds, 1e-6)

    def log_predicted(self, quantity: str) -> float | None:
        """Decimal logarithm of the predicted nodes or solutions; None if nothing, or 0, is predicted.

        Nodes are predicted for searches along an order, down to the depth limit.  To the predicted solutions of a
        generated puzzle, its planted solutions and their symmetric copies are added.
        """
        log = self._log_nodes() if quantity == "nodes" else self.log_of_whole("solutions")
        if quantity == "solutions" and log is not None and self.planted:
            return log_sum(log, log10(self.planted * self.orbit))
        return None if log == -inf else log

    def log_actual(self, quantity: str) -> float | None:
        """Decimal logarithm of the actual nodes or solutions; None for 0, and if they are not known."""
        number = self.measure("nodes") if quantity == "nodes" else self.record.get("count")
        return log10(number) if number else None

    def log_ratio(self, quantity: str) -> float | None:
        """Decimal logarithm of actual / predicted; None if not everything was counted, or a number is 0 or unknown."""
        if not self.counted or not (self.solved or (self.done and quantity == "nodes")):
            return None
        actual, expected = self.log_actual(quantity), self.log_predicted(quantity)
        return None if actual is None or expected is None else actual - expected

    def measure(self, name: str) -> float | None:
        """A measure of the effort: nodes, or a statistic of the solver; None if it is not known."""
        if name == "nodes":
            # Engines that place no pieces report 0 nodes and no depths.
            return self.record.get("nodes") if self.record.get("nodes_by_depth") else None
        return (self.record.get("statistics") or {}).get(name)

    def _asked(self, name: str) -> Any:
        return (self.record.get("asked") or {}).get(name)

    def log_of_whole(self, name: str) -> float | None:
        """Decimal logarithm of the predicted ``nodes`` of the whole tree, or of the predicted ``solutions``."""
        text = (self.record.get("predicted") or {}).get(name)
        return None if text is None else log10_of(text)

    def _log_nodes(self) -> float | None:
        limit, expected = self.depth_limit, self.record.get("predicted_by_depth")
        if self.order is None or limit is None or expected is None:
            return None if self.order is None else self.log_of_whole("nodes")
        logs = [log for log in map(log10_of, expected[:limit]) if isfinite(log)]
        # The largest one is factored out, for numbers too large for a float.
        most = max(logs, default=-inf)
        return most + log10(sum(10 ** (log - most) for log in logs)) if logs else None

    @property
    def planted(self) -> int:
        """The number of solutions that the puzzle was made from."""
        return self.record["facts"].get("planted", 0)

    @property
    def orbit(self) -> int:
        """The size of an orbit of solutions; the number of rotations of the board if no record has it."""
        if self.symmetry_factor:
            return self.symmetry_factor
        if self.clues or self.rows is None:
            return 1
        return 4 if self.rows == self.columns else 2


def outcomes_of(records: Iterable[Mapping[str, Any]]) -> list[Outcome]:
    """The runs, in the order of their records, with labels such as "backtrack, rowscan"."""
    bare = [Outcome(record, "") for record in records]
    factors = {run.sha256: factor for run in bare if (factor := run.record.get("symmetry_factor"))}
    values: dict[tuple[str, str], set[str]] = {}
    for run in bare:
        for name, value in run.options.items():
            values.setdefault((run.engine, name), set()).add(str(value))
    ordered = {run.engine for run in bare if (run.record.get("asked") or {}).get("order", run.order) is not None}
    # Runs to which these were not given have no such key.
    given = {name for run in bare for name in run.record.get("asked") or {}}
    rare = {"device", *given} - {"engine", "encoding", "seed", *_SHOWN_FIRST} | {"method"}
    differing = {key for key, different in values.items() if len(different) > 1 or key[1] in rare}
    # Orders that were never given are chosen by the puzzle, and are no other ways to use the engine.
    differing -= {key for key in differing if key[1] == "order" and key[0] not in ordered}
    return [Outcome(run.record, _label(run, differing), factors.get(run.sha256)) for run in bare]


def distinct(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """One run for each puzzle, label and goal, solved if possible: repetitions search the same tree."""
    chosen: dict[tuple[str, str, str], Outcome] = {}
    for run in outcomes:
        key = run.sha256, run.label, run.goal
        if key not in chosen or (run.solved and not chosen[key].solved):
            chosen[key] = run
    return list(chosen.values())


def grouped_by(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """Items grouped by their keys, in the order in which these first appear."""
    groups: dict[_Key, list[_Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _label(run: Outcome, differing: set[tuple[str, str]]) -> str:
    options = run.options
    names = [*(name for name in _SHOWN_FIRST if name in options), *sorted(set(options) - set(_SHOWN_FIRST))]
    texts: Sequence[str] = [_option_text(name, options[name]) for name in names if (run.engine, name) in differing]
    return ", ".join([run.engine, *filter(None, texts)])


def _option_text(name: str, value: Any) -> str:
    """The text of an option in a label; empty for the default."""
    match name, value:
        case ("symmetry", True) | ("threads", 1) | ("slips", ""):
            return ""
        case "symmetry", _:
            return "no symmetry"
        case (("motions" | "threads"), _):
            return f"{value} {name}"
        case (("order" | "encoding"), _):
            return str(value)
        case _:
            return f"{name} {value}"
