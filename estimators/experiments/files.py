"""Experiment files: their puzzles, engines and limits; the schema, the reading of files, the bundled ones."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    TypeAdapter,
    WithJsonSchema,
    create_model,
)

from ...csp.base.errors import InstanceError, shortened, suggestion
from ...csp.base.safe_files import label_of, read_text
from ...csp.base.strict_json import own_words, parsed, validated
from ...csp.engines.registry import own_options
from ...csp.engines.request import CLUSTER, OTHERS, Goal, Options, about_options
from ...csp.files.file_format import BUNDLED, bundled_names

_Model = TypeVar("_Model", bound=BaseModel)
#: The engine name of a run whose engine, order, method and encoding the plan chooses.
DEFAULT = "default"
#: The largest size of an experiment file.
MAX_BYTES = 2**20
_MOST_NUMBERS = 10_000
_HARDEST = re.compile(r"hardest([+-][0-9]{1,3})?")


def _listed(value: Any) -> Any:
    """A list, from one value, a list, or a range such as ``"4..12"``."""
    if isinstance(value, str) and (found := re.fullmatch(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})", value)):
        first, last = int(found[1]), int(found[2])
        if not 0 <= last - first < _MOST_NUMBERS:
            raise own_words(f"{value!r} is no range of at most 10000 numbers")
        return list(range(first, last + 1))
    return value if isinstance(value, list) else [value]


def _hardest(value: Any) -> Any:
    """Numbers of colours, among them ``"hardest"``, ``"hardest+2"`` and the like."""
    numbers = _listed(value)
    for word in numbers:
        if not (_HARDEST.fullmatch(word) if isinstance(word, str) else type(word) is int):
            what = "numbers, a range as in 3..12, hardest, or hardest+1 and the like are expected"
            raise own_words(f"{shortened(repr(word))}: {what}")
    return numbers


def _whole(value: float) -> float:
    if value != int(value):
        raise own_words(f"{value} is no whole number")
    return value


def _many(item: Any) -> Any:
    """The type of several values, which may be given as one value, as a list, and, if they are numbers, as a range."""
    one = TypeAdapter(item).json_schema()
    forms = {"anyOf": [one, _RANGE, {"type": "array", "minItems": 1, "items": one}]}
    return Annotated[
        list[item], Field(min_length=1, max_length=_MOST_NUMBERS), BeforeValidator(_listed), WithJsonSchema(forms)
    ]


_RANGE = {"type": "string", "pattern": r"^-?[0-9]+\.\.-?[0-9]+$"}
Title = Annotated[StrictStr, Field(min_length=1, max_length=200)]
if TYPE_CHECKING:
    Numbers = list[int]
    Colors = list[int | str]
    Titles = list[str]
else:
    Numbers = _many(StrictInt)
    Titles = _many(Annotated[StrictStr, Field(min_length=1)])
    Colors = Annotated[
        _many(StrictInt | Annotated[StrictStr, Field(pattern=f"^{_HARDEST.pattern}$")]),
        BeforeValidator(_hardest),
    ]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Read(_Strict):
    """How the files of puzzles list the sides, and what they call the border, as the options of commands say."""

    sides: Title | None = None
    border: StrictStr | StrictInt | None = None


class NamedInstance(_Read):
    """A puzzle by its path or its bundled name, or all puzzles in a folder, or all files that a pattern matches.

    Relative paths start at the folder of the experiment's file.
    """

    instance: Annotated[StrictStr, Field(min_length=1, max_length=4096)]


class InstanceFiles(_Read):
    """All files that a pattern matches, or one of several patterns: ``"mine/*.json"``, ``"sets/**/*.csv"``.

    Patterns are those of a shell; ``**`` stands for any folders.  Relative paths start at the folder of the
    experiment's file.  The files of one pattern, sorted by their names, are one family in the report.
    """

    files: Titles


class EdgeMatchingFamily(_Strict):
    """Puzzles that `make edge-matching` makes: one for each combination of the given numbers.

    The default of `columns` is `rows`.  The default of `frame_colors` is 5; on boards smaller than 8x8 it is 3 less
    than the smaller of rows and columns, but at least 2.  `inner_colors` are numbers, or ``"hardest"``: Owen's number
    for the size, rounded.
    """

    family: Literal["edge-matching"]
    rows: Numbers
    columns: Numbers | None = None
    frame_colors: Numbers | None = None
    inner_colors: Colors = ["hardest"]
    clues: Numbers = [0]
    distribution: Literal["flat", "skewed"] = "flat"
    unique: StrictBool = False
    asymmetric: StrictBool = False
    random: StrictBool = False
    seeds: Numbers = [0]


class JigsawFamily(_Strict):
    """Jigsaws that `make jigsaw` makes: one for each combination of the given numbers."""

    family: Literal["jigsaw"]
    rows: Numbers
    columns: Numbers | None = None
    solutions: Numbers = [2]
    max_use: Annotated[StrictInt, Field(ge=1)] | None = None
    types: Annotated[StrictInt, Field(ge=1)] | None = None
    no_stay: StrictBool = False
    method: StrictStr | None = None
    seeds: Numbers = [0]


class EngineEntry(_Strict):
    """An engine with its options; a list of values stands for one engine for each value.

    With the engine ``default``, the plan chooses engine, order, method, encoding and width, as it does for commands
    without options.
    """

    engine: Title

    def combinations(self) -> list[dict[str, Any]]:
        """The options of each engine of the entry: all that runs of every engine have, and others that are given.

        So a change of defaults, or an option that is added to the table, changes no recorded run.
        """
        given: dict[str, list[Any]] = self.model_dump(exclude={"engine"})
        chosen = [dict(zip(given, values, strict=True)) for values in product(*given.values())]
        return [{name: one for name, one in each.items() if name in _ALWAYS or one is not None} for each in chosen]


# Options of runs that are recorded even if they are not given, as in all records so far.
_ALWAYS = ("order", "slips", "encoding", "symmetry", "motions", "threads", "seed")
# Options that experiments do not have: these say where results are kept and who computes them.
_NOT_OF_RUNS = ("proof", "squares", "ledger", "part", *CLUSTER)
# The type of one value of an option, and its default, by the kind of the option.
_KINDS: dict[str, tuple[Any, Any]] = {
    "whole": (Annotated[int | None, Strict(), Field(ge=0, lt=2**31)], None),
    "seconds": (Annotated[float | None, Strict()], None),
    "threads": (Annotated[int, Strict(), Field(ge=1, le=1000)], 1),
    "flag": (StrictBool, True),
    "switch": (Annotated[bool | None, Strict()], None),
}


def engine_entry() -> type[EngineEntry]:
    """The model of an engine's entry, with the options of all installed engines."""
    fields: dict[str, Any] = {}
    known = {**{name: about for name, (_, about) in own_options().items()}, **about_options(Options)}
    for name, about in {**known, "motions": OTHERS["motions"]}.items():
        if name in _NOT_OF_RUNS:
            continue
        one, default = _KINDS.get(about.kind, (Annotated[str | None, Strict()], None))
        if name == "motions":
            one = Literal["any", "lattice"] | None
        fields[name] = _many(one), Field([default], description=about.help)
    return create_model("EngineEntry", __base__=EngineEntry, **fields)


