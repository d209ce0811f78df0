"""Models for MiniZinc, XCSP3 and exact cover have the solutions of a brute force, read by small solvers of our own."""

import json
import random
import re
import shutil
import subprocess
import warnings
from math import comb

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from brute_force_lattice import lattice_tilings
from dissections import dissections, dissections_with_holes
from form_puzzles import form_document
from forms_in_c import answer
from in_c import TooMuch
from jigsat import export
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.instances import parse_instance, parse_puzzle
from jigsat.csp.puzzles.orders import find_order
from jigsat.models.base.texts import ExactCover
from jigsat.models.squares.domains import Domains
from jigsat.models.squares.texts import TEXTS
from jigsat.models.tilings.domains import TilingDomains
from jigsat.models.tilings.texts import TEXTS as TILINGS
from property_tests import examples
from test_encoding_contract import LARGER, cases, compare
from test_tiling_contract import judge_encoding
from text_solvers import covers, meanings, minizinc_boards, minizinc_data, xcsp3_solutions


def text_of(model):
    return "\n".join(model.lines()), "\n".join(model.meaning())


def boards_in(to, text, comments):
    """The solutions, each as a piece, a square's name and a rotation for every square."""
    if to == "dlx":
        names = meanings(comments)
        return [[names[i] for i in cover if i in names] for cover in covers(text)]
    if to == "xcsp3":
        names = meanings(comments)
        return [[names[i] for i in found["placed"]] for found in xcsp3_solutions(text)[0]]
    data, boards = minizinc_data(text), []
    for lies in minizinc_boards(text):
        seen, board = [], []
        for name, candidate in zip(data["name"], lies, strict=True):
            copy = seen.count(data["kind"][candidate - 1])
            seen.append(data["kind"][candidate - 1])
            board.append((data["piece"][candidate - 1][copy] - 1, name, data["turned"][candidate - 1][copy]))
        boards.append(board)
    return boards


def check_boards(case, to, *, symmetry):
    puzzle = case.puzzle
    _, order = find_order(puzzle, case.order)
    domains = Domains(puzzle, order, case.slips or (), symmetry=symmetry)
    try:
        boards = boards_in(to, *text_of(TEXTS[to](domains)))
    except TooMuch:  # for a search in plain Python
        reject()
    there = np.zeros((len(boards), len(domains.square)), dtype=bool)
    for row, board in zip(there, boards, strict=True):
        assert len(board) == len(puzzle.board)
        row[[domains.placement(piece, puzzle.board.parse(name), turned) for piece, name, turned in board]] = True
    compare(case, domains, domains.rows(there) if boards else None, symmetry=symmetry)


@pytest.mark.parametrize("to", TEXTS)
@examples(300, quick=12)
@given(case=cases() | cases(LARGER))
def test_the_solutions_are_those_of_the_puzzle(to, case):
    """Would catch a constraint left out or one too many, a wrong colour, and comments that name another placement."""
    for symmetry in (False, True):
        if to != "dlx":
            check_boards(case, to, symmetry=symmetry)
        elif not case.slips:
            check_boards(case._replace(slips=None), to, symmetry=symmetry)


def test_equal_pieces_lie_in_one_order():
    """However many there are, and whether all of them are needed: each set of places is one cover."""
    for pieces, places, least in ((3, 6, 3), (3, 6, 0), (4, 5, 2), (2, 1, 0), (1, 3, 0)):
        cover = ExactCover(secondary=[f"x{place}" for place in range(places)])
        options = [(place, f"x{place}") for place in range(places)]
        cover.add_kind(range(pieces), least, options, lambda index, copy: f"{copy} at {index}")
        found = []
        for chosen in covers("\n".join(cover.lines())):
            names = [cover.names[option - 1] for option in chosen]
            found.append(frozenset(name.split()[-1] for name in names if " at " in name))
        assert len(found) == len(set(found))
        sizes = range(least, pieces + 1)
        assert len(found) == sum(comb(places, size) for size in sizes)
        assert {len(places) for places in found} == {size for size in sizes if size <= places}


def tilings_in(to, domains):
    """The solutions as rows of placements, which are indices of `left`."""
    text, comments = text_of(TILINGS[to](domains))
    if to == "dlx":
        points = [name.partition(" at ")[2] for name in domains.names()]
        named = dict(re.findall(r"option (\d+) piece \d+ at (.*)", comments))
        kinds = {int(i): int(p) - 1 for i, p in re.findall(r"option (\d+) piece (\d+) at", comments)}
        of = {(piece, points[at]): at for at, kind in enumerate(domains.of_kind) for piece in domains.kinds[int(kind)]}
        return [[of[kinds[i], named[str(i)]] for i in cover if i in kinds] for cover in covers(text)]
    if to == "xcsp3":
        return [np.flatnonzero(found["used"]).tolist() for found in xcsp3_solutions(text)[0]]
    data = minizinc_data(text)
    assert data["name"] == list(domains.names())[: len(domains.left)]
    covered = [{w for w, members in enumerate(data["covers"]) if p in members} for p in range(1, len(data["name"]) + 1)]
    gaps = "(used[p]) <= 1);" in text

    def search(kind, used, left):
        """Place the pieces of this kind and of the later ones, in order."""
        if kind > len(data["pieces"]):
            if gaps or not left:
                yield used
            return
        lying = [p for p in used if data["kind"][p] == kind]
        if len(lying) >= data["needed"][kind - 1]:
            yield from search(kind + 1, used, left)
        if len(lying) < data["pieces"][kind - 1]:
            for p in range(max(lying, default=-1) + 1, len(covered)):
                if data["kind"][p] == kind and covered[p] <= left:
                    yield from search(kind, [*used, p], left - covered[p])

    return list(search(1, [], frozenset(range(len(data["covers"])))))


