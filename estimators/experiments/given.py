"""Experiments without a file: puzzles, folders and patterns, engines and a few options become the data of a file."""

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from glob import has_magic
from pathlib import Path
from typing import Any

from ...csp.base.errors import EngineError, InstanceError, JigsatError, UsageError, shortened
from ...csp.base.safe_files import first_bytes
from ...csp.engines.engine import able_engine, follows_order
from ...csp.engines.request import Goal, Limits, Options
from ...csp.files.file_format import bundled_names, format_of, is_link
from ...csp.files.instances import Puzzle, fingerprint, read_puzzle, save
from .families import is_list, is_several, make_puzzle, named_by
from .files import DEFAULT, Experiment, bundled_experiments, experiment_of

# The engines that are compared if none are named, as far as they can.
_USUAL = ("backtrack", "most-constrained", "cpsat", "sat:cadical195", "beam")
# The longest title of several puzzles that names all of them.
_TITLE = 40
# The bytes at the beginning of a file in which its format is looked for.
_HEAD = 4096


def is_experiment(name: str, *, alone: bool) -> bool:
    """Whether a name is that of an experiment; `alone` if it is the only one and comes without engines and options."""
    if name == "-" or not os.path.isfile(name):
        unknown = not (os.path.exists(name) or name in bundled_names() or has_magic(name) or is_link(name))
        return name == "-" or name in bundled_experiments() or (alone and unknown)
    if is_list(name, Path.cwd()):
        return False
    head = first_bytes(name, _HEAD)
    if b"jigsat-experiment/" in head or not alone:
        return b"jigsat-experiment/" in head
    if b'"jigsat/1"' in head:
        return False
    try:
        return format_of(head.decode(errors="replace"), name) == "json"
    except InstanceError:
        return True


def given_experiment(
    puzzles: Sequence[str | Path | Puzzle],
    folder: Path,
    *,
    engines: str | Iterable[str | Mapping[str, Any]] | None,
    goal: str | None,
    time_limit: float | None,
    usual_limit: float | None = None,
    seeds: str | Iterable[int] | None,
    repetitions: int | None,
    orders: str | Iterable[str] | None,
    encodings: str | Iterable[str] | None,
) -> Experiment:
    """An experiment of one part; puzzles in memory and in links are written into the folder.

    `usual_limit` is the time limit if none is given.

    Raises JigsatError if a puzzle, an engine or an option is invalid.
    """
    names = [_written(one, folder) for one in puzzles]
    first = _first_puzzles(names)
    aim = Goal(goal or "solve")
    varied = {"order": _listed(orders), "encoding": _listed(encodings), "seed": _numbers(seeds)}
    usual = (name for name in _USUAL if all(_refusal(one, name, aim, Options()) is None for one in first))
    entries = _entries(list(usual) if engines is None else _listed(engines), varied, first, aim)
    if not entries:
        raise UsageError("name at least one engine that can do this for all puzzles", "engines")
    part: dict[str, Any] = {"goal": aim.value, "instances": [{"instance": name} for name in names], "engines": entries}
    limit = usual_limit if time_limit is None else time_limit
    part["limits"] = {} if limit is None else {"seconds": limit}
    part |= {} if repetitions is None else {"repetitions": repetitions}
    data = {"format": "jigsat-experiment/1", "name": title_of(puzzles)[:200], "parts": [{**part, "name": aim.value}]}
    options = {
        "engines": ",".join(str(entry["engine"]) for entry in entries), "goal": goal, "time-limit": time_limit,
        "seeds": ",".join(map(str, varied["seed"])), "repetitions": repetitions,
        "orders": ",".join(varied["order"]), "encodings": ",".join(varied["encoding"]),
    }  # fmt: skip
    words = [*names, *(word for name, value in options.items() if value for word in (f"--{name}", str(value)))]
    read = experiment_of(data, "compare", Path.cwd(), shlex.join(words))
    return replace(read, parts=[replace(part, place="compare") for part in read.parts])


def title_of(puzzles: Sequence[str | Path | Puzzle]) -> str:
    """What a comparison is called: the puzzles, folders and patterns, or the first of many."""
    names = list(dict.fromkeys(map(_title, puzzles)))
    if len(names) == 1 or (len(names) < 4 and len(", ".join(names)) <= _TITLE):
        return ", ".join(names)
    homes = {Path(one).parent.name for one in puzzles if isinstance(one, str | Path)}
    home = homes.pop() if len(homes) == 1 else ""
    return home or f"{names[0]} and {len(names) - 1} more"