class LimitsEntry(_Strict):
    """The limits of each run: seconds of search, MiB of memory, nodes, depth.

    `predicted_nodes` limits the depth to the largest one with at most that number of predicted nodes.
    """

    seconds: Annotated[StrictFloat, Field(ge=0, allow_inf_nan=False)] = 60.0
    memory_mib: Annotated[StrictFloat, Field(ge=1, allow_inf_nan=False)] = 4096.0
    nodes: Annotated[StrictFloat, Field(ge=0, lt=2**62, allow_inf_nan=False), AfterValidator(_whole)] | None = None
    depth: Annotated[StrictInt, Field(ge=0)] | None = None
    predicted_nodes: Annotated[StrictFloat, Field(ge=0, allow_inf_nan=False)] | None = None


class PartFile(_Strict):
    """Puzzles and engines; every engine runs on every puzzle."""

    name: Title | None = None
    goal: Goal = Goal.SOLVE
    instances: Annotated[list[Any], Field(min_length=1)]
    engines: Annotated[list[Any], Field(min_length=1)]
    limits: LimitsEntry = LimitsEntry()
    repetitions: Annotated[StrictInt, Field(ge=1, le=1000)] = 1


class ExperimentFile(_Strict):
    """An experiment: its name, its question, and its parts."""

    format: Literal["jigsat-experiment/1"]
    name: Title
    about: Annotated[StrictStr, Field(max_length=100_000)] = ""
    parts: Annotated[list[Any], Field(min_length=1)]


