"""Experiment files: their puzzles, engines and limits; the schema, the reading of files, the bundled ones."""

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from ...csp.base.errors import InstanceError, shortened, suggestion
from ...csp.base.safe_files import label_of, read_text
from ...csp.base.strict_json import OWN_WORDS, parsed, validated
from ...csp.engines.request import Goal
from ...csp.files.file_format import BUNDLED

#: The engine name of a run whose engine, order, method and encoding the plan chooses.
DEFAULT = "default"
#: The largest size of an experiment file.
MAX_BYTES = 2**20
_MOST_NUMBERS = 10_000
_HARDEST = re.compile(r"hardest([+-][0-9]{1,3})?")


def _listed(value: Any) -> Any:
    """Numbers as a list, from one number, a list of numbers, or a range such as ``"4..12"``."""
    if isinstance(value, str) and (found := re.fullmatch(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})", value)):
        first, last = int(found[1]), int(found[2])
        if not 0 <= last - first < _MOST_NUMBERS:
            raise PydanticCustomError(OWN_WORDS, "{range} is no range of at most 10000 numbers", {"range": repr(value)})
        return list(range(first, last + 1))
    return value if isinstance(value, list) else [value]


def _hardest(value: Any) -> Any:
    """Numbers of colours, among them ``"hardest"``, ``"hardest+2"`` and the like."""
    numbers = _listed(value)
    for word in numbers:
        if not (_HARDEST.fullmatch(word) if isinstance(word, str) else type(word) is int):
            what = "{word}: numbers, a range as in 3..12, hardest, or hardest+1 and the like are expected"
            raise PydanticCustomError(OWN_WORDS, what, {"word": shortened(repr(word))})
    return numbers