def _title(puzzle: str | Path | Puzzle) -> str:
    if not isinstance(puzzle, str | Path):
        return puzzle.name
    path = Path(puzzle)
    if is_link(str(puzzle)):
        return "link"
    if os.path.isdir(path):
        return path.resolve().name
    return (path.parent.name if has_magic(path.name) else "") or path.stem


def folder_of(title: str) -> Path:
    """The folder of a comparison if none is given."""
    return Path(f"{_as_name(title)}-comparison")


def _as_name(title: str) -> str:
    return re.sub(r"[^\w.]+", "-", title)[:60].strip("-.") or "puzzles"


def _written(puzzle: str | Path | Puzzle, folder: Path) -> str:
    """Where a puzzle is; one in memory, or in a link, is written into the folder first."""
    if isinstance(puzzle, str | Path):
        if not is_link(str(puzzle)):
            return str(puzzle)
        puzzle = read_puzzle(puzzle)
    place = folder / f"{_as_name(puzzle.name)}-{fingerprint(puzzle)[:8]}.json"
    if not place.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JigsatError(f"{error.filename}: cannot be made: {error.strerror}") from error
        save(puzzle, place)
    return str(place.resolve())


def _first_puzzles(names: Iterable[str]) -> list[Puzzle]:
    """One puzzle for each name: for a folder or a pattern its first one."""
    here = Path.cwd()
    every = (next(named_by(name, here))[1] if is_several(name, here) else name for name in names)
    return [make_puzzle({"instance": name}, here) for name in every]


def _listed(given: Any) -> list[Any]:
    """Names, from a text with commas or a list of them."""
    if isinstance(given, str):
        given = [name.strip() for name in given.split(",")]
    return [one for one in given or () if one != ""]


def _numbers(given: Any) -> list[Any]:
    """Seeds, from a text such as 1,2 or 1..5, or a list."""
    found: list[Any] = []
    for one in [given] if isinstance(given, int) else _listed(given):
        match = re.fullmatch(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?", str(one))
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not 0 <= last - first < 1000:
            what = "is neither a whole number nor a range of at most 1000, such as 1..5"
            raise UsageError(f"{shortened(str(one))!r} {what}", "seeds")
        found += range(first, last + 1)
    return found


def _entries(
    engines: Iterable[Any], varied: Mapping[str, Sequence[Any]], puzzles: Sequence[Puzzle], goal: Goal
) -> list[Any]:
    """The entries of engines, each with those orders, encodings and seeds that it has.

    Raises JigsatError for an engine that cannot do it, and for a value that no engine has.
    """
    entries: list[Any] = [dict(one) if isinstance(one, Mapping) else {"engine": one} for one in engines]
    named = [str(entry["engine"]) for entry in entries if entry.get("engine", DEFAULT) != DEFAULT]
    for why in filter(None, (_refusal(puzzle, name, goal, Options()) for name in named for puzzle in puzzles)):
        raise why
    for name, values in varied.items() if entries else ():
        for value in values:
            refusals = [_add(entry, name, value, puzzles, goal) for entry in entries]
            if None not in refusals:
                # What is misspelt for one engine is an option that others do not have.
                raise min(filter(None, refusals), key=lambda why: not str(why).startswith("unknown"))
    return entries


def _add(entry: dict[str, Any], name: str, value: Any, puzzles: Sequence[Puzzle], goal: Goal) -> JigsatError | None:
    """Add a value of an option to an engine, unless the engine refuses it."""
    engine = entry.get("engine")
    if engine == DEFAULT and name != "seed":
        return EngineError(f"{name}: the engine {DEFAULT} runs without it; name an engine that has it")
    if name == "order" and not follows_order(str(engine)):
        return EngineError(f"order: the engine {engine} does not follow an order")
    options = Options(**{name: value})
    for puzzle in puzzles if engine != DEFAULT else ():
        if why := _refusal(puzzle, str(engine), goal, options):
            return why
    entry[name] = [*entry.get(name, []), value]
    return None


def _refusal(puzzle: Puzzle, engine: str, goal: Goal, options: Options) -> JigsatError | None:
    """Why an engine refuses a puzzle with these options; None if it takes it."""
    try:
        able_engine(puzzle, engine, goal, Limits(), options)
    except JigsatError as error:
        return error
    return None
