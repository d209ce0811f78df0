"""Coverage-guided fuzzing of every reader: `fuzz_readers.py [--minutes M] [--keep FOLDER] [READER...]`, with atheris.

Each reader gets an equal part of the time in a process of its own, and begins with small valid inputs.  Whatever comes,
it must return, or raise a JigsatError of one line without control characters, within 2 seconds and 300 MB.  Inputs for
which it does not are kept in a folder, one for each place in the code, and the exit status is 1.

`pip install atheris` gives the fuzzer; `.ci/fuzz` installs everything that is needed.
"""

import argparse
import atexit
import gzip
import hashlib
import importlib
import io
import json
import os
import pkgutil
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import atheris
from PIL import Image

sys.path[:0] = [str(Path(__file__).parents[1] / "support")]
INSTRUMENTED = ["jigsat.csp.base.strict_json", "jigsat.csp.base.safe_files", "jigsat.csp.files", "jigsat.csp.puzzles",
           "jigsat.csp.geometry", "jigsat.csp.make.drawn_dissection",
           "jigsat.csp.search.counting.ledger", "jigsat.estimators.experiments.files",
           "jigsat.estimators.experiments.records", "jigsat.estimators.races.race_book", "jigsat.models.proofs.pages",
           "jigsat.models.proofs.board_claims", "jigsat.models.proofs.tiling_claims",
           "jigsat.models.proofs.check_proof", "jigsat.models.squares.read_answers"]  # fmt: skip
with redirect_stderr(io.StringIO()), atheris.instrument_imports(include=INSTRUMENTED):
    import jigsat.csp.files

    for module in pkgutil.iter_modules(jigsat.csp.files.__path__, "jigsat.csp.files."):
        importlib.import_module(module.name)
    import jigsat as js
    from damage import SHARES, altered
    from experiment_texts import TINY, experiment, part
    from jigsat.csp.base.errors import JigsatError
    from jigsat.csp.files.convert import puzzle_text, solutions_text
    from jigsat.csp.files.instances import fingerprint
    from jigsat.csp.files.paper_drawings import PaperDrawing, paper_of
    from jigsat.csp.files.picture_files import whole_image
    from jigsat.csp.files.solutions import solution_head
    from jigsat.csp.files.to_show import to_show
    from jigsat.csp.make.drawn_dissection import read_drawing
    from jigsat.csp.puzzles.orders import read_order
    from jigsat.csp.puzzles.slips import parse_slips
    from jigsat.csp.search.counting.ledger import read_ledger, share_entry
    from jigsat.csp.work.book import open_book
    from jigsat.estimators.experiments.files import load_experiment
    from jigsat.estimators.experiments.records import ABOUT, read_records
    from jigsat.estimators.races.race_book import read_race
    from jigsat.models.proofs import board_claims, tiling_claims
    from jigsat.models.proofs.check_proof import check_proof
    from jigsat.models.proofs.pages import read_pages
    from jigsat.models.squares.read_answers import load_answer
    from records import record

PIECES = [[0, 1, 2, 0], [0, 3, 4, 1], [0, 0, 5, 3], [2, 6, 0, 0], [4, 7, 0, 6], [5, 0, 0, 7]]
MOST_SECONDS, MOST_MB, MOST_BYTES = 2.0, 300, 4096
INPUT = "input"
#: What one reader reads: valid inputs, and a function that reads the file `INPUT`.
Reader = tuple[Iterable[str | bytes], Callable[[], object]]


@cache
def boards() -> tuple[Any, dict[str, str]]:
    """A small puzzle, and a board of it in each format; the last is what solvers print."""
    puzzle = js.EdgeMatchingPuzzle(2, 3, PIECES, name="six")
    board = tuple(js.Placement(piece, 0) for piece in range(6))
    texts = {kind: solutions_text(puzzle, [board], kind, "") for kind in ("json", "csv", "url")}
    return puzzle, texts | {"grid": "1/0 2/0 3/0\n4/0 5/0 6/0\n", "rows": "1 1 1 0\n1 2 2 0\n"}


def puzzles() -> Reader:
    puzzle = boards()[0]
    jigsaw = [list(sides) for sides in js.read("perfect-3x3").pieces]
    words = [["a b", "c b", "a d", "c d"]] * 4
    return [
        puzzle_text(puzzle, "json", ""),
        json.dumps({"format": "jigsat/1", "kind": "jigsaw", "name": "j", "rows": 3, "columns": 3, "pieces": jigsaw}),
        json.dumps({"format": "jigsat/1", "kind": "edge-matching", "squares": ["##.", ".##"], "rim": "any",
                    "mates": {"b": "d"}, "turn": False, "flip": True, "wrap": "columns", "pieces": words,
                    "fixed": [{"square": "A1", "piece": 1, "rotation": 1}], "known": {"count": 7}}),
        json.dumps({"width": 3, "height": 2, "pieces": PIECES, "hints": [{"pos": 0, "piece": 1, "rot": 0}]}),
    ], lambda: js.read(INPUT)  # fmt: skip


