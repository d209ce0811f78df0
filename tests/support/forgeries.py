"""Changes certificates, so that some of them are false, and knows by brute force which are true.

Every forgery is a change of a valid certificate of a small puzzle: of its claim, its formula, its proof, or all three
in agreement, most of them with hashes and words that fit again.  A change may leave a certificate true; so what is
accepted is compared with a brute force that shares no code with the package.  `list_forgeries.py` does the same with
proofs of complete lists.
"""

import hashlib
import json
import random as random_
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from brute_force_lattice import ordered
from jigsat import verify
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.csp.puzzles.slips import parse_slips
from jigsat.models.proofs.board_claims import Claim, on_board, words_of_all
from jigsat.models.squares.export import export_cnf
from soak_truth import truth_of

#: The numbers of solutions that a statement claims, of one board after the other.
_SAID = re.compile(r"has (?:exactly )?(\d+|no) (?:solution|tiling)|and (?:exactly )?(\d+|no) solution")


@dataclass(frozen=True)
class Files:
    """The bytes of the files of a certificate: of its page, and of the formula and the proof of each claim."""

    page: bytes
    formulas: tuple[bytes, ...]
    proofs: tuple[bytes, ...]

    @classmethod
    def read(cls, page: str | Path) -> "Files":
        """The files of a certificate whose page is there."""
        page = Path(page)
        own = json.loads(page.read_bytes())
        formulas, proofs = (
            tuple(page.with_name(claim[which]["file"]).read_bytes() for claim in _claims(own))
            for which in ("formula", "proof")
        )
        for number, claim in enumerate(_claims(own)):
            claim["formula"]["file"], claim["proof"]["file"] = f"p{number}.cnf", f"p{number}"
        return cls(json.dumps(own).encode(), formulas, proofs)

    def write(self, folder: str | Path) -> Path:
        """Write them to a folder; the path of the page."""
        for number, (formula, proof) in enumerate(zip(self.formulas, self.proofs, strict=True)):
            Path(folder, f"p{number}.cnf").write_bytes(formula)
            Path(folder, f"p{number}").write_bytes(proof)
        Path(folder, "p.json").write_bytes(self.page)
        return Path(folder, "p.json")

    def hashed(self) -> "Files":
        """The same with a page that has the hashes of the other files."""
        page = json.loads(self.page)
        for claim in _claims(page):
            for which, files in (("formula", self.formulas), ("proof", self.proofs)):
                number = int(re.fullmatch(r"p(\d)(?:\.cnf)?", claim[which]["file"])[1])
                claim[which]["sha256"] = hashlib.sha256(files[number]).hexdigest()
        return replace(self, page=json.dumps(page).encode())


def _claims(page: dict) -> list[dict]:
    """The claims of a page: one of each of several boards, or itself."""
    return page.get("claims", [page])


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
    # Only a check of the proof notices that a board is missing where formula and words fit.
    if puzzle is not None and random.random() < 0.15:
        with suppress(IndexError, ValueError, KeyError):
            page = json.loads(certificate.page)
            _drop_board(random, random.choice(_claims(page)))
            certificate = replace(certificate, page=json.dumps(page).encode())
            return (_in_agreement(certificate, puzzle) or certificate).hashed()
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        forged = random.choice((_forge_page, _forge_page, _forge_formula, _forge_proof))(random, forged)
    if puzzle is not None and random.random() < 0.5:
        forged = _in_agreement(forged, puzzle) or forged
    if random.random() < 0.9:
        with suppress(ValueError, TypeError, KeyError, AttributeError, IndexError):
            forged = forged.hashed()
    return forged


def _changed_at(random: random_.Random, files: tuple[bytes, ...], change: Callable) -> tuple[bytes, ...]:
    """The same files with one of them changed; now and then two that have changed places."""
    if len(files) > 1 and random.random() < 0.1:
        return files[::-1]
    at = random.randrange(len(files))
    return (*files[:at], change(random, files[at]), *files[at + 1 :])


def _forge_page(random: random_.Random, files: Files) -> Files:
    try:
        page = json.loads(files.page)
        if "claims" in page and random.random() < 0.5:
            random.choice(_PAGES)(random, page)
        else:
            random.choice(_PAGE)(random, random.choice(_claims(page)))
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


def _exchange_fields(random: random_.Random, page: dict) -> None:
    one, other = random.sample(page["claims"], 2)
    for name in random.sample(sorted(one), random.choice((1, 1, 2))):
        one[name], other[name] = other[name], one[name]


