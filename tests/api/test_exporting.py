"""Exports: the function writes and says what the command does."""

import json

import pytest

from jigsat import export, read
from jigsat.csp.base.errors import UsageError
from solved_clue import BOARD, CLUE

L_SHAPE = read("l-shape")
PART = (*BOARD[:3], *(None,) * 33)


def test_what_cannot_be_exported(tmp_path):
    """Besides what commands can ask for."""
    with pytest.raises(UsageError, match="to: unknown 'smt', choose from cnf, wcnf, opb, cpsat, mzn, dlx, xcsp3"):
        export(CLUE, tmp_path / "x.cnf", to="smt")
    with pytest.raises(UsageError, match="start: it is for puzzles of squares"):
        export(L_SHAPE, tmp_path / "x.cnf", start=PART)
    assert list(tmp_path.iterdir()) == []


def test_iterators_and_paths_are_read_once_and_put_into_the_record(tmp_path):
    """The same model and the same record as for texts; the record is JSON."""
    order = tuple(reversed(range(36)))
    names = tmp_path / "order.txt"
    names.write_text(" ".join(map(CLUE.board.name, order)))
    texts, others = {"slips": "20,30x2", "frame_slips": "36"}, {"slips": (20, 30, 30), "frame_slips": (36,)}
    by_text = export(CLUE, tmp_path / "text.cnf", order=str(names), **texts)
    iterators = {name: iter(values) for name, values in others.items()}
    by_iterator = export(CLUE, tmp_path / "iterator.cnf", order=names, **iterators)
    assert (tmp_path / "iterator.cnf").read_text() == (tmp_path / "text.cnf").read_text()
    assert json.loads(json.dumps(by_iterator.record()))["options"] == by_text.record()["options"]
    assert by_text.record()["options"] == {"order": str(names), **texts}
    squares = export(CLUE, tmp_path / "squares.cnf", order=iter(order), **others)
    assert (tmp_path / "squares.cnf").read_text() == (tmp_path / "text.cnf").read_text()
    assert json.loads(json.dumps(squares.record()))["options"] == {"order": list(order), **texts}
