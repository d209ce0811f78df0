"""Changes certificates, so that some of them are false, and knows by brute force which are true.

Every forgery is a change of a valid certificate of a small puzzle: of its claim, its formula, its proof, or all three
in agreement, most of them with hashes and words that fit again.  A change may leave a certificate true; so what is
accepted is compared with a brute force that shares no code with the package.
"""

import hashlib
import json
import random as random_
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from brute_force import all_solutions, fillings_with_slips, invalid_joins, is_bound_by_order, orbit, placements
from brute_force_lattice import lattice_tilings, ordered
from jigsat import verify
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.csp.puzzles.slips import parse_slips
from jigsat.models.proofs.board_claims import Claim
from jigsat.models.squares.export import export_cnf


@dataclass(frozen=True)
class Files:
    """The bytes of the three files of a certificate; the page names the others ``p.drat.cnf`` and ``p.drat``."""

    page: bytes
    formula: bytes
    proof: bytes

    @classmethod
    def read(cls, page: str | Path) -> "Files":
        """The files of a certificate whose page is there."""
        page = Path(page)
        own = json.loads(page.read_bytes())
        others = [page.with_name(own[which]["file"]).read_bytes() for which in ("formula", "proof")]
        own["formula"]["file"], own["proof"]["file"] = "p.drat.cnf", "p.drat"
        return cls(json.dumps(own).encode(), *others)

    def write(self, folder: str | Path) -> Path:
        """Write them to a folder; the path of the page."""
        for name, data in (("p.drat.json", self.page), ("p.drat.cnf", self.formula), ("p.drat", self.proof)):
            Path(folder, name).write_bytes(data)
        return Path(folder, "p.drat.json")

    def hashed(self) -> "Files":
        """The same with a page that has the hashes of the other files."""
        page = json.loads(self.page)
        for which, data in (("formula", self.formula), ("proof", self.proof)):
            page[which]["sha256"] = hashlib.sha256(data).hexdigest()
        return replace(self, page=json.dumps(page).encode())


def forge(random: random_.Random, certificate: Files, puzzle: Any = None) -> Files:
    """A changed certificate, which may happen to be true.

    Parameters
    ----------
    random
        Where the changes come from.
    certificate
        The certificate to change.
    puzzle
        Its puzzle: then some forgeries of puzzles of squares have a formula that fits the false claim.
    """
    forged = certificate
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        forged = random.choice((_forge_page, _forge_page, _forge_formula, _forge_proof))(random, forged)
    if puzzle is not None and random.random() < 0.5:
        forged = _in_agreement(forged, puzzle) or forged
    if random.random() < 0.9:
        with suppress(ValueError, TypeError, KeyError):
            forged = forged.hashed()
    return forged


def _forge_page(random: random_.Random, files: Files) -> Files:
    try:
        page = json.loads(files.page)
        random.choice(_PAGE)(random, page)
        return replace(files, page=json.dumps(page).encode())
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        data = bytearray(files.page)
        data[random.randrange(len(data))] = random.randrange(256)
        return replace(files, page=bytes(data))


def _boards(page: dict) -> list:
    return page["excluded"] if "excluded" in page else page["tilings"]


def _drop_board(random: random_.Random, page: dict) -> None:
    _boards(page).pop(random.randrange(len(_boards(page))))


def _repeat_board(random: random_.Random, page: dict) -> None:
    _boards(page).append(random.choice(_boards(page)))


def _turn_board(random: random_.Random, page: dict) -> None:
    boards = page["excluded"]
    at = random.randrange(len(boards))
    turned = [list(row) for row in zip(*boards[at][::-1], strict=True)]
    boards[at] = [[[piece, (rotation + 1) % 4] for piece, rotation in row] for row in turned]


def _exchange_squares(random: random_.Random, page: dict) -> None:
    board = random.choice(page["excluded"])
    (r, c), (s, d) = ((random.randrange(len(board)), random.randrange(len(board[0]))) for _ in range(2))
    board[r][c], board[s][d] = board[s][d], board[r][c]


def _other_placement(random: random_.Random, page: dict) -> None:
    square = random.choice(random.choice(random.choice(page["excluded"])))
    which = random.randrange(2)
    square[which] += random.choice((-1, 1, 4))


def _shuffle_boards(random: random_.Random, page: dict) -> None:
    random.shuffle(_boards(page))


