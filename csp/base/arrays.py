"""What NumPy also does, without its module of masked arrays, which takes longer to load than short searches take."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def distinct(numbers: NDArray[Any]) -> NDArray[Any]:
    """The distinct numbers, ascending."""
    # With their counts, NumPy does not look whether the array is masked.
    return np.unique(numbers, return_counts=True)[0]


def distinct_rows(rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The distinct rows, ascending, and the number of each row among them; no entry is negative.

    `np.unique` takes several times as long.
    """
    texts = [row.tobytes() for row in rows.astype(">u8")]  # big-endian numbers are in the order of their bytes
    one_of_each = {text: row for row, text in enumerate(texts)}
    numbers = {text: number for number, text in enumerate(sorted(one_of_each))}
    kept = np.array([one_of_each[text] for text in numbers], dtype=np.int64)
    return rows[kept], np.array([numbers[text] for text in texts], dtype=np.int64)


def quantiles(values: NDArray[np.float64], levels: Sequence[float]) -> list[float]:
    """Quantiles, with linear interpolation, as those of `np.quantile`."""
    return np.interp(np.multiply(levels, len(values) - 1), np.arange(len(values)), np.sort(values)).tolist()
