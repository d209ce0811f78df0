"""Ledgers checked by counting some of their shares again: by the same method, and parts of them by another."""

import json
from dataclasses import replace

import pytest

from command_line import run
from jigsat import count
from jigsat.csp.base.errors import BookError
from jigsat.csp.engines.request import Options
from jigsat.csp.files.file_format import is_book
from jigsat.csp.files.instances import fingerprint, save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.counting.ledger import open_ledger
from jigsat.csp.search.counting.methods import Pause
from jigsat.csp.search.counting.plain import Prefixes
from jigsat.csp.work.run import code_version
from jigsat.estimators.plan.ledger_check import check_ledger
from small_puzzles import SMALL_PUZZLES

PUZZLE = deal_edge_matching(4, 4, 2, 2, seed=3).puzzle


@pytest.fixture(autouse=True)
def many_parts(monkeypatch):
    monkeypatch.setattr("jigsat.csp.search.counting.plain._FEW_NODES", 1)
    monkeypatch.setattr("jigsat.csp.search.counting.plain._ENOUGH_PARTS", 12)


def recorded(path, change=lambda number, share: share, key=None):
    """The ledger of a count in shares of five parts, and their number."""
    work = Prefixes(PUZZLE, Options())
    parts = len(work.work)
    key = {
        "instance": fingerprint(PUZZLE),
        "method": work.method,
        "options": work.options,
        "parts": parts,
        "code": code_version(),
        **(key or {}),
    }
    with open_ledger(path, key) as ledger:
        for number, first in enumerate(range(0, parts, 5), start=1):
            share = work.count(first, min(first + 5, parts), lambda: Pause.NO)
            ledger.record(change(number, share), 0.1)
        return len(ledger.shares)


def test_a_right_ledger_holds(tmp_path):
    """Its sum is the count, and both methods agree about every part that is counted by both."""
    shares = recorded(tmp_path / "l")
    assert shares > 3
    found = check_ledger(PUZZLE, tmp_path / "l", sample=1000)
    assert (found.holds, found.count, found.recorded) == (True, 2816, found.parts)
    assert found.again == tuple(range(1, shares + 1))
    assert found.another == shares
    assert found.probability(1) == 1
    found = check_ledger(PUZZLE, tmp_path / "l", sample=2)
    assert (found.holds, len(found.again)) == (True, 2)
    assert found.probability(1) == pytest.approx(2 / shares)


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("field", ["count", "nodes"])
def test_a_wrong_share_is_noticed_if_it_is_counted_again(tmp_path, field):
    """And only then: the probability is that of its being in the sample."""

    def change(number, share):
        if number != 2:
            return share
        nodes = (*share.nodes[:-2], share.nodes[-2] + 1, share.nodes[-1])
        return replace(share, **({"count": share.count + 32} if field == "count" else {"nodes": nodes}))

    shares = recorded(tmp_path / "l", change)
    noticed = 0
    for seed in range(40):
        found = check_ledger(PUZZLE, tmp_path / "l", sample=1, seed=seed)
        assert found.holds == (2 not in found.again)
        noticed += not found.holds
    assert 0 < noticed < 40
    assert found.probability(1) == pytest.approx(1 / shares)
    wrong = check_ledger(PUZZLE, tmp_path / "l", sample=shares).wrong
    assert len(wrong) == 1
    assert wrong[0].startswith("share 2 (parts 5 to 9): ")


@pytest.mark.parametrize("name", ["identical", "4x4", "rectangle", "symmetric", "half a board", "unsolvable"])
def test_parts_count_the_same_by_another_method(name):
    """With identical and symmetric pieces, fixed ones, and with turns of the board that an anchor breaks."""
    puzzle = SMALL_PUZZLES[name]
    work = Prefixes(puzzle, Options())
    total = 0
    for part in range(len(work.work)):
        own = work.count(part, part + 1, lambda: Pause.NO).count
        found = work.boards_of(part)
        if found is not None:
            boards, times = found
            fixed = [puzzle.with_fixed(board) for board in boards]
            assert own == times * sum(count(one, engine="most-constrained").count for one in fixed)
        total += own
    assert total == count(puzzle).count


def test_the_ledger_of_a_count_without_fixed_pieces(tmp_path):
    """It is checked with the puzzle that has them; only then the report has a note."""
    made = deal_edge_matching(4, 4, 2, 2, seed=3)
    puzzle = made.puzzle.with_fixed([made.solution[i] if i == 5 else None for i in range(16)])
    for pieces_only in (True, False):
        path = tmp_path / str(pieces_only)
        counted = count(puzzle, pieces_only=pieces_only, ledger=path)
        found = check_ledger(puzzle, path)
        assert (found.holds, found.count, found.pieces_only) == (True, counted.count, pieces_only)
        assert found.record()["pieces_only"] == pieces_only == ("without its fixed pieces" in found.summary())
    with pytest.raises(BookError, match="another puzzle"):
        check_ledger(made.puzzle, tmp_path / "False")


def test_what_cannot_be_counted_again_is_refused(tmp_path):
    """The ledger of another puzzle or version, of another cut, a file that is no ledger."""
    recorded(tmp_path / "l")
    with pytest.raises(BookError, match="another puzzle"):
        check_ledger(SMALL_PUZZLES["4x4"], tmp_path / "l")
    for key, reason in (({"code": "0.0.9+1"}, "version 0.0.9"), ({"parts": 3}, "cut in another way")):
        recorded(tmp_path / reason, key=key)
        with pytest.raises(BookError, match=reason):
            check_ledger(PUZZLE, tmp_path / reason)
    (tmp_path / "no").write_text("{}")
    assert not is_book(tmp_path / "no")
    with pytest.raises(BookError, match="is not a book"):
        check_ledger(PUZZLE, tmp_path / "no")


def test_from_the_command_line(here, capsys):
    save(PUZZLE, "p.json")
    shares = recorded("right.ledger")
    recorded("wrong.ledger", lambda number, share: replace(share, count=share.count + 32 * (number == 1)))
    status, out, _ = run(capsys, "check", "p.json", "right.ledger", "--sample", "2")
    assert status == 0
    assert f"in {shares} shares, 2 816 arrangements" in out
    assert "counted again    2 shares by the same method, 2 parts of them by another one" in out
    status, out, _ = run(capsys, "check", "p.json", "wrong.ledger", "--sample", "1000", "--json")
    assert (status, len(json.loads(out)["wrong"])) == (1, 1)
    assert "WRONG" in run(capsys, "check", "p.json", "wrong.ledger", "--sample", "1000")[1]
    for command in (("p.json", "right.ledger", "--partial"), ("p.json", "p.json", "--sample", "2")):
        status, out, err = run(capsys, "check", *command)
        assert (status, out, len(err.splitlines())) == (2, "", 1)


@pytest.mark.parametrize("method", ["plain", "halves"])
def test_ledgers_of_regions_are_counted_again(tmp_path, method):
    counted = count(PUZZLE, squares="A1:B3", method=method, ledger=tmp_path / "l")
    found = check_ledger(PUZZLE, tmp_path / "l", sample=1000)
    assert (found.holds, found.count, found.recorded) == (True, counted.count, found.parts)
    assert found.another == 0