Entry = NamedInstance | InstanceFiles | EdgeMatchingFamily | JigsawFamily


@dataclass(frozen=True)
class Part:
    """A part of an experiment as it was read."""

    #: Its name, and what error messages call it.
    name: str
    place: str
    #: As in `PartFile`.
    goal: Goal
    instances: Sequence[Entry]
    engines: Sequence[EngineEntry]
    limits: LimitsEntry
    repetitions: int


@dataclass(frozen=True)
class Experiment:
    """An experiment as it was read."""

    #: What follows `jigsat compare` for the same experiment: the name of its file, or puzzles and options.
    source: str
    #: Its name, and its question.
    name: str
    about: str
    #: The folder at which relative paths of puzzles start.
    folder: Path
    parts: Sequence[Part]


def _with_items(model: type[_Model], **items: Any) -> type[_Model]:
    """A model, with lists of these types."""
    lists: dict[str, Any] = {name: (Annotated[list[item], Field(min_length=1)], ...) for name, item in items.items()}
    return create_model(model.__name__, __base__=model, **lists)


def experiment_schema() -> dict[str, Any]:
    """The JSON Schema of experiment files."""
    part = _with_items(PartFile, instances=Entry, engines=engine_entry())
    return _with_items(ExperimentFile, parts=part).model_json_schema()


def bundled_experiments() -> list[str]:
    """The names of the bundled experiments."""
    return sorted(path.stem for path in (BUNDLED / "experiments").glob("*.json"))


def load_experiment(source: str) -> Experiment:
    """Read an experiment: a path, ``-`` for standard input, or the name of a bundled one.

    Raises InstanceError if there is no such file, or it is invalid; the message names the part, the entry and the
    field.
    """
    path, label = Path(source), label_of(source)
    if source != "-" and not os.path.isfile(path):
        names = bundled_experiments()
        if source in names:
            # A folder of that name can contain the records of the experiment.
            path = BUNDLED / "experiments" / f"{source}.json"
        elif not os.path.exists(path):
            known = suggestion(source, [*names, *bundled_names()]) or f" ({', '.join(names)})"
            what = f"there is no such file, nor a bundled experiment or puzzle{known}"
            raise InstanceError(f"{shortened(source, 200)}: {what}")
    folder = Path.cwd() if source == "-" else path.resolve().parent
    again = path.name if path == Path(source) else source
    return experiment_of(parsed(read_text(path, MAX_BYTES), label), label, folder, quote(again))


def experiment_of(data: Any, label: str, folder: Path, source: str) -> Experiment:
    """An experiment from the contents of its file, with the `folder` and the `source` that `Experiment` has.

    Raises InstanceError, which begins with the label, if they are invalid.
    """
    read = validated(ExperimentFile, data, label, {"parts": ("part",)})
    model = _with_items(PartFile, engines=engine_entry())
    parts = tuple(_part(model, entry, f"{label}: part {i}", f"part {i}") for i, entry in enumerate(read.parts, start=1))
    return Experiment(source=source, name=read.name, about=read.about, folder=folder, parts=parts)


def _part(model: type[PartFile], entry: Any, place: str, name: str) -> Part:
    data = validated(model, entry, place, {"instances": ("instance",), "engines": ("engine",)})
    instances = [_entry(item, f"{place}, instance {i}") for i, item in enumerate(data.instances, start=1)]
    return Part(**{**dict(data), "name": data.name or name, "place": place, "instances": instances})


def _entry(item: Any, place: str) -> Entry:
    """A named puzzle, files, or a family."""
    if not isinstance(item, dict) or "instance" in item:
        return validated(NamedInstance, item, place, {})
    if "files" in item:
        return validated(InstanceFiles, item, place, {})
    families = {"edge-matching": EdgeMatchingFamily, "jigsaw": JigsawFamily}
    family = item.get("family")
    if not isinstance(family, str) or family not in families:
        what = "instance (a file or a bundled name), files (a pattern) or family (edge-matching or jigsaw) is expected"
        raise InstanceError(
            f"{place}: {what}" + (f", not family {shortened(str(family))!r}" if "family" in item else "")
        )
    return validated(families[family], item, place, {})
