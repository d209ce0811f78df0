"""Processes that share a piece of work, each with a book of its own, and the book for all of it."""

import pytest

import jigsat as js
from jigsat.csp.base.errors import BookError, UsageError


def test_the_parts_of_a_count_are_the_whole_count(tmp_path):
    """In any order, some of them twice, and with one added later; the command goes on from what is there."""
    puzzle, alike = js.read("puzzle-a"), {"method": "blocks"}
    whole = js.count(puzzle, **alike)
    books = [tmp_path / f"{number}.book" for number in (1, 2, 3)]
    for number, book in enumerate(books, start=1):
        part = js.count(puzzle, part=f"{number}/3", ledger=str(book), **alike)
        assert (part.complete, part.ended_by) == (False, "part")
        assert 0 < sum(part.nodes_by_depth) < sum(whole.nodes_by_depth)
    merged = js.merge([books[2], books[0], books[2]], tmp_path / "all.book")
    assert not merged.complete
    assert "at least" in merged.summary()
    merged = js.merge(books, tmp_path / "all.book")
    assert (merged.complete, merged.count) == (True, whole.count)
    again = js.count(puzzle, ledger=str(tmp_path / "all.book"), **alike)
    assert (again.count, again.canonical_count, again.nodes_by_depth) == (160, 40, whole.nodes_by_depth)
    assert again.statistics["tasks"] == 0


def test_what_is_not_to_be_joined_is_refused(tmp_path):
    books = [str(tmp_path / name) for name in "ab"]
    for book, options in zip(books, ({"method": "blocks"}, {"method": "frames"}), strict=True):
        js.count(js.read("puzzle-a"), ledger=book, part="1/99", **options)
    with pytest.raises(BookError, match="is the book of other work"):
        js.merge(books, tmp_path / "all.book")
    with pytest.raises(BookError, match="No such file"):
        js.merge([books[0], tmp_path / "missing"], tmp_path / "all.book")
    js.race(js.read("clue1"), tmp_path / "race", width=10, trials=1)
    with pytest.raises(BookError, match="No such file"):
        js.merge([tmp_path / "race", tmp_path / "missing"], tmp_path / "all")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a", "b", "race"]
    with pytest.raises(BookError, match="is not a book"):
        js.merge([__file__], tmp_path / "all.book")
    with pytest.raises(UsageError, match="at least one"):
        js.merge([], tmp_path / "all.book")
    with pytest.raises(UsageError, match="needs a ledger"):
        js.count(js.read("puzzle-a"), part="1/2")
    for text in ("0/3", "4/3", "1", "1/2/3", "a/b", "-1/3"):
        with pytest.raises(UsageError, match="is not a part K/N"):
            js.count(js.read("puzzle-a"), part=text, ledger=books[0])