def lists() -> Reader:
    puzzle = boards()[0]
    rows = "".join(f"{number}: {{{','.join(map(str, sides))}}},\n" for number, sides in enumerate(PIECES, 1))
    return [
        puzzle_text(puzzle, "csv", ""), puzzle_text(puzzle, "text", ""), puzzle_text(puzzle, "url", ""), rows,
        "p tile 2 2\nc\n1 abca\n2 abcb\n3 cabc\n4 aaaa\n", "#;top;right;bottom;left\n1;red;blue;0;0\n",
        "up,right,down,left,square,rotation,fixed\n0,1,1,0,A1,0,1\n", gzip.compress(b"1 1\n0 0 0 0\n"),
    ], lambda: js.read(INPUT)  # fmt: skip


def dissections() -> Reader:
    cells = {"format": "jigsat/1", "kind": "dissection", "cells": "squares", "target": ["##", "##"],
             "pieces": [["##"], {"cells": ["##"], "flip": False, "copies": 1}]}  # fmt: skip
    roots = [[0, 0], ["sqrt(2)", "1/2"], ["1/4*sqrt(10-2*sqrt(5))", 2.5]]
    drawn = {"format": "jigsat/1", "kind": "dissection", "target": roots, "holes": [], "pieces": [roots]}
    return [Path(js.__file__).with_name("instances").joinpath("dissection", f"{name}.json").read_text()
            for name in ("four-triangles", "l-shape", "calendar", "calissons")
            ] + [json.dumps(one) for one in (cells, drawn)], lambda: js.read(INPUT)  # fmt: skip


def solutions() -> Reader:
    puzzle, texts = boards()
    printed = json.dumps({"engine": "sat", "solutions": json.loads(texts["json"])["solutions"]})
    return [*texts.values(), printed], lambda: js.read_solutions(INPUT, puzzle)


def tilings() -> Reader:
    puzzle = js.read("l-shape")
    return [solutions_text(puzzle, [puzzle.pieces], "json", "")], lambda: js.read_solutions(INPUT, puzzle)


def shown() -> Reader:
    return [solutions_text(js.read("l-shape"), [js.read("l-shape").pieces], "json", "")], lambda: to_show(INPUT)


def answers() -> Reader:
    puzzle = boards()[0]
    models = exported(puzzle)
    starts = ["s SATISFIABLE\nv 1 -2 x3\nv 4 0\n", "SAT\n1 2 -3 0\n", "v 0101\n", "s UNSATISFIABLE\n",
              "<values>1 2x3 4</values>\n", "1 2 3 4\n", "o 3\ns OPTIMUM FOUND\n"]  # fmt: skip

    def read() -> None:
        for model in models:
            with suppress(JigsatError):
                load_answer(INPUT, model, puzzle)
        load_answer(INPUT, models[0], puzzle)

    return starts, read


def models() -> Reader:
    puzzle = boards()[0]
    Path("answer").write_text("s SATISFIABLE\nv 1 2 3 0\n")
    texts = [Path(name).read_text()[:3000] for name in exported(puzzle)]
    return texts, lambda: load_answer("answer", INPUT, puzzle)


def exported(puzzle: Any) -> list[str]:
    names = [f"model{ending}" for ending in (".cnf", ".opb", ".dlx", ".xml")]
    for name in names:
        js.export(puzzle, name)
    return names


def certificates() -> Reader:
    page = Path(js.__file__).with_name("instances") / "jigsaw" / "certificates" / "perfect-3x3.drat.json"
    puzzle, tiled = js.read("perfect-3x3"), js.read("l-shape").with_motions("lattice")
    other = json.loads(page.read_text()) | {"instance": "l-shape", "sha256": fingerprint(tiled), "tilings": []}

    def read() -> None:
        for claims, about in ((tiling_claims, tiled), (board_claims, puzzle)):
            with suppress(JigsatError):
                claims.read_claim(INPUT, read_pages(INPUT)[1], about)
        several = read_pages(INPUT)[0]
        if several is not None:
            board_claims.read_claims(INPUT, several, puzzle)

    board = json.loads(page.read_text()) | {"rows": 3, "columns": 3, "left_over": []}
    boards = [board, board | {"rows": 2, "columns": 4, "excluded": [], "left_over": [*range(1, 10)]}]
    both = {"format": "jigsat-certificate/2", "states": "", "instance": "perfect-3x3", "claims": boards}
    return [page.read_text(), json.dumps(other), json.dumps(both)], read


