"""Texts that are read in parts: line by line, or a JSON object of which one field is a long list, entry by entry."""

import json
import re
from collections.abc import Container, Iterable, Iterator
from itertools import count
from math import isfinite
from typing import Any

from ..base.errors import InstanceError, shortened
from ..base.strict_json import START, WrittenFloat, given_twice, parsed

# The other fields have at most this number of characters together.
_MOST_FIELDS, _MOST_NAMES = 2**22, 100
# Of a number that has been cut, such as 1e+, these characters may seem to come after it.
_REST_OF_NUMBER = 2
_BLANKS = re.compile(r"[ \t\r\n]*")
# No JSON text of whole numbers, nulls and lists has one of these.
_MORE = ("{", '"', "e", "E", ".", "N", "I")


def is_plain(text: str) -> bool:
    """Whether a JSON text has nothing but whole numbers, nulls and lists of these."""
    return not any(mark in text for mark in _MORE)


class JsonList:
    """A JSON object, read field by field, and one of its fields, a list, entry by entry.

    Names within an object must be unique and numbers finite, as for `parsed`.

    - `parts`: the text.
    - `label`: the name of the text in error messages.
    - `name`: the field with the list.  If it is not a list, it is a field like others.
    - `most`: the largest number of characters of an entry.

    Attributes:
    - `fields`: the other fields, as far as they were read; and, from its beginning, an empty list in place of the list.
    """

    def __init__(self, parts: Iterable[str], label: str, name: str, most: int) -> None:
        self._text, self._label, self._name, self._most = _Text(parts, label), label, name, most
        self.fields: dict[str, Any] = {}
        self._left = _MOST_FIELDS

    def entries(self) -> Iterator[tuple[Any, bool]]:
        """Read everything; yields the entries of the list.

        Each comes with whether it `is_plain`.

        Raises InstanceError if the text is not such JSON, has many fields, or an entry or a field is too long.
        """
        text = self._text
        if text.next() != "{":
            value = self._other("the values")
            text.end()
            raise InstanceError(f"{self._label}: a JSON object is expected, not {type(value).__name__}")
        for _ in text.items("}"):
            name = self._new_name(self.fields)
            if len(self.fields) == _MOST_NAMES:
                raise InstanceError(f"{self._label}: an object of more than {_MOST_NAMES} names")
            if name == self._name and text.next() == "[":
                self.fields[name] = []
                for number in text.items("]"):
                    too_long = f"entry {number} of {name!r} has more than {self._most} characters"
                    value, written = text.value(self._most, too_long)
                    yield value, is_plain(written)
            else:
                self.fields[name] = self._other(f"with {shortened(name)!r}, the fields other than {self._name!r}")
        text.end()

    def _new_name(self, known: Container[str]) -> str:
        """The name of the next field, with its colon."""
        if self._text.next() != '"':
            raise self._text.not_json("Expecting property name enclosed in double quotes")
        name = self._other("the names of the fields")
        if name in known:
            raise given_twice(self._label, name)
        self._text.expect(":", "Expecting ':' delimiter")
        return name

    def _other(self, what: str) -> Any:
        """The next value, which is no entry of the list."""
        value, text = self._text.value(self._left, f"{what} have more than {_MOST_FIELDS} characters")
        self._left -= len(text)
        return value


class _Text:
    """A JSON text of which only a part is in memory."""

    def __init__(self, parts: Iterable[str], label: str) -> None:
        self._parts, self._label = iter(parts), label
        self._part, self._at, self._over = "", 0, False
        self._start = START

    def _grow(self, least: int) -> None:
        """Forget what has been read, and have at least this number of characters, unless the text is over."""
        self._start = self._start.after(self._part, self._at)
        added = [self._part[self._at :]]
        size = len(added[0])
        while size < least and not self._over:
            part = next(self._parts, None)
            self._over = part is None
            added.append(part or "")
            size += len(added[-1])
        self._part, self._at = "".join(added), 0

    def next(self) -> str:
        """The next character that is no blank, which is not read; empty at the end."""
        while True:
            blanks = _BLANKS.match(self._part, self._at)
            assert blanks is not None
            self._at = blanks.end()
            if self._at < len(self._part) or self._over:
                return self._part[self._at : self._at + 1]
            self._grow(1)

    def items(self, closing: str) -> Iterator[int]:
        """Read a list or object, whose items are read by the caller; yields the number of each before it is read."""
        self._at += 1
        more = self.next() != closing
        for number in count(1):
            if not more:
                break
            yield number
            more = self.next() == ","
            self._at += more
        self.expect(closing, "Expecting ',' delimiter")

    def expect(self, character: str, message: str) -> None:
        """Read the next character that is no blank, which must be this one."""
        if self.next() != character:
            raise self.not_json(message)
        self._at += 1

    def end(self) -> None:
        """Raise InstanceError unless nothing but blanks is left."""
        if self.next():
            raise self.not_json("Extra data")

    def not_json(self, message: str) -> InstanceError:
        """An error at this place."""
        return InstanceError(f"{self._label}: {self._start.after(self._part, self._at)}: not JSON: {message}")

    def value(self, most: int, too_long: str) -> tuple[Any, str]:
        """Read a value, and return it with its text; if it has more characters, the error is `too_long`."""
        self.next()
        while True:
            left = len(self._part) - self._at
            enough = self._over or left > most + _REST_OF_NUMBER
            try:
                value, end = _DECODER.raw_decode(self._part, self._at)
            except RecursionError:
                raise InstanceError(f"{self._label}: not usable JSON: nested too deeply") from None
            except ValueError:
                if enough:
                    raise self._wrong(most, too_long) from None
            else:
                if enough or end + _REST_OF_NUMBER < len(self._part):
                    break
            self._grow(min(2 * left, most + _REST_OF_NUMBER) + 1)
        if end - self._at > most:
            raise self._too_long(too_long)
        text = self._part[self._at : end]
        self._at = end
        return value, text

    def _wrong(self, most: int, too_long: str) -> InstanceError:
        """The error of the next value, which cannot be read."""
        text = self._part[self._at : self._at + most + 1]
        try:
            parsed(text, self._label, self._start.after(self._part, self._at))
        except InstanceError as error:
            cause = error.__cause__
            cut = isinstance(cause, json.JSONDecodeError) and (cause.pos >= most or "Unterminated" in cause.msg)
            return self._too_long(too_long) if cut and len(text) > most else error
        raise AssertionError("a text is JSON that was not JSON")

    def _too_long(self, message: str) -> InstanceError:
        return InstanceError(f"{self._label}: {self._start.after(self._part, self._at)}: {message}")


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _real(word: str) -> float:
    number = WrittenFloat(word)
    if not isfinite(number):
        raise ValueError
    return number


# What it refuses is read once more by `parsed`, for the message.
_DECODER = json.JSONDecoder(object_pairs_hook=_fields, parse_float=_real, parse_constant=_real)


def lines_of(parts: Iterable[str]) -> Iterator[str]:
    """The lines of a text, as by `str.splitlines`."""
    begun: list[str] = []
    held = ""
    for part in parts:
        part = held + part
        # A carriage return may be the first half of a line break.
        held = "\r" if part.endswith("\r") else ""
        part = part.removesuffix(held)
        lines = part.splitlines()
        last = [] if part[-1:].splitlines() == [""] else lines[-1:]
        if len(lines) > len(last):
            yield "".join([*begun, lines[0]])
            begun.clear()
            yield from lines[1 : len(lines) - len(last)]
        begun += last
    if begun or held:
        yield "".join(begun)
