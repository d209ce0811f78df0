"""JSON for files of all kinds: strict reading, with the first error and its position reported, and the layout."""

import gc
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_args

from .errors import InstanceError, plural, shortened, suggestion, with_all

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

# No object of a valid file has more names.
_MAX_NAMES = 10_000
# The errors of pydantic for lists, and the limits in their contexts.
_LIMITS = {"too_short": ("at least", "min_length"), "too_long": ("at most", "max_length")}
# That of a field that the format does not have.
_UNKNOWN = "extra_forbidden"
# Words of pydantic, and ours.
_IN_WORDS = {
    "^input should be ": "must be ",
    "a valid boolean": "true or false",
    "a valid integer": "a whole number",
    "a valid string": "a text",
    "a valid (list|tuple|array)": "a list",
    r"greater than or equal to (\S+)": r"\1 or more",
    r"less than or equal to (\S+)": r"\1 or less",
    "greater than": "more than",
}
_Model = TypeVar("_Model", bound="BaseModel")


class Position(NamedTuple):
    """A position in a file, counted from 1."""

    line: int
    column: int

    def after(self, text: str, end: int | None = None) -> "Position":
        """The position after the beginning of a text, if this is the position of the text."""
        end = len(text) if end is None else end
        lines = text.count("\n", 0, end)
        return Position(self.line + lines, end - text.rfind("\n", 0, end) if lines else self.column + end)

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


START = Position(1, 1)


class WrittenFloat(float):
    """A number of a JSON text that is no integer, with the text itself, which is exact."""

    text: str

    def __new__(cls, text: str) -> "WrittenFloat":
        number = super().__new__(cls, text)
        number.text = text
        return number


#: What errors call the items of a field, level by level: a word before a number, or the names of all items.
ItemNames = Mapping[str, tuple[str | tuple[str, ...], ...]]


def validated(model: type[_Model], data: Any, label: str, names: ItemNames) -> _Model:
    """The contents of a JSON text validated by a pydantic model.

    Raises InstanceError with all errors, of which the first one begins with the label; `names` are those of list items
    there, and items of other lists are called by the name of their field.
    """
    # Most commands read no file that must be validated, and to load pydantic takes longer than to read one.
    from pydantic import ValidationError

    if not isinstance(data, dict):
        raise InstanceError(f"{label}: a JSON object is expected, not {type(data).__name__}")
    try:
        with collected_later():
            return model.model_validate(data)
    except ValidationError as error:
        first, *others = _faults(error, model, names)
        raise with_all(InstanceError(f"{label}: {first}"), others) from error


def _faults(error: "ValidationError", model: "type[BaseModel]", names: ItemNames) -> list[str]:
    """All faults with their places."""
    causes: dict[str, str] = {}
    hints = ""
    # What is missing may be there with a misspelt name.
    for fault in sorted(error.errors(include_url=False), key=lambda fault: fault["type"] == "missing"):
        name = str(fault["loc"][-1]) if fault["loc"] else ""
        hint = suggestion(name, _names(model)) if fault["type"] == _UNKNOWN else ""
        hints += hint
        if fault["type"] != "missing" or repr(name) not in hints:
            causes.setdefault(_place(fault["loc"], names), f"{_cause(fault)}{hint}")
    # In a file of another format, everything else is wrong, too.
    only = next((place for place in ("format", "kind") if place in causes), None)
    told = causes if only is None else {only: causes[only]}
    return [f"{place}: {cause}" if place else cause for place, cause in told.items()]


def _names(kind: Any) -> Iterator[str]:
    """The names of all fields of a type and of what it holds."""
    if isinstance(kind, type) and hasattr(kind, "model_fields"):
        for name, field in kind.model_fields.items():
            yield field.alias or name
            yield from _names(field.annotation)
    for inner in get_args(kind):
        yield from _names(inner)


