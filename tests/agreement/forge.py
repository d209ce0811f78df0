"""Forges certificates of random puzzles, and judges by brute force those that are accepted.

    python tests/agreement/forge.py [--forgeries 10000] [--seed 0] [-o FOLDER]

draws small puzzles, has certificates of them made, and changes each of these a dozen times (``forgeries.py``): that all
solutions on one board, or on two boards of the same pieces, are listed, or all tilings; and proofs that a list is
complete (``list_forgeries.py``), which the tests' checker judges.  What is accepted although it is false is left in a
folder with its puzzle, and the exit status is then 1; the last line says how many there were.
"""

import argparse
import random
import sys
import time
import warnings
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path += [str(Path(__file__).resolve().parents[1] / name) for name in ("oracles", "support")]

import in_c
from brute_force import TooMuch
from forgeries import Files, accepted, forge, is_true
from form_puzzles import form_document
from jigsat import certify, count, make_boards_jigsaw, verify
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.files.instances import format_instance
from jigsat.models.base.solver_process import PROVERS
from jigsat.models.proofs.board_claims import on_board
from jigsat.models.proofs.certificate import Files as Paths
from jigsat.models.proofs.certificate import join_certificates
from list_forgeries import ListFiles, accepted_list, forge_list, is_right
from soak import judged, read
from soak_draws import encoding_of
from soak_puzzles import dissection_puzzle, squares_puzzle
from solver_in_process import solvers_here

#: How many forgeries are made of a certificate, and the kinds of certificates, in turn.
OF_EACH, KINDS = 12, ("one board", "two boards", "a complete list", "one board", "tilings", "two boards")


class WrongError(Exception):
    """A certificate of the package that is not accepted, or not true."""


def drawn(chance, kind):
    """A random puzzle with what the brute force says of it; None without a solution, or with too many."""
    forms = kind != "two boards" and chance.random() < 0.3
    while forms:
        puzzle, document = read(form_document(chance))
        if kind == "a complete list" or (puzzle.kind == "dissection") == (kind == "tilings"):
            return judged(puzzle, document)
    if kind == "tilings" or (kind == "a complete list" and chance.random() < 0.4):
        return judged(dissection_puzzle(chance))
    return judged(squares_puzzle(chance))


def certificate(chance, kind, path):
    """The puzzle of a certificate that is written; None if none was written.

    Raises JigsatError where the package makes none.
    """
    if kind == "two boards" and chance.random() < 0.1:
        return make_boards_jigsaw("4x4,3x5", max_use=8, seed=chance.randrange(40), proof=path).first
    found = drawn(chance, kind)
    if found is None:
        return None
    puzzle, truth = found
    number = len({*(truth.orbit_of.values() if puzzle.kind == "dissection" else truth.boards().orbits)})
    if kind == "a complete list":
        made = certify(puzzle, proof=path)
        if len(made.solutions) != number:
            raise WrongError(f"{len(made.solutions)} solutions are listed of {number}")
    elif kind == "tilings":
        count(puzzle, engine=f"sat:{chance.choice(PROVERS)}", encoding=encoding_of(chance, puzzle), proof=path)
    elif kind == "two boards":
        return _on_two_boards(chance, puzzle, truth, path)
    elif not _certified(chance, puzzle, truth, path):
        raise WrongError(f"that there are {number} solutions is not proved")
    return puzzle


def _certified(chance, puzzle, truth, path):
    encoding = encoding_of(chance, puzzle) if chance.random() < 0.6 else None
    number = len({*truth.boards().orbits})
    return certify(puzzle, number, proof=path, encoding=encoding, solver=chance.choice(PROVERS)).proved


def _on_two_boards(chance, puzzle, truth, path):
    """The same for a certificate of the same pieces on another board, too: as a rule on one with as many corners."""
    puzzle = replace(puzzle, fixed=(), assemblies=())
    sizes = [(r, c) for r in range(1, 6) for c in range(1, 9) if r * c <= len(puzzle.pieces)]
    rows, columns = puzzle.rows, puzzle.columns
    likely = [(rows - 1, columns + 1), (rows + 1, columns - 1), (columns, rows)]
    sizes = [size for size in sizes if size != (rows, columns)]
    likely = [size for size in likely if size in sizes] or sizes
    if not sizes:
        return None
    other = on_board(puzzle, *chance.choice(likely if chance.random() < 0.8 else sizes))
    found = [judged(puzzle), judged(other)]
    if None in found:
        return None
    chance.shuffle(found)
    with TemporaryDirectory() as folder:
        names = path.name, f"{path.name}-second"
        made = [Paths(Path(folder, name)) for name in names]
        for (one, truth), paths in zip(found, made, strict=True):
            if not _certified(chance, one, truth, paths.proof):
                raise WrongError(f"the number of solutions on the board {one.board} is not proved")
        join_certificates(made, [Paths(path.with_name(name)) for name in names], [one for one, _ in found])
    return puzzle