def _other_score(random: random_.Random, page: dict) -> None:
    page["score"] = random.choice((None, 0, (page["score"] or 0) - 1, (page["score"] or 0) + 1))


def _other_slips(random: random_.Random, page: dict) -> None:
    page["slips"] = random.choice(("", "none", "1x9", "2,3", "4x2", page["slips"] + ",9"))


def _other_order(random: random_.Random, page: dict) -> None:
    squares = page["order"].split()
    random.shuffle(squares)
    page["order"] = " ".join(squares[random.choice((0, 0, 0, 1)) :])


def _other_encoding(random: random_.Random, page: dict) -> None:
    page["encoding"] = random.choice(("direct", "pairs", "seams", "diamond", "bits", "colors", "wedges", "telling"))
    page["encoding"] += random.choice(("", "", "+unpruned", "+sequential", "+color-counts", "+no"))


def _other_symmetry(random: random_.Random, page: dict) -> None:
    page["symmetry"] = random.choice((True, False, not page["symmetry"], 1))


def _other_words(random: random_.Random, page: dict) -> None:
    words = page["states"].split(" ")
    words[random.randrange(len(words))] = random.choice((*words, "no", "0", "1", "2"))
    page["states"] = " ".join(words)


def _other_field(random: random_.Random, page: dict) -> None:
    page[random.choice(list(page))] = random.choice((None, [], {}, 0, -1, "", "x", [[]], True, 2**70))


def _without_field(random: random_.Random, page: dict) -> None:
    del page[random.choice(list(page))]


def _other_vertex(random: random_.Random, page: dict) -> None:
    vertex = random.choice(random.choice(random.choice(page["tilings"]))["vertices"])
    vertex[random.randrange(2)] = random.randrange(4)


def _exchange_pieces(random: random_.Random, page: dict) -> None:
    one, other = random.sample(random.choice(page["tilings"]), 2)
    one["piece"], other["piece"] = other["piece"], one["piece"]


_PAGE: tuple[Callable[[random_.Random, dict], None], ...] = (
    *(_drop_board, _drop_board, _drop_board, _repeat_board, _turn_board, _exchange_squares, _other_placement),
    *(_shuffle_boards, _other_score, _other_score, _other_slips, _other_order, _other_encoding, _other_symmetry),
    *(_other_words, _other_field, _without_field, _other_vertex, _exchange_pieces),
)


def _forge_formula(random: random_.Random, files: Files) -> Files:
    lines = [line for line in files.formula.decode("latin-1").split("\n") if line and not line.startswith("c")]
    return replace(files, formula=_changed(random, lines, first=1))


def _forge_proof(random: random_.Random, files: Files) -> Files:
    if random.random() < 0.1:
        return replace(files, proof=random.choice((b"", b"0\n", b"0", b"d 0\n0\n", files.formula)))
    lines = [line for line in files.proof.decode("latin-1").split("\n") if line]
    return replace(files, proof=_changed(random, lines, first=0))


