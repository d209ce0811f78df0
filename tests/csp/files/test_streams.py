"""Texts in parts, a JSON object with a long list or lines, are read as whole ones, and wrong ones are refused."""

import json
import random

import pytest

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.base.strict_json import parsed
from jigsat.csp.files import streams
from jigsat.csp.files.streams import JsonList, lines_of


def read(text, size=7, most=1000):
    """The fields and the entries of the list, read from parts of this size."""
    parts = (text[at : at + size] for at in range(0, len(text), size))
    listed = JsonList(parts, "x", "list", most)
    entries = [entry for entry, _ in listed.entries()]
    return {**listed.fields, "list": entries} if "list" in listed.fields else listed.fields


def value(chance, depth=0):
    kind = chance.randrange(5 if depth > 3 else 8)
    if kind < 5:
        return (None, True, chance.randrange(-(10**6), 10**6), 0.25, chance.choice(['a"\\,]}', "", "🧩\n"]))[kind]
    if kind == 5:
        return {str(number): value(chance, depth + 1) for number in range(chance.randrange(4))}
    return [value(chance, depth + 1) for _ in range(chance.randrange(4))]


@pytest.mark.parametrize("seed", range(40))
def test_it_is_read_as_by_a_parser_of_whole_texts(seed):
    chance = random.Random(seed)
    fields = [
        ("a", value(chance)),
        ("list", [value(chance, 2) for _ in range(chance.randrange(9))]),
        ("b", value(chance)),
    ]
    chance.shuffle(fields)
    text = json.dumps(dict(fields), indent=chance.choice([None, 1]), ensure_ascii=chance.random() < 0.5)
    for size in (1, 2, 13, 10**6):
        assert read(text, size) == dict(fields)


def outcome(reading):
    """What is read, or the place of the first error; what is expected there differs."""
    try:
        return reading()
    except InstanceError as error:
        return str(error).partition(": not JSON")[0]


@pytest.mark.parametrize("seed", range(60))
def test_what_is_not_json_is_refused_where_it_is_for_a_parser_of_whole_texts(seed):
    chance = random.Random(seed)
    text = json.dumps({"a": value(chance), "list": [value(chance, 2) for _ in range(5)], "b": value(chance)}, indent=1)
    at = chance.randrange(len(text))
    text = (
        text[:at]
        + chance.choice(["", "]", "}", ",", '"', "x", "[", "NaN", "9" * 5000])
        + text[at + chance.randrange(2) :]
    )
    whole = outcome(lambda: parsed(text, "x"))
    for size in (1, 10, 10**6):
        assert outcome(lambda size=size: read(text, size, 10**5)) == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[1]]", "x: a JSON object is expected, not list"),
        ('{"list": [], "list": []}', "x: 'list' is given 2 times in one object"),
        ('{"list": [{"a": 1, "a": 2}]}', "x: 'a' is given 2 times in one object"),
        ('{"list": [[1],\n [' + "1," * 60, "x: line 2, column 2: entry 2 of 'list' has more than 100 characters"),
        ('{"list": ["' + "a" * 200, "x: line 1, column 11: entry 1 of 'list' has more than 100 characters"),
        ('{"a": ' + "[" * 9000, "x: not usable JSON: nested too deeply"),
        ("{" + ",".join(f'"{n}": 0' for n in range(101)), "x: an object of more than 100 names"),
        ('{"list": []} 1', "x: line 1, column 14: not JSON: Extra data"),
    ],
)
def test_wrong_texts(text, message):
    with pytest.raises(InstanceError) as caught:
        read(text, most=100)
    assert str(caught.value).startswith(message)


def test_all_other_fields_together_have_a_limit(monkeypatch):
    monkeypatch.setattr(streams, "_MOST_FIELDS", 50)
    assert read('{"a": "bcd", "list": []}') == {"a": "bcd", "list": []}
    with pytest.raises(
        InstanceError, match=r"line 1, column 37: with 'b', the fields other than 'list' have more than 50"
    ):
        read('{"a": "bcdefghijklmnopqrstuv", "b": "bcdefghijklmnopqrstuv"}')


@pytest.mark.parametrize("seed", range(50))
def test_the_lines_are_those_of_the_whole_text(seed):
    chance = random.Random(seed)
    text = "".join(chance.choice(["a", "bc", "\r", "\n", "\r\n", "\x0b", "\x1c", "\u2028"]) for _ in range(30))
    for size in (1, 2, 3, 100):
        assert list(lines_of(text[at : at + size] for at in range(0, len(text), size))) == text.splitlines()
