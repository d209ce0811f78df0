"""The records of a book as texts that can be verified by themselves: a length, an identification and a checksum."""

import json
from collections.abc import Mapping
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


class _EntryRecord(_StrictTypes):
    number: Annotated[int, Field(ge=1, lt=2**62)]
    of: str
    entry: dict[str, Any]


def about_record(about: Mapping[str, object]) -> Record:
    """The first record of a book: what the work is about."""
    return {"number": 0, "of": digest_of(about), "about": about}


def text_of(record: Record) -> str:
    """The text of a record, padded to fill pages."""
    text = _sealed(json.dumps(record, separators=(",", ":")).encode()).decode()
    pages = -((IN_FIRST_PAGE - len(text)) // IN_NEXT_PAGES)
    return text.ljust(IN_FIRST_PAGE + pages * IN_NEXT_PAGES)


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
        model = _EntryRecord if isinstance(record, dict) and "entry" in record else _AboutRecord
        model.model_validate(record)
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