def _one_or_more(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _whole(value: float) -> float:
    if value != int(value):
        raise PydanticCustomError(OWN_WORDS, "{number} is no whole number", {"number": value})
    return value


def _schema(*items: dict[str, Any], ranges: bool = False) -> WithJsonSchema:
    """The JSON Schema of one item, a list of items, or a range."""
    listed = {"type": "array", "minItems": 1, "items": {"anyOf": list(items)}}
    return WithJsonSchema({"anyOf": [*items, *([_RANGE] * ranges), listed]})


_INTEGER, _TEXT = {"type": "integer"}, {"anyOf": [{"type": "string"}, {"type": "null"}]}
_RANGE = {"type": "string", "pattern": r"^-?[0-9]+\.\.-?[0-9]+$"}
_COLORS = {"type": "string", "pattern": f"^{_HARDEST.pattern}$"}
_MOTIONS = {"enum": ["any", "lattice", None]}

Numbers = Annotated[
    list[StrictInt],
    Field(min_length=1, max_length=_MOST_NUMBERS),
    BeforeValidator(_listed),
    _schema(_INTEGER, ranges=True),
]
Colors = Annotated[
    list[StrictInt | StrictStr],
    Field(min_length=1, max_length=1000),
    BeforeValidator(_hardest),
    _schema(_INTEGER, _COLORS, ranges=True),
]
Words = Annotated[list[StrictStr | None], Field(min_length=1), BeforeValidator(_one_or_more), _schema(_TEXT)]
Threads = Annotated[
    list[Annotated[StrictInt, Field(ge=1, le=1000)]],
    Field(min_length=1),
    BeforeValidator(_listed),
    _schema({"type": "integer", "minimum": 1, "maximum": 1000}, ranges=True),
]
Widths = Annotated[
    list[Annotated[StrictInt, Field(ge=1)] | None],
    Field(min_length=1),
    BeforeValidator(_one_or_more),
    _schema({"type": ["integer", "null"], "minimum": 1}),
]
Truths = Annotated[list[StrictBool], Field(min_length=1), BeforeValidator(_one_or_more), _schema({"type": "boolean"})]
Motions = Annotated[
    list[Literal["any", "lattice"] | None], Field(min_length=1), BeforeValidator(_one_or_more), _schema(_MOTIONS)
]
Title = Annotated[StrictStr, Field(min_length=1, max_length=200)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Read(_Strict):
    """How the files of puzzles list the sides, and what they call the border, as the options of commands say."""

    sides: Title | None = None
    border: StrictStr | StrictInt | None = None


class NamedInstance(_Read):
    """A puzzle by its path, relative to the folder of the experiment's file, or by its bundled name."""

    instance: Title


class InstanceFiles(_Read):
    """All files that a pattern matches, or one of several patterns: ``"mine/*.json"``, ``"sets/**/*.csv"``.

    Patterns are those of a shell; ``**`` stands for any folders.  Relative paths start at the folder of the
    experiment's file.  The files of one pattern, sorted by their names, are one family in the report.
    """

    files: Annotated[
        list[Title], Field(min_length=1), BeforeValidator(_one_or_more), _schema({"type": "string", "minLength": 1})
    ]


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
    order: Words = [None]
    method: Words = [None]
    slips: Words = [None]
    encoding: Words = [None]
    symmetry: Truths = [True]
    motions: Motions = [None]
    threads: Threads = [1]
    width: Widths = [None]
    device: Words = [None]
    seed: Annotated[StrictInt, Field(ge=0, lt=2**31)] | None = None


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
    goal: Literal["solve", "all", "count", "best"] = "solve"
    instances: Annotated[list[Any], Field(min_length=1)]
    engines: Annotated[list[EngineEntry], Field(min_length=1)]
    limits: LimitsEntry = LimitsEntry()
    repetitions: Annotated[StrictInt, Field(ge=1, le=1000)] = 1


class ExperimentFile(_Strict):
    """An experiment: its name, its question, and its parts."""

    format: Literal["jigsat-experiment/1"]
    name: Title
    about: Annotated[StrictStr, Field(max_length=100_000)] = ""
    parts: Annotated[list[Any], Field(min_length=1)]


Entry = NamedInstance | InstanceFiles | EdgeMatchingFamily | JigsawFamily


class _WholePart(PartFile):
    instances: Annotated[list[Entry], Field(min_length=1)]


class _WholeExperiment(ExperimentFile):
    parts: Annotated[list[_WholePart], Field(min_length=1)]


def experiment_schema() -> dict[str, Any]:
    """The JSON Schema of experiment files."""
    return _WholeExperiment.model_json_schema()


class Part(BaseModel):
    """A part of an experiment as it was read."""

    model_config = ConfigDict(frozen=True)
    name: str
    place: str
    goal: Goal
    instances: tuple[Entry, ...]
    engines: tuple[EngineEntry, ...]
    limits: LimitsEntry
    repetitions: int


class Experiment(BaseModel):
    """An experiment as it was read; relative paths of puzzles start at `folder`.

    `source` is what `jigsat compare` needs to read it again in its folder: the name of the file or of the bundled
    experiment.
    """

    model_config = ConfigDict(frozen=True)
    source: str
    name: str
    about: str
    folder: Path
    parts: tuple[Part, ...]


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
            known = suggestion(str(source), names) or f" ({', '.join(names)})"
            what = f"there is no such file, nor a bundled experiment{known}"
            raise InstanceError(f"{shortened(source, 200)}: {what}")
    data = validated(ExperimentFile, parsed(read_text(path, MAX_BYTES), label), label, {"parts": ("part",)})
    parts = tuple(_part(entry, number, label) for number, entry in enumerate(data.parts, start=1))
    folder = Path.cwd() if source == "-" else path.resolve().parent
    again = path.name if path == Path(source) else source
    return Experiment(source=again, name=data.name, about=data.about, folder=folder, parts=parts)


def _part(entry: Any, number: int, label: str) -> Part:
    place = f"{label}: part {number}"
    data = validated(PartFile, entry, place, {"instances": ("instance",), "engines": ("engine",)})
    instances = tuple(_entry(item, f"{place}, instance {i}") for i, item in enumerate(data.instances, start=1))
    return Part(
        name=data.name or f"part {number}",
        place=place,
        goal=Goal(data.goal),
        instances=instances,
        engines=tuple(data.engines),
        limits=data.limits,
        repetitions=data.repetitions,
    )


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
