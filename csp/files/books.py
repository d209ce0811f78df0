"""Books of long work as they are on disk: their records, and what can be read of them without SQLite.

A record is a text that can be verified by itself: it has its length, an identification and a checksum.  It is padded to
fill the rest of one page of the database and then whole pages.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..base.errors import BookError
from ..base.stop import StoppedError, never
from ..base.strict_json import collected_later
from .file_format import is_book

#: The beginning of every text.
BEGINNING = "jigsat-book/1 "
PAGE, POINTER = 512, 4
#: A text of this length fills more than half of a page and fits into it; longer ones fill further whole pages.
IN_FIRST_PAGE, IN_NEXT_PAGES = 460, PAGE - POINTER
_LENGTH_DIGITS, _CHECK_DIGITS = 8, 16
_BODY_AT = len(BEGINNING) + _LENGTH_DIGITS + 1

Record = dict[str, Any]


#: What errors of no book end with.
NONE = "give another file, or the name of a new file"
_MOST_BYTES = 2**30
#: The longest text; larger values in a file are not read.
MOST = 2**25

#: Makes a function that says, of one entry after the other with its number, whether it belongs to those before: what is
#: left of a damaged book may have gaps and repetitions.
Sound = Callable[[], Callable[[int, Any], bool]]


def about_text(about: Mapping[str, object]) -> str:
    """The first record of a book: what the work is about."""
    return text_of(f'{{"number":0,"of":"{digest_of(about)}","about":{compact(about)}}}')


def entries_text(number: int, of: str, entries: Sequence[str]) -> str:
    """The record of entries, as JSON texts, the first of which has this number in the book."""
    return text_of(f'{{"number":{number},"of":"{of}","entries":[{",".join(entries)}]}}')


def state_text(serial: int, of: str, after: int, state: str) -> str:
    """The record of a state, a JSON text, that was kept after this number of entries.

    Its length is that of a power of two of pages, so that a later one mostly takes its place exactly.
    """
    return text_of(f'{{"number":{serial},"of":"{of}","after":{after},"state":{state}}}', doubling=True)


#: A value as JSON text.  One encoder for all texts, because `json.dumps` makes one for each.
compact = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


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
    except (ValueError, RecursionError):
        return None
    return record if _has_its_fields(record) else None


def _has_its_fields(record: object) -> bool:
    match record:
        case {"of": str(), "number": int(number), "about": dict(), **others}:
            right = number == 0
        case {"of": str(), "number": int(number), "entries": [_, *_], **others}:
            right = 0 < number < 2**62
        case {"of": str(), "number": int(number), "after": int(after), "state": _, **others}:
            right = 0 < number < 2**62 and 0 <= after < 2**62 and type(after) is int
        case _:
            return False
    return right and not others and type(number) is int


def _no_number(name: str) -> None:
    raise ValueError(name)


def _sealed(body: bytes) -> bytes:
    return f"{BEGINNING}{len(body):0{_LENGTH_DIGITS}d} ".encode() + body + f" {_checksum(body)}".encode()


def digest_of(about: Mapping[str, object]) -> str:
    """What identifies the work in each record."""
    return _checksum(json.dumps(about, sort_keys=True).encode())


def _checksum(body: bytes) -> str:
    return sha256(body).hexdigest()[:_CHECK_DIGITS]


def without_gap() -> Callable[[int, Any], bool]:
    """Accepts the entries before the first one that is missing."""
    kept = 0

    def accept(number: int, entry: object) -> bool:
        nonlocal kept
        # Some may be repeated.
        fits = number == kept + 1
        kept += fits
        return fits

    return accept


def read_book(path: str | Path, sound: Sound = without_gap) -> tuple[Mapping[str, Any], list[Any]]:
    """What a book is about, and its entries, read without SQLite; it may be in use.

    Raises BookError if it cannot be read, is not a book, or has lost what it is about.
    """
    data = _bytes_of(path)
    with collected_later():
        found = [*records_in(data, never)]
    about = _about(path, found)
    return about, [entry for _, entry in sound_entries(found, digest_of(about), sound)]


def read_about(path: str | Path) -> Mapping[str, Any]:
    """What a book is about, without what comes after that in the file; raises as `read_book` does."""
    return _about(path, records_in(_bytes_of(path), never))


def has_content(path: str | Path) -> bool:
    """Whether a book has an entry or a state; raises as `read_book` does."""
    data = _bytes_of(path)
    of = digest_of(_about(path, records_in(data, never)))
    return any("about" not in record and record["of"] == of for record in records_in(data, never))


def _about(path: str | Path, records: Iterable[Record]) -> Mapping[str, Any]:
    about = next((record["about"] for record in records if "about" in record), None)
    if about is None:
        raise BookError(f"{path}: has lost the record of what it is about")
    return about


def _bytes_of(path: str | Path) -> bytes:
    if os.path.exists(path) and not is_book(path):
        raise BookError(f"{path}: is not a book; {NONE}")
    try:
        if os.path.getsize(path) > _MOST_BYTES:
            raise BookError(f"{path}: has more than {_MOST_BYTES >> 20} MiB; {NONE}")
        return Path(path).read_bytes()
    except OSError as error:
        raise BookError(f"{path}: cannot be used as a book: {error.strerror}") from error


def records_in(data: bytes, must_stop: Callable[[], bool]) -> Iterator[Record]:
    """The complete records in the bytes of a file, which may be damaged, in their order."""
    beginning = BEGINNING.encode()
    at = data.find(beginning)
    while at >= 0:
        if must_stop():
            raise StoppedError
        needed = declared_length(data[at : at + IN_FIRST_PAGE])
        record = None if needed > MOST else parsed_record(_text_at(data, at, needed))
        if record is not None:
            yield record
        at = data.find(beginning, at - at % PAGE + PAGE)


def _text_at(data: bytes, at: int, needed: int) -> bytes:
    """The text that begins here; a longer one ends with the number of the page that it goes on in, and so on."""
    end = at - at % PAGE + PAGE
    if needed <= IN_FIRST_PAGE:
        return data[at:end]
    parts, pointer = [data[at : end - POINTER]], data[end - POINTER : end]
    for _ in range(len(parts[0]), needed, PAGE - POINTER):
        start = max(int.from_bytes(pointer) - 1, 0) * PAGE
        parts.append(data[start + POINTER : start + PAGE])
        pointer = data[start : start + POINTER]
    return b"".join(parts)


def sound_entries(found: Sequence[Record], of: str, sound: Sound) -> list[tuple[int, Any]]:
    """The entries in some records, with their numbers, that belong together."""
    blocks = [(record["number"], record["entries"]) for record in found if "entries" in record and record["of"] == of]
    numbered = [(first + at, entry) for first, entries in blocks for at, entry in enumerate(entries)]
    accept = sound()
    return [(number, entry) for number, entry in sorted(numbered, key=itemgetter(0)) if accept(number, entry)]