@contextmanager
def collected_later() -> Iterator[None]:
    """A context without garbage collections, which would walk again and again through the data that are being made."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def parsed(text: str, label: str, before: Position = START, *, decimals: bool = False) -> Any:
    """The data in a JSON text; names within an object must be unique, and numbers finite.

    `before` is the position of the text in its file.  With `decimals`, numbers that are no integers keep their text,
    which is exact: see `WrittenFloat`.  Raises InstanceError if the text is not such JSON.
    """

    def fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) > _MAX_NAMES:
            raise InstanceError(f"{label}: an object of {len(found)} names, more than {_MAX_NAMES}")
        if len(found) < len(pairs):
            [(name, times)] = Counter(name for name, _ in pairs).most_common(1)
            raise given_twice(label, name, times)
        return found

    def real(word: str) -> float:
        number = WrittenFloat(word) if decimals else float(word)
        return number if isfinite(number) else constant(word)

    def constant(word: str) -> Any:
        place = _place_of_number(text, re.escape(word[:100]), before)
        raise InstanceError(f"{label}: {place}: {shortened(word)} is not a number that JSON can hold")

    def whole(word: str) -> int:
        # Without a function in Python, Ctrl-C would have to wait for the end of the text.
        return int(word)

    hooks = {"object_pairs_hook": fields, "parse_int": whole, "parse_float": real, "parse_constant": constant}
    try:
        with collected_later():
            return json.loads(text, **hooks)
    except json.JSONDecodeError as error:
        raise InstanceError(f"{label}: {before.after(text, error.pos)}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise InstanceError(f"{label}: not usable JSON: nested too deeply") from error
    except ValueError as error:  # Python does not read longer numbers
        most = sys.get_int_max_str_digits()
        place = _place_of_number(text, f"-?[0-9]{{{most + 1},}}", before)
        raise InstanceError(f"{label}: {place}: a number of more than {most} digits is too long") from error


def given_twice(label: str, name: str, times: int = 2) -> InstanceError:
    """The error of an object in which a name is given several times."""
    return InstanceError(f"{label}: {shortened(name)!r} is given {times} times in one object")


def refuse_halves(text: str, place: str) -> None:
    """Raise InstanceError if a text could not be written, because it holds half of a surrogate pair."""
    half = re.search("[\ud800-\udfff]", text)
    if half:
        raise InstanceError(f"{place}: holds {half[0]!r}, half of a UTF-16 surrogate pair")


def header_lines(head: Mapping[str, Any]) -> list[str]:
    """The first fields of an object, one per line, each with its comma."""
    return [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]


def block(name: str, entries: list[str]) -> str:
    """A list as a field, one entry per line."""
    return f'  "{name}": [\n' + ",\n".join(f"    {entry}" for entry in entries) + "\n  ]"


def _place_of_number(text: str, pattern: str, before: Position) -> str:
    """The line and column of the first occurrence of a number outside strings."""
    for match in re.finditer(rf'"[^"\\]*(?:\\.[^"\\]*)*"|({pattern})', text):
        if match[1] is not None:
            return str(before.after(text, match.start()))
    return "somewhere"


def _place(path: tuple[int | str, ...], names: ItemNames) -> str:
    """The position of an error in a file, with pieces and other items numbered from 1."""
    words: list[str] = []
    levels: tuple[str | tuple[str, ...], ...] = ()
    after_field = False
    for part in path:
        if isinstance(part, int):
            level, levels = (levels[0], levels[1:]) if levels else ("item", ())
            word = level[part] if isinstance(level, tuple) else f"{level} {part + 1}"
            # An item stands for its field: not "pieces, piece 1", but "piece 1".
            words = [*words[:-1], word] if after_field else [*words, word]
            after_field = False
        elif not part.startswith("tuple"):  # names of union members are the schema's, not the file's
            word = shortened(part)
            words = [*words[:-1], f"{words[-1]} {word}"] if after_field else [*words, word]
            levels, after_field = names.get(part, (word,)), True
    return ", ".join(words)


def _cause(fault: Any) -> str:
    if fault["type"] == "missing":
        return "is missing"
    if fault["type"] == _UNKNOWN:
        return "is not a field of this format"
    if fault["type"] in _LIMITS:
        word, limit = _LIMITS[fault["type"]]
        return f"has {plural(fault['ctx']['actual_length'], 'entry', str)}; give {word} {fault['ctx'][limit]}"
    if fault["type"] == "model_type":
        return f"a JSON object is expected, not {shortened(repr(fault['input']), 60)}"
    if fault["type"] == OWN_WORDS:
        return fault["msg"]
    message = fault["msg"].lower()
    for technical, plain in _IN_WORDS.items():
        message = re.sub(technical, plain, message)
    given = fault["input"]
    return f"{message}, not {shortened(json.dumps(given) if isinstance(given, bool | None) else repr(given), 60)}"


#: The type of the errors of our own validators; their messages are complete.
OWN_WORDS = "own_words"


def own_words(why: str) -> Exception:
    """The error of a validator with a complete message."""
    from pydantic_core import PydanticCustomError

    return PydanticCustomError(OWN_WORDS, "{why}", {"why": why})