def proofs() -> Reader:
    Path("formula").write_text("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")

    def read() -> None:
        check_proof("formula", INPUT)
        check_proof(INPUT, "proof")

    Path("proof").write_text("1 0\n0\n")
    return ["1 0\nd 1 2 0\n0\n", b"a\x02\x00d\x02\x04\x00a\x00", Path("formula").read_text()], read


def books() -> Reader:
    """Of books the records are fuzzed, with right checksums; `test_damaged_files.py` damages their bytes."""
    puzzle = boards()[0]
    count = {"instance": "3f2a", "method": "naps", "options": {"order": "rowscan"}, "parts": 100}
    search = {"work": "search", **solution_head(puzzle)}
    race = {"work": "race", "instance": "six", "puzzle": puzzle_text(puzzle, "json", ""), "engine": "dive",
            "options": {}, "seed": 1, "keep_from": 1}  # fmt: skip
    session = {"name": "a", "began": "2025-01-01", "threads": 1, "seconds": 1.0}
    trial = {"session": session, "least": 1, "trial": {"number": 1, "way": "", "score": 7},
             "boards": [{"picture": "p", "score": 7, "trial": 1, "text": "[0,4,8,12,16,20]"}]}  # fmt: skip
    kinds = [(count, [share_entry(share, 0.5) for share in SHARES[:3]]), (search, ["[[[1,0],[2,0],[3,0]]]"]),
             (race, [trial]), (ABOUT, [record(seed=1)])]  # fmt: skip

    def read() -> None:
        data = json.loads(Path(INPUT).read_bytes())
        if not (isinstance(data, list) and data and isinstance(data[0], dict)):
            return
        Path("race.book").unlink(missing_ok=True)
        with open_book("race.book", data[0]) as book:
            for entry in data[1:]:
                book.add(entry, now=False)
        for one in (
            lambda: read_ledger("race.book"), lambda: js.read_solutions("race.book", puzzle),
            lambda: read_records(Path("race.book")), lambda: [*read_race(".").kept()],
        ):  # fmt: skip
            with suppress(JigsatError):
                one()

    return [json.dumps([about, *entries]) for about, entries in kinds], only_json(read)


def drawings() -> Reader:
    texts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><g transform="scale(2)"><polygon id="A" '
        'points="0,0 1,0 1,1 0,1"/></g><path id="B" d="M2 0h2v4H0V2h2z"/></svg>',
        '<svg viewBox="0 0 2 1" width="20mm"><rect width="1" height="1"/><rect x="1" width="1" height="1"/></svg>',
        "AAB\nACB\n",
    ]
    return texts, lambda: read_drawing(INPUT, lattice=None, motions=None, flip=True, name=None)


def papers() -> Reader:
    texts = [{"mark": "0123456789", **paper_of(js.read(name))} for name in ("l-shape", "four-triangles")]
    return map(json.dumps, texts), only_json(lambda: PaperDrawing.read(json.loads(Path(INPUT).read_bytes())).svg)


def experiments() -> Reader:
    family = {**TINY, "inner_colors": "hardest+1", "seeds": "1..3"}
    engine = {"engine": "backtrack", "order": ["rowscan", "best"], "slips": ["5,6", None]}
    return [
        experiment(part(engine, "cpsat"), part("sat", instances=[{"instance": "clue1"}, family])),
        experiment(part("most-constrained", instances=[{"files": "*.json"}], limits={"nodes": 1e9})),
    ], lambda: load_experiment(INPUT)


def words() -> Reader:
    """Orders, slips, exact numbers and addresses of puzzles, which are options, too."""
    puzzle = boards()[0]
    return ["A1 A2 A3 B1 B2 B3", "1,2x3,best:2", "1/2+1/2*sqrt(5)"], each_of(
        lambda text: read_order(puzzle, Path(INPUT)), js.number, parse_slips, js.read
    )


def variants() -> Reader:
    """The texts that make another puzzle of a bundled one."""
    return ["4x4@0,0", "0,0 4,0 0,4", "1-5,7", "Oct 6", "1/2*sqrt(5)"], each_of(
        lambda text: js.variant("tangram", target=text), lambda text: js.variant("pentominoes-8x8", hole=text),
        lambda text: js.variant("tangram", pieces=text), lambda text: js.variant("tangram", scale=text),
        lambda text: js.variant("calendar", leave=text),
    )  # fmt: skip


def each_of(*functions: Callable[[str], object]) -> Callable[[], object]:
    """Reads the input by each of these."""

    def reads() -> None:
        text = Path(INPUT).read_text(errors="replace")
        for function in functions:
            with suppress(JigsatError):
                function(text)

    return reads


