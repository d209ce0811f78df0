"""The records of a ledger as texts that can be verified by themselves: a length, an identification and a checksum."""

import json
from bisect import bisect, insort
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from ...base.errors import InstanceError
from ...base.strict_json import parsed
from .parts import Share

#: The beginning of every text.
BEGINNING = "jigsat-ledger/1 "
PAGE, POINTER = 512, 4
#: A text of this length fills more than half of a page and fits into it; longer ones fill further whole pages.
IN_FIRST_PAGE, IN_NEXT_PAGES = 460, PAGE - POINTER
_LENGTH_DIGITS, _CHECK_DIGITS = 8, 16
_BODY_AT = len(BEGINNING) + _LENGTH_DIGITS + 1

Record = dict[str, Any]

_Digits = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4300}\z")]


class _StrictTypes(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _KeyRecord(_StrictTypes):
    number: Literal[0]
    of: str
    key: dict[str, Any]


class _ShareFields(_StrictTypes):
    first: Annotated[int, Field(ge=0)]
    last: int
    nodes: list[_Digits]
    count: _Digits
    canonical_count: _Digits | None


class _ShareRecord(_StrictTypes):
    number: Annotated[int, Field(ge=1, lt=2**62)]
    of: str
    share: _ShareFields
    seconds: Annotated[float, Field(ge=0, le=1e300)]


def key_record(key: Mapping[str, object]) -> Record:
    """The first record of a ledger: what is counted."""
    return {"number": 0, "of": digest_of(key), "key": key}


def share_record(number: int, digest: str, share: Share, seconds: float) -> Record:
    """The record of a share."""
    # Numbers that may be large are strings, which other readers of JSON do not round.
    canonical = share.canonical_count
    fields = {
        "first": int(share.first),
        "last": int(share.last),
        "nodes": [str(int(nodes)) for nodes in share.nodes],
        "count": str(int(share.count)),
        "canonical_count": None if canonical is None else str(int(canonical)),
    }
    return {"number": number, "of": digest, "share": fields, "seconds": round(seconds, 6)}


def share_in(record: Record) -> Share:
    """The share of a record."""
    fields = record["share"]
    canonical = fields["canonical_count"]
    return Share(
        fields["first"],
        fields["last"],
        tuple(map(int, fields["nodes"])),
        int(fields["count"]),
        None if canonical is None else int(canonical),
    )


def sound(records: Iterable[Record], key: Mapping[str, object]) -> list[Record]:
    """The records of shares that have a part, only parts of the count, and none of a record before.

    Some may be repeated, or left over from an unfinished transaction.
    """
    parts = key.get("parts")
    spans: list[tuple[int, int]] = []
    kept = []
    for record in records:
        first, last = record["share"]["first"], record["share"]["last"]
        inside = first < last and not (isinstance(parts, int) and last > parts)
        if inside and not overlaps(spans, first, last):
            insort(spans, (first, last))
            kept.append(record)
    return kept


def overlaps(spans: list[tuple[int, int]], first: int, last: int) -> bool:
    """Whether one of the spans, which are sorted and do not overlap, has one of these parts."""
    at = bisect(spans, (first, last))
    return any(start < last and first < end for start, end in spans[max(at - 1, 0) : at + 1])


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
        record = parsed(body.decode(), "")
        model = _ShareRecord if isinstance(record, dict) and "share" in record else _KeyRecord
        model.model_validate(record)
    except (InstanceError, UnicodeDecodeError, ValidationError):
        return None
    return record


def _sealed(body: bytes) -> bytes:
    return f"{BEGINNING}{len(body):0{_LENGTH_DIGITS}d} ".encode() + body + f" {_checksum(body)}".encode()


def digest_of(key: Mapping[str, object]) -> str:
    """What identifies the count in each record."""
    return _checksum(json.dumps(key, sort_keys=True).encode())


def _checksum(body: bytes) -> str:
    return sha256(body).hexdigest()[:_CHECK_DIGITS]
