"""A result as the record that scripts read: one JSON object, its keys in a fixed order, pieces numbered from 1."""

from dataclasses import fields
from typing import Any

from ..files.instances import Puzzle
from ..files.solutions import solution_data
from .result import Result


def to_record(result: Result, puzzle: Puzzle) -> dict[str, Any]:
    """The record of a result on a puzzle."""
    data_of = solution_data(puzzle)
    record: dict[str, Any] = {field.name: getattr(result, field.name) for field in fields(result)}
    if result.best_board is not None:
        record["best_board"] = data_of(result.best_board)
    record["solutions"] = [data_of(solution) for solution in result.solutions]
    return record
