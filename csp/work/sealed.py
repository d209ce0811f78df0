"""The records of a book as texts that can be verified by themselves: a length, an identification and a checksum."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

#: The beginning of every text.
BEGINNING = "jigsat-book/1 "
PAGE, POINTER = 512, 4
#: A text of this length fills more than half of a page and fits into it; longer ones fill further whole pages.
IN_FIRST_PAGE, IN_NEXT_PAGES = 460, PAGE - POINTER
_LENGTH_DIGITS, _CHECK_DIGITS = 8, 16
_BODY_AT = len(BEGINNING) + _LENGTH_DIGITS + 1

Record = dict[str, Any]


class _StrictTypes(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _AboutRecord(_StrictTypes):
    number: Literal[0]
    of: str
    about: dict[str, Any]


class _EntriesRecord(_StrictTypes):
    number: Annotated[int, Field(ge=1, lt=2**62)]
    of: str
    entries: Annotated[list[Any], Field(min_length=1)]


class _StateRecord(_StrictTypes):
    number: Annotated[int, Field(ge=1, lt=2**62)]
    of: str
    after: Annotated[int, Field(ge=0, lt=2**62)]
    state: Any


_MODELS = {"entries": _EntriesRecord, "state": _StateRecord}


def about_text(about: Mapping[str, object]) -> str:
    """The first record of a book: what the work is about."""
    return text_of(f'{{"number":0,"of":"{digest_of(about)}","about":{compact(about)}}}')


def entries_text(number: int, of: str, entries: Sequence[str]) -> str:
    """The record of entries, as JSON texts, the first of which has this number in the book."""
    return text_of(f'{{"number":{number},"of":"{of}","entries":[{",".join(entries)}]}}')


def state_text(serial: int, of: str, after: int, state: str) -> str:
    """The record of a state, a JSON text, that was kept after `after` entries.

    Its length is that of a power of two of pages, so that a later one mostly takes its place exactly.
    """
    return text_of(f'{{"number":{serial},"of":"{of}","after":{after},"state":{state}}}', doubling=True)


def compact(value: object) -> str:
    """A JSON text."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def pages_of(text: str) -> int:
    """How many pages a record fills."""
    return (len(text) - IN_FIRST_PAGE) // IN_NEXT_PAGES + 1


def text_of(body: str, *, doubling: bool = False) -> str:
    """The record with a body, padded to fill pages."""
    text = _sealed(body.encode()).decode()
    more = -((IN_FIRST_PAGE - len(text)) // IN_NEXT_PAGES)
    if doubling:
        more = 2 ** more.bit_length() - 1
    return text.ljust(IN_FIRST_PAGE + more * IN_NEXT_PAGES)


def declared_length(text: bytes) -> int:
    """The length of a text without its padding, as recorded in the text; 0 if it is missing."""
    digits = text[len(BEGINNING) : _BODY_AT - 1]
    return _BODY_AT + int(digits) + 1 + _CHECK_DIGITS if len(digits) == _LENGTH_DIGITS and digits.isdigit() else 0


def parsed_record(text: bytes) -> Record | None:
    """The record in a text; None unless it is exactly as it was written, with all fields of their types."""
    end = declared_length(text)
    body = text[_BODY_AT : end - _CHECK_DIGITS - 1]
    if text[:end] != _sealed(body):
        return None
    try:
        # The checksum stands for all that a strict reader would look for, which takes four times as long.
        record = json.loads(body, parse_constant=_no_number)
        kind = next((name for name in _MODELS if isinstance(record, dict) and name in record), "about")
        _MODELS.get(kind, _AboutRecord).model_validate(record)
    except (ValueError, RecursionError):
        return None
    return record


def _no_number(name: str) -> None:
    raise ValueError(name)


def _sealed(body: bytes) -> bytes:
    return f"{BEGINNING}{len(body):0{_LENGTH_DIGITS}d} ".encode() + body + f" {_checksum(body)}".encode()


def digest_of(about: Mapping[str, object]) -> str:
    """What identifies the work in each record."""
    return _checksum(json.dumps(about, sort_keys=True).encode())


def _checksum(body: bytes) -> str:
    return sha256(body).hexdigest()[:_CHECK_DIGITS]