def _other_spare(random: random_.Random, page: dict) -> None:
    """Another piece is left over; often it lies elsewhere on the boards, too, in the place of the one that was."""
    claim = random.choice(page["claims"])
    old, new = random.choice(claim["left_over"]), random.randrange(1, 20)
    claim["left_over"] = sorted({new if piece == old else piece for piece in claim["left_over"]})
    if random.random() < 0.6:
        named = {old: new, new: old}
        rows = claim["excluded"]
        claim["excluded"] = [[[[named.get(piece, piece), r] for piece, r in row] for row in board] for board in rows]


def _other_size(random: random_.Random, page: dict) -> None:
    claim = random.choice(page["claims"])
    claim["rows"], claim["columns"] = random.choice(
        ((claim["columns"], claim["rows"]), (claim["rows"] + 1, claim["columns"]), (1, claim["rows"]), (2, 2), (3, 3))
    )


def _no_boards(random: random_.Random, page: dict) -> None:
    claim = random.choice(page["claims"])
    claim["excluded"] = []
    if random.random() < 0.7:
        claim["left_over"] = [*range(1, len(_boards(random.choice(page["claims"]))) + 5)]


def _claims_in_another_order(random: random_.Random, page: dict) -> None:
    page["claims"].reverse()


def _other_claims(random: random_.Random, page: dict) -> None:
    claims = page["claims"]
    page["claims"] = random.choice((claims[:1], claims[1:], claims[:1] * 2, [*claims, claims[0]], []))


def _single_claim(random: random_.Random, page: dict) -> None:
    claim = random.choice(page["claims"])
    page.clear()
    page.update({name: entry for name, entry in claim.items() if name not in ("rows", "columns", "left_over")})


def _other_states(random: random_.Random, page: dict) -> None:
    _other_words(random, page)


_PAGES: tuple[Callable[[random_.Random, dict], None], ...] = (
    *(_exchange_fields, _exchange_fields, _other_spare, _other_spare, _other_size, _no_boards),
    *(_claims_in_another_order, _other_claims, _single_claim, _other_states),
)


def _forge_formula(random: random_.Random, files: Files) -> Files:
    def change(random: random_.Random, formula: bytes) -> bytes:
        lines = [line for line in formula.decode("latin-1").split("\n") if line and not line.startswith("c")]
        return changed_lines(random, lines, first=1, odd=_ODD)

    return replace(files, formulas=_changed_at(random, files.formulas, change))


def _forge_proof(random: random_.Random, files: Files) -> Files:
    def change(random: random_.Random, proof: bytes) -> bytes:
        if random.random() < 0.1:
            return random.choice((b"", b"0\n", b"0", b"d 0\n0\n", files.formulas[0]))
        return changed_lines(random, [line for line in proof.decode("latin-1").split("\n") if line], odd=_ODD)

    return replace(files, proofs=_changed_at(random, files.proofs, change))


_ODD = ("0", "1 0", "-1 0", "2 -3 0", "d 1 0", "99999999 0", "1 2")


def changed_lines(random: random_.Random, lines: list[str], *, first: int = 0, odd: tuple[str, ...]) -> bytes:
    """Lines of a formula or proof, changed in one place.

    Of a file in the format DIMACS with a header, which is its `first` line, often with one that fits again; `odd` are
    lines that are put in.
    """
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
            lines.insert(at, random.choice(odd))
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
    """The certificate with words and formulas of its claims, made by the package; None if there is no formula."""
    if isinstance(puzzle, DissectionPuzzle):
        return None
    try:
        page = json.loads(files.page)
        claims = [_claim(entry, puzzle) for entry in _claims(page)]
        formulas = [*map(_formula, claims)]
        for entry, claim in zip(_claims(page), claims, strict=True):
            if "left_over" in entry and random_.Random(files.page).random() < 0.7:
                entry["left_over"] = claim.left_over
        if "claims" in page:
            page["states"] = words_of_all(claims, page["instance"])
        for entry, claim in zip(_claims(page), claims, strict=True):
            entry["states"] = claim.words(entry["instance"])
        for number, entry in enumerate(_claims(page)):
            entry["formula"]["file"], entry["proof"]["file"] = f"p{number}.cnf", f"p{number}"
    except Exception:  # a claim without a formula: the forgery stays what it was
        return None
    proofs = (*files.proofs, *files.proofs[:1] * 9)[: len(formulas)]
    return Files(json.dumps(page).encode(), (*formulas,), proofs)


def _claim(entry: dict, puzzle: Any) -> Claim:
    if "rows" in entry:
        puzzle = on_board(puzzle, entry["rows"], entry["columns"])
    boards = [tuple(Placement(p - 1, r) for row in board for p, r in row) for board in entry["excluded"]]
    order = tuple(map(puzzle.board.parse, entry["order"].split()))
    return Claim(puzzle, entry["encoding"], order, _slips(entry), entry["symmetry"], tuple(boards), entry["score"])


