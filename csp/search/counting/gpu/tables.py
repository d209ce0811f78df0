"""The tables of the kernels: the lists of all choices of the anchor's square in one, with a word for each candidate."""

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ....base.errors import EngineError
from ....puzzles.candidates import Candidates
from ...ordered.tables import OrderedTables
from .kernel import DEEP, FIELD, KEYED, KNOWN, LANE, SHIFT, SIDES, UNIT

_WORD_BITS, _MOST_FIELDS, _MOST_DEPTHS = 64, 1 << SIDES - FIELD, 1 << SHIFT - DEEP

Words = NDArray[np.uint64]


@dataclass(frozen=True)
class GpuTables:
    """The tables, laid out as `kernel` describes.

    - `words`, `mates`, `plan`, `full`: as there; `mates` has only one entry if nothing is compared.
    - `index`: the positions of the lists, by key.
    - `entries`: the candidate at each position; -1 ends a list.
    - `first`: the first position of each choice's lists.
    - `mask`: ones, as many as a colour has bits.
    - `comparing`: whether any neighbour is compared instead of being part of a key.
    """

    words: Words
    mates: Words
    index: NDArray[np.uint32]
    plan: Words
    full: Words
    entries: NDArray[np.int64]
    first: tuple[int, ...]
    mask: np.uint64
    comparing: bool


def gpu_tables(candidates: Candidates, choices: list[OrderedTables]) -> GpuTables:
    """The tables of a search with these candidates and these choices of the anchor's square.

    Raises EngineError if the puzzle has too many colours, pieces or free squares for the words of the kernels.
    """
    width = max((candidates.colors - 1).bit_length(), 1)
    if SIDES + 4 * width > _WORD_BITS:
        most = 1 << (_WORD_BITS - SIDES) // 4
        raise EngineError(f"a GPU counts with at most {most} colours, not {candidates.colors}; omit it", "device")
    depths = len(choices[0].squares)
    if depths > _MOST_DEPTHS:
        raise EngineError(f"a GPU counts with at most {_MOST_DEPTHS} free squares, not {depths}; omit it", "device")
    of_type, full = _numbers_of_free([len(kind.pieces) for kind in candidates.kinds])
    sides, mates = (_packed(colors, width) for colors in (candidates.sides, candidates.mates))
    entries = np.concatenate([tables.entries for tables in choices])
    first = (0, *accumulate(len(tables.entries) for tables in choices))
    # An empty list of any choice is that at position 0.
    index = np.concatenate(
        [np.where(tables.index > 0, tables.index + start, 0) for tables, start in zip(choices, first, strict=False)]
    )
    before = (0, *accumulate(len(tables.index) for tables in choices))
    plans = [_plan(tables, start, width) for tables, start in zip(choices, before, strict=False)]
    comparing = any(bool((tables.keyed < tables.known).any()) for tables in choices)
    return GpuTables(
        words=_by_position(entries, of_type[candidates.of_type] | sides),
        mates=_by_position(entries, mates) if comparing else np.zeros(1, dtype=np.uint64),
        index=index.astype(np.uint32),
        plan=np.concatenate(plans),
        full=full,
        entries=entries,
        first=first[:-1],
        mask=np.uint64((1 << width) - 1),
        comparing=comparing,
    )


def _numbers_of_free(pieces: list[int]) -> tuple[Words, Words]:
    """Where the number of free pieces of each type is, and the words of these numbers on an empty board."""
    # A word of 0 ends a list, so that no number may be at bit 0 of the first word.
    field, bit, full = 0, 1, [0]
    places = []
    for number in pieces:
        high = (number - 1).bit_length()
        if bit + high >= _WORD_BITS:
            field, bit, full = field + 1, 0, [*full, 0]
        places.append(bit + high | bit << UNIT | field << FIELD)
        full[field] |= (1 << high) + number - 1 << bit
        bit += high + 1
    if len(full) > _MOST_FIELDS:
        why = f"the numbers of free pieces fill {len(full)} words, and a GPU has room for {_MOST_FIELDS}; omit it"
        raise EngineError(why, "device")
    return np.array(places, dtype=np.uint64), np.array(full, dtype=np.uint64)


def _packed(colors: NDArray[np.int64], width: int) -> Words:
    """Four colours a candidate in a word; the border's is 0, because no free square is beyond it."""
    shifts = np.array([SIDES + width * side for side in range(4)], dtype=np.uint64)
    return np.bitwise_or.reduce(np.maximum(colors, 0).astype(np.uint64) << shifts, axis=1)


def _plan(tables: OrderedTables, first_key: int, width: int) -> Words:
    """The rows of the plan of one choice, whose keys begin at `first_key` in the index."""
    depth, side = np.divmod(tables.reference, np.uint64(4))
    own_side = tables.lane // np.uint64(16)
    plan = np.zeros((len(tables.squares), 5), dtype=np.uint64)
    plan[:, 0] = tables.base + np.uint64(first_key)
    plan[:, 0] |= tables.keyed << np.uint64(KEYED) | tables.known << np.uint64(KNOWN)
    shift, lane = (np.uint64(SIDES) + np.uint64(width) * which for which in (side, own_side))
    plan[:, 1:] = tables.stride | depth << np.uint64(DEEP) | shift << np.uint64(SHIFT) | lane << np.uint64(LANE)
    return plan.ravel()


def _by_position(entries: NDArray[np.int64], of_candidate: Words) -> Words:
    """Words of candidates by position, and 0 at the ends of lists."""
    words = np.zeros(len(entries), dtype=np.uint64)
    words[entries >= 0] = of_candidate[entries[entries >= 0]]
    return words
