"""The texts of a book: exactly as files have them, read only if nothing in them is wrong."""

import json
from hashlib import sha256

import pytest

from jigsat.csp.files.books import entries_text, pages_of, parsed_record, state_text, text_of

OF = "0123456789abcdef"
BODY = (
    '{"number":2,"of":"0123456789abcdef","entries":[{"first":3,"nodes":["1","100000000000000000000"],"seconds":0.1}]}'
)


def text_with(body):
    """The text of a body, with the right length and checksum."""
    return f"jigsat-book/1 {len(body.encode()):08d} {body} {sha256(body.encode()).hexdigest()[:16]}".encode()


def test_a_record_of_entries_or_a_state_is_found_again():
    """A state of one length more or less mostly fills as many pages."""
    entries = [5, "a", None, {"b": [1.5]}]
    told = entries_text(7, OF, list(map(json.dumps, entries)))
    assert parsed_record(told.encode()) == {"number": 7, "of": OF, "entries": entries}
    lengths = set()
    for size in range(0, 9000, 250):
        told = state_text(3, OF, 9, json.dumps("x" * size))
        assert parsed_record(told.encode()) == {"number": 3, "of": OF, "after": 9, "state": "x" * size}
        assert (len(told) - 460) % 508 == 0
        lengths.add(pages_of(told))
    assert lengths == {1, 2, 4, 8, 16, 32}


def test_a_text_with_another_letter_is_no_record():
    text = text_of(BODY).encode()
    assert parsed_record(text) == json.loads(BODY)
    end = len(text.rstrip())
    for at in range(end):
        assert parsed_record(text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]) is None
    for length in (0, 14, 22, end - 17, end - 1):
        assert parsed_record(text[:length]) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"number":2', '"number":0'),
        ('"number":2', '"number":4611686018427387904'),
        ('"number":2,', ""),
        ('"number":2', '"number":2,"more":1'),
        (f'"{OF}"', "7"),
        ('"seconds":0.1', '"seconds":NaN'),
        ('"entries":', '"about":{},"entries":'),
        ('"entries":', '"about":'),
        ('"entries":', '"state":'),
        ('"entries":', '"after":2,"entries":'),
        (BODY[38:], '"entries":[]}'),
        (BODY[38:], '"after":-1,"state":1}'),
        (BODY, "5"),
        (BODY, '{"number":1,"of":"","about":{}}'),
        (BODY, '{"number":0,"of":"","about":[]}'),
        (BODY, '{"number":0,"of":"","about":{},"seconds":1.0}'),
    ],
)
def test_a_record_of_other_fields_or_types_is_none(old, new):
    assert BODY.count(old) == 1
    assert parsed_record(text_with(BODY)) is not None
    assert parsed_record(text_with(BODY.replace(old, new))) is None