def _changed(random: random_.Random, lines: list[str], first: int) -> bytes:
    """Lines of a formula or proof, changed in one place; of a formula often with a header that fits again."""
    if len(lines) <= first:
        return b"1 0\n0\n"
    at = random.randrange(first, len(lines))
    words = lines[at].split(" ")
    match random.randrange(9):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, random.choice(lines[first:]))
        case 2:
            lines.insert(at, random.choice(("0", "1 0", "-1 0", "2 -3 0", "d 1 0", "99999999 0", "1 2")))
        case 3 if len(words) > 1:
            which = random.randrange(len(words) - 1)
            words[which] = words[which][1:] if words[which].startswith("-") else f"-{words[which]}"
            lines[at] = " ".join(words)
        case 4 if len(words) > 1:
            words[random.randrange(len(words) - 1)] = str(random.choice((-1, 1)) * random.randrange(1, 60))
            lines[at] = " ".join(words)
        case 5:
            del words[random.randrange(len(words))]
            lines[at] = " ".join(words)
        case 6:
            del lines[at:]
        case 7:
            other = random.randrange(first, len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            data = bytearray("\n".join(lines).encode("latin-1"))
            data[random.randrange(len(data))] = random.randrange(256)
            return bytes(data) + b"\n"
    if first and random.random() < 0.8:
        lines[0] = f"{' '.join(lines[0].split(' ')[:3])} {len(lines) - 1}"
    return "\n".join([*lines, ""]).encode("latin-1")


def _in_agreement(files: Files, puzzle: Any) -> Files | None:
    """The certificate with the words and the formula of its claim, made by the package; None if there is no formula."""
    if isinstance(puzzle, DissectionPuzzle):
        return None
    try:
        page = json.loads(files.page)
        boards = [tuple(Placement(p - 1, r) for row in board for p, r in row) for board in page["excluded"]]
        order = tuple(map(puzzle.board.parse, page["order"].split()))
        claim = Claim(puzzle, page["encoding"], order, _slips(page), page["symmetry"], tuple(boards), page["score"])
        formula = claim.formula()
        claim.state(formula)
        with tempfile.TemporaryDirectory() as folder:
            export_cnf(formula, Path(folder, "cnf"), claim="")
            made = Path(folder, "cnf").read_bytes()
        page["states"] = claim.words(page["instance"])
    except Exception:  # a claim without a formula: the forgery stays what it was
        return None
    return replace(files, page=json.dumps(page).encode(), formula=made)


def accepts(puzzle: Any, files: Files, folder: str | Path) -> bool:
    """Whether the package accepts a certificate; one-line errors are refusals, anything else is raised."""
    try:
        return verify(puzzle, files.write(folder)).holds
    except JigsatError as error:
        if "\n" in str(error):
            raise ValueError("an error of several lines") from error
        return False


def is_true(puzzle: Any, files: Files) -> bool:
    """Whether the claim of a certificate is true, by brute force; raises `TooMuch` if that takes too long."""
    page = json.loads(files.page)
    if isinstance(puzzle, DissectionPuzzle):
        listed = {_tiling(tiling) for tiling in page["tilings"]}
        every = _every_tiling(puzzle)
        if not page["symmetry"]:
            return listed == every and len(page["tilings"]) == len(every)
        pictures = [_pictures(puzzle, tiling) for tiling in listed]
        covered = set().union(*pictures)
        return listed <= every and all(_picture(t) in covered for t in every) and len(page["tilings"]) == len(
            {min(some, key=str) for some in pictures}
        )  # fmt: skip
    order = tuple(map(puzzle.board.parse, page["order"].split()))
    slips = _slips(page)
    every = _every_board(puzzle, order, slips)
    if page["score"] is not None:
        most = puzzle.max_score
        return not page["excluded"] and all(most - invalid <= page["score"] for _, invalid in every)
    boards = {board for board, _ in every}
    listed = [_board(rows) for rows in page["excluded"]]
    if not set(listed) <= boards:
        return False
    if not page["symmetry"]:
        return len(listed) == len(boards) == len(set(listed))
    turns = not is_bound_by_order(puzzle, order, slips)
    orbits = {frozenset(orbit(puzzle, board, turns)) for board in listed}
    return len(orbits) == len(listed) and boards <= set().union(*orbits)


@cache
def _every_board(puzzle: Any, order: tuple[int, ...], slips: tuple[int, ...]) -> list[tuple[Any, float]]:
    if not slips:
        return [(board, 0) for board in all_solutions(puzzle)]
    fillings = fillings_with_slips(puzzle, order, slips)[-1]
    return [(placements(board), invalid_joins(puzzle, board)) for board in fillings]


def _slips(page: dict) -> tuple[int, ...]:
    return tuple(parse_slips(page["slips"])) if page["slips"] and page["slips"] != "none" else ()


def _board(rows: list) -> Any:
    squares = (((r, c), (p - 1, t)) for r, row in enumerate(rows) for c, (p, t) in enumerate(row))
    return tuple(sorted(squares))


def _tiling(pieces: list) -> Any:
    in_order = sorted(pieces, key=lambda one: one["piece"])
    return tuple(ordered([tuple(map(int, vertex)) for vertex in one["vertices"]]) for one in in_order)


@cache
def _every_tiling(puzzle: DissectionPuzzle) -> Any:
    return lattice_tilings(puzzle)


def _picture(tiling: Any) -> Any:
    return frozenset(tiling)


def _pictures(puzzle: DissectionPuzzle, tiling: Any) -> set:
    """What the target's symmetries make of a tiling, whichever of congruent pieces lies where."""
    found = set()
    for motion in puzzle.symmetries:
        moved = (motion(polygon) for polygon in tiling)
        found.add(frozenset(ordered([tuple(map(int, vertex)) for vertex in polygon]) for polygon in moved))
    return found
