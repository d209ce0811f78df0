"""The texts of a ledger: exactly as files have them, read only if nothing in them is wrong."""

import json
from hashlib import sha256

import numpy as np
import pytest

from jigsat.csp.search.counting.ledger_records import (
    declared_length,
    digest_of,
    key_record,
    overlaps,
    parsed_record,
    share_in,
    share_record,
    sound,
    text_of,
)
from jigsat.csp.search.counting.parts import Share
from pieceworks import share_of

OF = "0123456789abcdef"
BODY = (
    '{"number":2,"of":"0123456789abcdef","share":{"first":3,"last":7,"nodes":["1","100000000000000000000"],'
    '"count":"1180591620717411303424","canonical_count":null},"seconds":0.123457}'
)


def text_with(body):
    """The text of a body, with the right length and checksum."""
    return f"jigsat-ledger/1 {len(body.encode()):08d} {body} {sha256(body.encode()).hexdigest()[:16]}".encode()


def test_texts_are_as_in_files_of_earlier_versions():
    key = {"parts": 5, "method": "naps"}
    body = '{"number":0,"of":"c0dca718dda3879e","key":{"parts":5,"method":"naps"}}'
    assert text_of(key_record(key)) == f"jigsat-ledger/1 00000070 {body} 1892a87d89d096dd".ljust(460)
    share = share_record(2, OF, Share(3, 7, (1, 10**20), 2**70, None), 0.1234567)
    assert text_of(share) == f"jigsat-ledger/1 00000178 {BODY} e6163937a5895c8d".ljust(460)
    assert digest_of({"method": "naps", "parts": 5}) == "c0dca718dda3879e"


@pytest.mark.parametrize("length", [80, 459, 460, 461, 967, 968, 969, 1476, 1477])
def test_a_text_fills_pages(length):
    """The rest of the first one, which has 460 characters, and then whole ones of 508."""
    record = {"number": 0, "of": "", "key": {"a": ""}}
    spare = length - len(text_of(record).rstrip())
    record["key"]["a"] = "x" * spare
    text = text_of(record)
    assert (len(text.rstrip()), len(text)) == (length, next(n for n in (460, 968, 1476, 1984) if length <= n))
    assert declared_length(text.encode()) == length
    assert parsed_record(text.encode()) == record


@pytest.mark.parametrize("canonical", [None, 0, 2**70])
def test_a_share_is_found_again(canonical):
    """Also one of NumPy's numbers."""
    share = Share(0, 4, (1, 0, 10**40), 10**30, canonical)
    assert share_in(parsed_record(text_of(share_record(1, OF, share, 0)).encode())) == share
    given = Share(np.int64(0), np.int64(4), (np.int64(5),), np.int64(6), None if canonical is None else np.int64(7))
    assert share_in(share_record(1, OF, given, 1.0)) == Share(0, 4, (5,), 6, None if canonical is None else 7)
    assert json.dumps(share_record(1, OF, given, 1.0)["share"]["nodes"]) == '["5"]'


def test_a_length_has_eight_digits():
    assert declared_length(b"jigsat-ledger/1 00000123 {") == 16 + 8 + 1 + 123 + 1 + 16
    for text in (b"", b"jigsat-ledger/1 1234", b"jigsat-ledger/1 0000x123 {", b"jigsat-ledger/1 -0000123 {"):
        assert declared_length(text) == 0


def test_a_text_with_another_letter_is_no_record():
    text = text_of(json.loads(BODY)).encode()
    assert parsed_record(text) == json.loads(BODY)
    end = len(text.rstrip())
    for at in range(end):
        assert parsed_record(text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]) is None
    for length in (0, 16, 24, end - 17, end - 1):
        assert parsed_record(text[:length]) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"number":2', '"number":0'),
        ('"number":2', '"number":4611686018427387904'),
        ('"number":2', '"number":"2"'),
        ('"number":2', '"number":2.0'),
        ('"number":2,', ""),
        ('"number":2', '"number":2,"more":1'),
        ('"number":2', '"number":2,"number":2'),
        (f'"{OF}"', "7"),
        ('"first":3', '"first":-1'),
        ('"first":3', '"first":"3"'),
        ('"last":7', '"last":7.5'),
        ('"last":7', '"last":7,"more":1'),
        ('"nodes":["1",', '"nodes":[1,'),
        ('"nodes":["1",', '"nodes":["",'),
        ('"nodes":["1",', '"nodes":["-1",'),
        ('"nodes":["1",', '"nodes":["1\\n",'),
        ('"nodes":["1",', '"nodes":["a1",'),
        ('"nodes":["1",', '"nodes":["\\u0967",'),
        ('"count":"', f'"count":"{"9" * 4300}'),
        ('"canonical_count":null', '"canonical_count":0'),
        ('"canonical_count":null', '"canonical_count":" 1"'),
        (',"canonical_count":null', ""),
        ('"seconds":0.123457', '"seconds":-1'),
        ('"seconds":0.123457', '"seconds":1e301'),
        ('"seconds":0.123457', '"seconds":NaN'),
        ('"share":', '"key":{},"share":'),
        ('"share":', '"key":'),
        (BODY, "5"),
        (BODY, '"share"'),
        (BODY, '["share"]'),
        (BODY, "{}"),
        (BODY, '{"number":1,"of":"","key":{}}'),
        (BODY, '{"number":0,"of":"","key":[]}'),
        (BODY, '{"number":0,"of":"","key":{},"seconds":1.0}'),
        (BODY, '{"number":0,'),
    ],
)
def test_a_record_of_other_fields_or_types_is_none(old, new):
    assert BODY.count(old) == 1
    assert parsed_record(text_with(BODY)) is not None
    assert parsed_record(text_with(BODY.replace(old, new))) is None


def test_a_record_that_is_no_unicode_is_none():
    body = b'{"number":0,"of":"\xff","key":{}}'
    assert (
        parsed_record(b"jigsat-ledger/1 %08d %s %s" % (len(body), body, sha256(body).hexdigest()[:16].encode())) is None
    )


def test_shares_are_sound_that_have_parts_of_the_count_and_none_of_another():
    spans = [
        (5, 9),
        (0, 3),
        (9, 9),
        (3, 3),
        (2, 4),
        (3, 6),
        (8, 10),
        (4, 10),
        (6, 7),
        (10, 12),
        (12, 13),
        (3, 5),
        (9, 10),
    ]
    records = [share_record(number, OF, share_of(*span), 1.0) for number, span in enumerate(spans, start=1)]
    kept = [records[at] for at in (0, 1, 9, 11, 12)]
    assert sound(records, {"parts": 12}) == kept
    assert sound(records, {"parts": 11}) == [record for record in kept if record["number"] != 10]
    for key in ({}, {"parts": None}, {"parts": "12"}):
        assert sound(records, key) == [*kept[:3], records[10], *kept[3:]]


def test_spans_overlap_if_they_have_a_part_in_common():
    spans = [(2, 4), (4, 5), (8, 9), (12, 20)]
    taken = {part for first, last in spans for part in range(first, last)}
    for first in range(22):
        for last in range(first + 1, 23):
            assert overlaps(spans, first, last) is not taken.isdisjoint(range(first, last))
    assert overlaps([], 0, 1) is False