def pictures() -> Reader:
    made = []
    for kind in ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP", "AVIF"):
        with suppress(Exception), io.BytesIO() as file:
            Image.new("RGB", (6, 4), "red").save(file, kind)
            made.append(file.getvalue())
    return made, lambda: whole_image(INPUT)


READERS = (
    puzzles, lists, dissections, solutions, tilings, shown, answers, models, certificates, proofs, books, drawings,
    papers, experiments, words, variants, pictures,
)  # fmt: skip


def only_json(read: Callable[[], object]) -> Callable[[], object]:
    """The same, for inputs that are JSON."""

    def reads() -> None:
        with suppress(ValueError, RecursionError):
            json.loads(Path(INPUT).read_bytes())
            return read()

    return reads


def fault_of(read: Callable[[], object]) -> tuple[str, str] | None:
    """What is wrong with how the input is read, and where in the code; None if nothing is."""
    begun, size = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fault = None
    try:
        read()
    except JigsatError as error:
        if not str(error).isprintable():
            fault = f"not one printable line: {str(error)!r}", place_of(error)
    except Exception as error:
        fault = f"{type(error).__name__}: {str(error)[:200]!r}", place_of(error)
    seconds = time.process_time() - begun
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size) / 1024
    if seconds > MOST_SECONDS or more > MOST_MB:
        return f"{seconds:.1f} s, {more:.0f} MB", read.__qualname__
    return fault


def place_of(error: BaseException) -> str:
    """The line of jigsat that raised an error."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "fuzz_readers" not in frame.filename and "jigsat" in frame.filename]
    return f"{Path((ours or frames)[-1].filename).name}:{(ours or frames)[-1].lineno}"


def fuzz(name: str, seconds: float, keep: Path) -> None:
    """Fuzz one reader, in this process, which ends then."""
    warnings.simplefilter("ignore")
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
    atexit.register(shutil.rmtree, folder)
    os.chdir(folder)
    seeds, read = globals()[name]()
    Path("seeds").mkdir()
    for number, seed in enumerate(seeds):
        Path("seeds", str(number)).write_bytes(seed if isinstance(seed, bytes) else seed.encode())
        Path(INPUT).write_bytes(Path("seeds", str(number)).read_bytes())
        with suppress(JigsatError):
            read()  # what is loaded and compiled once costs no input its time
    known: set[str] = set()

    def one(data: bytes) -> None:
        Path(INPUT).write_bytes(data)
        fault = fault_of(read)
        if fault is not None and fault[1] not in known:
            known.add(fault[1])
            kept = keep / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
            kept.write_bytes(data)
            print(f"FAULT {name}: {fault[1]}: {fault[0]} ({kept})", flush=True)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        """Every other time one value of a JSON text is changed, otherwise bytes."""
        chance = Random(seed)
        if chance.random() < 0.5 and data[:1] in (b"{", b"["):
            with suppress(ValueError, RecursionError, IndexError):
                return json.dumps(altered(json.loads(data), chance, kinds=chance.random() < 0.7)).encode()[:most]
        return atheris.Mutate(data, most)

    flags = [f"-max_total_time={seconds:.0f}", f"-max_len={MOST_BYTES}", "-timeout=60", "-rss_limit_mb=4096",
             f"-artifact_prefix={keep}/{name}-", "-print_final_stats=1"]  # fmt: skip
    atheris.Setup([sys.argv[0], *flags, "seeds"], one, custom_mutator=mutate)
    atheris.Fuzz()


def main() -> int:
    names = [reader.__name__ for reader in READERS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"only these: {', '.join(names)}")
    parser.add_argument("--minutes", type=float, default=10, help="for all readers together (default: 10)")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-faults"), help="where to keep inputs with faults")
    parser.add_argument("--in-process", type=float, metavar="SECONDS", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    chosen = asked.readers or names
    if not set(chosen) <= set(names):
        parser.error(f"choose from {', '.join(names)}")
    if asked.in_process:
        fuzz(*chosen, asked.in_process, asked.keep)
    asked.keep.mkdir(parents=True, exist_ok=True)
    faults = 0
    for name in chosen:
        seconds = str(60 * asked.minutes / len(chosen))
        command = [sys.executable, __file__, name, "--in-process", seconds, "--keep", str(asked.keep.resolve())]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        found = re.findall("^FAULT .*", done.stdout, re.MULTILINE)
        runs = re.findall(r"stat::number_of_executed_units: +(\d+)", done.stdout)
        reached = re.findall(r"cov: (\d+)", done.stdout) or ["0"]
        print(f"{name}: {runs[-1] if runs else 0} runs, {reached[0]} to {reached[-1]} places reached", *found, sep="\n")
        if done.returncode or not runs:
            print(done.stdout[-3000:])
        faults += len(found) + (done.returncode != 0 or not runs)
        sys.stdout.flush()
    print(f"{faults} faults" if faults else "no faults")
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
