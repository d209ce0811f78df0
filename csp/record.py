"""A result as the record that scripts read: one JSON object, its keys in a fixed order, pieces numbered from 1."""

from dataclasses import fields
from typing import Any

from .engine import Result
from .instances import board_rows


def to_record(result: Result, columns: int) -> dict[str, Any]:
    """The record of a result on a board with so many columns."""
    record: dict[str, Any] = {field.name: getattr(result, field.name) for field in fields(result)}
    if result.best_board is not None:
        record["best_board"] = board_rows(result.best_board, columns)
    record["solutions"] = [board_rows(board, columns) for board in result.solutions]
    return record