CELLS = {
    # The domino that may be left over is alone of its kind if congruent pieces have numbers.
    "gaps": ({"target": ["####", "####", "##.#"], "leave": True, "pieces": [
        {"cells": ["##", ".#"], "copies": 2}, {"cells": ["###"], "spare": True},
        {"cells": ["##"], "copies": 2, "spare": True}]}, (958, 282)),
    "spare": ({"target": ["####", "####"], "spare": True, "pieces": [
        {"cells": ["##", ".#"], "copies": 2}, {"cells": ["###"]}, {"cells": ["##"], "copies": 4}]}, (200, 15)),
}  # fmt: skip


@pytest.mark.parametrize("to", TILINGS)
@pytest.mark.parametrize("name", CELLS)
def test_gaps_and_pieces_that_are_left_over(to, name):
    """The numbers are those of miniexact, Gecode, ACE and of our search: of numbered pieces, and symmetries broken."""
    data, numbers = CELLS[name]
    text = json.dumps({"format": "jigsat/1", "kind": "dissection", "name": name, "cells": "squares", **data})
    puzzle = parse_instance(text)
    for symmetry, number in zip((False, True), numbers, strict=True):
        found = tilings_in(to, TilingDomains(puzzle, symmetry=symmetry))
        assert len({tuple(sorted(one)) for one in found}) == len(found) == number


@pytest.mark.parametrize("to", TILINGS)
@examples(200, quick=8)
@given(puzzle=dissections() | dissections_with_holes())
def test_the_tilings_are_those_of_the_puzzle(to, puzzle):
    if len(lattice_tilings(puzzle)) > 200:
        reject()
    for symmetry in (False, True):
        domains = TilingDomains(puzzle, symmetry=symmetry)
        there = tilings_in(to, domains)
        rows = domains.rows(np.array(there, dtype=np.int64).reshape(-1, len(puzzle.pieces)))
        judge_encoding(domains, rows, puzzle, symmetry=symmetry)


@pytest.mark.parametrize(
    ("to", "program", "words", "found"),
    [
        ("dlx", "miniexact", ("-c", "-e"), r"Found (\d+) solutions"),
        ("mzn", "minizinc", ("--solver", "gecode", "-a"), r"(?m)^-{10}$"),
    ],
)
@pytest.mark.parametrize(("name", "number"), [("perfect-5x5", 2), ("ostomachion-11", 268)])
def test_the_programs_themselves(to, program, words, found, name, number, tmp_path):
    """Where they are installed."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    file = tmp_path / f"some.{to}"
    export(name, file)
    run = subprocess.run([program, *words, str(file)], capture_output=True, text=True, check=False)
    seen = re.findall(found, run.stdout)
    assert (int(seen[0]) if to == "dlx" else len(seen)) == number


def solutions_in(to, puzzle, *, symmetry):
    """The solutions, each as a sorted list of what is placed."""
    if puzzle.kind == "dissection":
        return [tuple(sorted(one)) for one in tilings_in(to, TilingDomains(puzzle, symmetry=symmetry))]
    domains = Domains(puzzle, find_order(puzzle, None)[1], symmetry=symmetry)
    return [tuple(sorted(one, key=str)) for one in boards_in(to, *text_of(TEXTS[to](domains)))]


@pytest.mark.parametrize("to", TEXTS)
@examples(400, quick=6)
@given(seed=st.integers(0, 10**6))
def test_puzzles_of_every_form(to, seed):
    """Any rim, shapes, ends that meet, mates, gaps, spare pieces: as many solutions as a brute force in C finds."""
    document = form_document(random.Random(seed))
    try:
        said = answer(document, most=60)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            puzzle = parse_puzzle(json.dumps(document), "drawn.json")
    except (TooMuch, InstanceError):  # a fixed piece may contradict the rim
        reject()
    if said.count > 200:
        reject()
    if puzzle.kind == "dissection":
        puzzle = puzzle.with_motions("lattice")
    try:
        found, kept = (solutions_in(to, puzzle, symmetry=symmetry) for symmetry in (False, True))
    except TooMuch:  # for a search in plain Python
        reject()
    assert len({*found}) == len(found) == said.count
    assert said.canonical_count <= len({*kept}) == len(kept) <= max(said.picture_count, said.canonical_count)