def forged(chance, kind, path, puzzle):
    """Forgeries of a certificate, each with whether it is accepted, and then whether it is right (None: not known)."""
    if kind == "a complete list":
        files, make = ListFiles.read(path), forge_list
    else:
        files, make = Files.read(path.with_name(f"{path.name}.json")), partial(forge, puzzle=puzzle)
    for number in range(OF_EACH + 1):
        # The first one is the certificate itself.
        made = make(chance, files) if number else files
        if kind == "a complete list":
            said = accepted_list(made)
            right = lambda made=made, said=said: is_right(made, said)  # noqa: E731
        else:
            said = accepted(puzzle, made, path.parent)
            right = lambda made=made, said=said: is_true(puzzle, made, said)  # noqa: E731
        if number == 0:
            if said is None or not right():
                why = "" if kind == "a complete list" else verify(puzzle, made.write(path.parent)).reason
                raise WrongError(f"the certificate itself is {'not accepted' if said is None else 'false'}: {why}")
            continue
        holds = None
        with suppress(TooMuch, in_c.TooMuch):
            holds = said is not None and right()
        yield made, said is not None, holds


def leave(folder, name, puzzle, made):
    """Write a puzzle and a forgery to a folder."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "puzzle.json").write_text(format_instance(puzzle))
    if isinstance(made, ListFiles):
        (folder / name / "list.opb").write_text(made.formula)
        (folder / name / "list.pbp").write_text(made.proof)
    else:
        made.write(folder / name)
    return folder / name


def forgeries(asked, figures):
    """Make this number of forgeries, and count what became of them."""
    number = 0
    while figures["forgeries"] < asked.forgeries:
        number += 1
        chance = random.Random(f"{asked.seed}:{number}")
        kind = KINDS[number % len(KINDS)]
        with TemporaryDirectory() as name:
            path = Path(name, "list.pbp" if kind == "a complete list" else "proof")
            try:
                puzzle = certificate(chance, kind, path)
            except (TooMuch, in_c.TooMuch):
                puzzle = None
            except JigsatError:
                figures["no certificate: the package makes none"] += 1
                continue
            if puzzle is None:
                figures["no certificate: too many solutions"] += 1
                continue
            figures[f"certificates: {kind}"] += 1
            for made, is_accepted, holds in forged(chance, kind, path, puzzle):
                figures["forgeries"] += 1
                figures["accepted"] += is_accepted
                figures[f"accepted: {kind}"] += is_accepted
                figures["false"] += is_accepted and holds is False
                figures["not judged"] += is_accepted and holds is None
                if is_accepted and holds is not True:
                    what = "FALSE" if holds is False else "not judged"
                    print(f"{what}: {leave(asked.output, f'{asked.seed}-{number}', puzzle, made)}", flush=True)
                if figures["forgeries"] == asked.forgeries:
                    break


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--forgeries", type=int, default=10_000, metavar="N", help="how many (default: 10000)")
    parser.add_argument("--seed", default="0", help="the seed of the puzzles and changes (default: 0)")
    parser.add_argument("-o", "--output", type=Path, default=Path("forged"), help="folder for what is false")
    asked = parser.parse_args(arguments)
    try:
        in_c.library("boards")
    except in_c.NoCompilerError as error:
        parser.error(str(error))
    figures, began = Counter(), time.monotonic()
    with solvers_here(), warnings.catch_warnings(action="ignore"):
        forgeries(asked, figures)
    for name, number in sorted(figures.items()):
        if ":" in name:
            print(f"{number:9} {name}")
    unknown = f", {figures['not judged']} not judged" if figures["not judged"] else ""
    said = (
        f"{figures['forgeries']} forgeries, {figures['accepted']} accepted, of which {figures['false']} false{unknown}"
    )
    print(f"{said}; {time.monotonic() - began:.0f} s")
    return int(figures["false"] + figures["not judged"] > 0)


if __name__ == "__main__":
    sys.exit(main())
