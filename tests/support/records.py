"""Records of runs that never were, as an experiment would write them."""

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any

from jigsat.csp.base.words import significant
from jigsat.estimators.experiments.outcomes import Outcome, outcomes_of

MACHINE = {"processor": "A processor", "cores": 4, "system": "Linux x86_64"}
VERSIONS = {"jigsat": "0.1.0", "python": "3.12.1", "numpy": "2.0.0"}
#: The engines that place pieces; others have no nodes.
PLACING = ("backtrack", "most-constrained")
STATUS = {"count": "satisfiable", "all": "satisfiable", "solve": "satisfiable", "best": "optimal"}


def record(
    *,
    engine: str = "backtrack",
    goal: str = "count",
    outcome: str = "solved",
    rows: int = 6,
    columns: int = 6,
    inner_colors: int = 5,
    clues: int = 0,
    seed: int = 1,
    count: int = 4,
    nodes_by_depth: Sequence[int] | None = None,
    predicted_by_depth: Sequence[float] | None = (1, 20, 300, 4000),
    predicted_solutions: float = 4,
    seconds: float | None = 1.5,
    limits: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    statistics: dict[str, int] | None = None,
    random: bool = False,
    **changes: Any,
) -> dict[str, Any]:
    """One record; `changes` replace keys of the finished one."""
    if nodes_by_depth is None:
        nodes_by_depth = (1, 20, 300, 4000) if engine in PLACING else ()
    solved, counted = outcome == "solved", goal in ("count", "all")
    family = f"{rows}x{columns}, 3+{inner_colors} colours" + (f", {clues} clues" if clues else "")
    source = {
        "family": "edge-matching", "rows": rows, "columns": columns, "frame_colors": 3, "inner_colors": inner_colors,
        "clues": clues, "random": random, "seed": seed,
    }  # fmt: skip
    facts = {
        "rows": rows, "columns": columns, "squares": rows * columns, "pieces": rows * columns,
        "frame_colors": 3, "inner_colors": inner_colors, "clues": clues, "planted": int(not random),
    }  # fmt: skip
    chosen = {"order": "rowscan", "slips": "", "symmetry": True, **(options or {})}
    texts = None if predicted_by_depth is None else [significant(Fraction(nodes), 8) for nodes in predicted_by_depth]
    predicted = None
    if predicted_by_depth is not None:
        nodes = sum(map(Fraction, predicted_by_depth))
        predicted = {"solutions": significant(Fraction(predicted_solutions)), "nodes": significant(nodes)}
    return {
        "experiment": "synthetic", "part": "a part", "family": family, "source": source,
        "sha256": sha256(f"{family} {seed} {random}".encode()).hexdigest(), "repetition": 1,
        "fingerprint": sha256(f"{family} {seed} {engine} {goal} {chosen}".encode()).hexdigest(), "facts": facts,
        "instance": f"{family}, seed {seed}", "kind": "edge-matching", "engine": engine, "method": "staircase",
        "goal": goal, "status": STATUS[goal] if solved else "unknown", "complete": solved,
        "count": count if counted else None, "canonical_count": None, "symmetry_factor": 1 if clues else 4,
        "best_score": 60 if solved else None, "max_score": 60, "best_board": None, "best_depth": None,
        "nodes": sum(nodes_by_depth), "nodes_by_depth": list(nodes_by_depth), "build_seconds": 0.1,
        "seconds": seconds, "cpu_seconds": seconds, "peak_rss_mib": 150.0, "seed": None, "threads": 1,
        "options": chosen, "predicted": predicted, "predicted_by_depth": texts, "solutions": [], "proof": None,
        "ended_by": None if solved else outcome, "best_bound": None, "statistics": statistics, "outcome": outcome,
        "message": None, "wall_seconds": (10.0 if seconds is None else seconds) + 0.5,
        "spent_seconds": 2.0, "versions": VERSIONS,
        "limits": {"seconds": 10.0, "memory_mib": 2000, "nodes": None, "depth": None, "predicted_nodes": None,
                   **(limits or {})},
        "machine": MACHINE, "timestamp": "2025-01-02T03:04:05+00:00", **changes,
    }  # fmt: skip


def chosen(*, planning: float = 0.5, **parts: Any) -> dict[str, Any]:
    """The record of a run that the plan chose, `planning` seconds of planning included."""
    made = record(**parts)
    times = {"plan_seconds": planning, "answer_seconds": planning + made["seconds"]}
    asked = {"engine": "default", "order": None, "slips": None, "encoding": None, "symmetry": True, "motions": None}
    asked |= {"threads": 1, "seed": None}
    return {**made, "asked": asked, **times, "predicted": None, "predicted_by_depth": None}


def way(median: float, low: float, high: float, engine: str = "backtrack", how: str | None = None) -> dict[str, Any]:
    """What a record keeps of the way that was taken."""
    return {"engine": engine, "how": how, "seconds": {"median": median, "low": low, "high": high}, "score": None}


def killed(outcome: str = "memory", message: str | None = None, **parts: Any) -> dict[str, Any]:
    """The record of a run whose process ended before it could say anything."""
    blank = {
        "count": None, "canonical_count": None, "best_score": None, "nodes": None, "nodes_by_depth": [],
        "statistics": None, "build_seconds": None, "cpu_seconds": None, "peak_rss_mib": None, "message": message,
        "symmetry_factor": None,
    }  # fmt: skip
    return {**record(outcome=outcome, seconds=None, **parts), **blank}


def outcomes(*records: dict[str, Any]) -> list[Outcome]:
    return outcomes_of(records)