def _formula(claim: Claim) -> bytes:
    formula = claim.formula()
    claim.state(formula)
    with tempfile.TemporaryDirectory() as folder:
        export_cnf(formula, Path(folder, "cnf"), claim="")
        return Path(folder, "cnf").read_bytes()


def accepted(puzzle: Any, files: Files, folder: str | Path) -> str | None:
    """What a certificate states, if the package accepts it.

    One-line errors are refusals, anything else is raised.
    """
    try:
        verdict = verify(puzzle, files.write(folder))
        return verdict.states if verdict.holds else None
    except JigsatError as error:
        if "\n" in str(error):
            raise ValueError("an error of several lines") from error
        return None


def is_true(puzzle: Any, files: Files, states: str) -> bool:
    """Whether the claims of a certificate are true, by brute force, and are what it is said to state.

    Raises `TooMuch` if that takes too long.
    """
    page = json.loads(files.page)
    if isinstance(puzzle, DissectionPuzzle):
        return _says(states, [page["tilings"]]) and _are_all_tilings(puzzle, page)
    claims = _claims(page)
    if any(claim["score"] is not None for claim in claims):
        return len(claims) == 1 and _is_best(truth_of(puzzle), page)
    if not _says(states, [claim["excluded"] for claim in claims]):
        return False
    return all(_are_all_boards(*_board_of(puzzle, claim), claim) for claim in claims)


def _says(states: str, lists: list[list]) -> bool:
    """Whether the statement has the numbers of what is listed."""
    said = [0 if word == "no" else int(word) for pair in _SAID.findall(states) for word in pair if word]
    return said == [*map(len, lists)]


def _board_of(puzzle: Any, claim: dict) -> tuple[Any, Any]:
    """The puzzle that a claim is about, and what the brute force says of it."""
    if (claim.get("rows", puzzle.rows), claim.get("columns", puzzle.columns)) != (puzzle.rows, puzzle.columns):
        puzzle = replace(puzzle, rows=claim["rows"], columns=claim["columns"], fixed=(), assemblies=(), known={})
    return puzzle, _truth(puzzle)


@cache
def _truth(puzzle: Any) -> Any:
    return truth_of(puzzle)


def _is_best(truth: Any, page: dict) -> bool:
    best = truth.best_score(_order(truth.puzzle, page), _slips(page))
    return not page["excluded"] and (best is None or best <= page["score"])


def _order(puzzle: Any, page: dict) -> tuple[int, ...]:
    return tuple(map(puzzle.board.parse, page["order"].split()))


def _are_all_boards(puzzle: Any, truth: Any, claim: dict) -> bool:
    """Whether the boards of a claim are all that there are, and the pieces on none of them those left over."""
    slips = _slips(claim)
    found = truth.boards(_order(puzzle, claim), slips) if slips else truth.boards()
    listed = [tuple((piece - 1, turn) for row in board for piece, turn in row) for board in claim["excluded"]]
    laid = {piece + 1 for board in listed for piece, _ in board}
    if "left_over" in claim and {*claim["left_over"]} != {*range(1, len(puzzle.pieces) + 1)} - laid:
        return False
    return _are_all(listed, dict(zip(found.solutions, found.orbits, strict=True)), claim["symmetry"])


def _are_all(listed: list, orbit_of: dict, symmetry: bool) -> bool:
    """Whether what is listed is every solution, or one of each orbit."""
    if not {*listed} <= orbit_of.keys():
        return False
    if not symmetry:
        return len(listed) == len(orbit_of) == len({*listed})
    return sorted(orbit_of[one] for one in listed) == sorted({*orbit_of.values()})


def _are_all_tilings(puzzle: DissectionPuzzle, page: dict) -> bool:
    truth = _truth(puzzle)
    listed = [truth.key(_tiling(tiling)) for tiling in page["tilings"]]
    return _are_all(listed, truth.orbit_of, page["symmetry"])


def _slips(page: dict) -> tuple[int, ...]:
    return tuple(parse_slips(page["slips"])) if page["slips"] and page["slips"] != "none" else ()


def _tiling(pieces: list) -> Any:
    in_order = sorted(pieces, key=lambda one: one["piece"])
    return tuple(ordered([tuple(map(_number, vertex)) for vertex in one["vertices"]]) for one in in_order)


def _number(value: Any) -> float:
    """A coordinate: a whole number, or one such as -3/2*sqrt(3) on the lattice of triangles."""
    if isinstance(value, int):
        return value
    parts = re.fullmatch(r"(-?\d+)?(?:/(\d+))?\*?(-?sqrt\(3\))?", value)
    whole, below, root = parts.groups()
    number = int(whole or 1) / int(below or 1) * (1 if root is None else 3**0.5 * (-1 if root[0] == "-" else 1))
    return int(number) if number == int(number) else number
