"""What files made to do harm cost: `hostile_files.py [WORD...]`, all files or those with these words.

Each file is given to a command in a process of its own.  The table shows the processor seconds and the peak memory
beyond those of the same command on a good file, and the outcome: an answer (status 0 or 1), or a refusal in one line
(status 2; a few more, indented, if several faults are listed).  A line with `!` misses a goal: 2 seconds, 300 MB, an
answer or a refusal.
"""

import argparse
import gzip
import json
import os
import resource
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

MOST_SECONDS, MOST_MB, PATIENCE = 2.0, 300, 40
MOST_LINES = 25
BIG = 60 * 2**20

Content = bytes | Callable[[Path], object]
Case = tuple[str, str, Content, list[str]]


def instance(**changes: object) -> dict[str, object]:
    good = {"format": "jigsat/1", "kind": "edge-matching", "name": "p", "rows": 1, "columns": 2}
    return {**good, "pieces": [[0, 5, 0, 0], [0, 0, 0, 5]], **changes}


def text(**changes: object) -> bytes:
    return json.dumps(instance(**changes)).encode()


def with_raw(name: str, raw: str, **changes: object) -> bytes:
    """A puzzle with a field given as JSON text."""
    return json.dumps(instance(**{**changes, name: "RAW"})).replace('"RAW"', raw).encode()


def dissection(target: str, pieces: str) -> bytes:
    head = '{"format": "jigsat/1", "kind": "dissection", "name": "d", "motions": "any", '
    return f'{head}"target": {target}, "pieces": {pieces}}}'.encode()


def zigzag(number: int) -> str:
    points = [[i, i % 2] for i in range(number)] + [[i, 3 + i % 2] for i in reversed(range(number))]
    return json.dumps(points)


def instances() -> Iterator[Case]:
    many = lambda item: "[" + ",".join([item] * (BIG // (len(item) + 1))) + "]"  # noqa: E731
    for name, made in {
        "deep list": lambda: b"[" * BIG,
        "deep object": lambda: b'{"a":' * (BIG // 5),
        "digits": lambda: with_raw("rows", "9" * 10**6),
        "1e999999999": lambda: with_raw("rows", "1e999999999"),
        "same name": lambda: b'{"a":1,' + b'"a":1,' * (BIG // 6) + b'"a":1}',
        "many names": lambda: b"{" + b",".join(b'"%d":0' % i for i in range(BIG // 10)) + b"}",
        "many pieces": lambda: with_raw("pieces", many("[0,0,0,0]")),
        "many assemblies": lambda: with_raw("assemblies", many("[[[1,0],[2,0]]]")),
        "large board": lambda: text(rows=1024, columns=1024),
        "huge colour": lambda: text(pieces=[[0, 2**63, 0, 0], [0, 0, 0, 2**63]]),
        "long name": lambda: with_raw("name", '"' + "a" * BIG + '"'),
        "zeros": lambda: b"\0" * BIG,
        "gzip": lambda: gzip.compress(b"0 0 0 0\n" * (2 * BIG)),
        "words and mates": lambda: text(
            rows=50,
            columns=50,
            pieces=[[f"a{4 * i + k}b" for k in range(4)] for i in range(2500)],
            mates={f"c{i}b": f"a{i}d" for i in range(2000)},
        ),
        "long words": lambda: text(pieces=[["a" * (BIG // 2), "ab", "b", "c"], ["ac", "a" * (BIG // 3), "b", "c"]]),
        "surrogate": lambda: with_raw("name", '"\\ud800"'),
        "open string": lambda: b'{"' + b"\\" * BIG,
        "blanks": lambda: b" " * BIG,
        "no UTF-8": lambda: b'{"a": "' + b"\xff" * BIG,
        "piece text": lambda: b"0 0 0 0\n" * (BIG // 8),
        "piece text line": lambda: b"0 " * (BIG // 2),
        "csv": lambda: b"up,right,down,left\n" + b"0,0,0,0\n" * (BIG // 8),
        "csv quote": lambda: b'up,right,down,left\n"' + b"\n" * BIG,
        "csv remarks": lambda: b"# " + b"rows=1 " * 30_000 + b"\nup,right,down,left\n0,0,0,0\n",
        "link": lambda: b"https://e2.bucas.name/#board_edges=" + b"a" * BIG,
        "link size": lambda: b"https://e2.bucas.name/#board_w=999999999&board_h=999999999&board_edges=aaaa",
        "polygon": lambda: dissection("[[0,0],[1,0],[1,1],[0,1]]", "[" + zigzag(500_000) + "]"),
        "fractions": lambda: dissection('[["1/3","0"],["' + "9" * 10**6 + '","0"],["1","1"]]', "[]"),
        "many polygons": lambda: dissection("[[0,0],[1,0],[1,1],[0,1]]", many("[[0,0],[1,0],[0,1]]")),
    }.items():
        yield "puzzle", name, lambda path, made=made: path.write_bytes(made()), ["info", "FILE"]


def solutions() -> Iterator[Case]:
    from jigsat import read
    from jigsat.csp.files.instances import fingerprint

    for puzzle in ("puzzle-a", "tangram"):
        known = fingerprint(read(puzzle))
        head = f'{{"format": "jigsat-solution/1", "instance": "p", "sha256": "{known}", "solutions": '
        late = f', "instance": "p", "sha256": "{known}"}}'
        for name, body in {
            "unknown field": '[], "a": [' + "[]," * (BIG // 3) + "0]}",
            "blanks": "[" + " " * BIG + "]}",
            "string": '["' + "a" * BIG + '"]}',
            "open board": "[[" + "[null]," * (BIG // 7),
            "tiny": "[" + ",".join(["[]"] * (BIG // 3)) + "]}",
            "deep": "[" * 10**6,
            "huge piece": "[[[" + "9" * 4000 + ",0]]]}",
            "numbers": "[" + "0," * (BIG // 2) + "0]}",
        }.items():
            yield "solutions", f"{name} of {puzzle}", (head + body).encode(), ["check", puzzle, "FILE"]
        begun = '{"format": "jigsat-solution/1", "solutions": ['
        wrong = (begun + ",".join(["[]"] * (BIG // 3)) + "]" + late).encode()
        yield "solutions", f"late head of {puzzle}", wrong, ["check", puzzle, "FILE"]
        tiny = (head + "[" + ",".join(["[]"] * (BIG // 3)) + "]}").encode()
        yield "solutions", f"shown of {puzzle}", tiny, ["view", "FILE", "-o", "FOLDER.html"]
        yield "solutions", f"resumed of {puzzle}", tiny, ["solve", puzzle, "-o", "FILE", "--resume"]
    yield "solutions", "csv", b"solution,square,piece,rotation\n" + b"1,A1,1,0\n" * (BIG // 9), [
        "check", "puzzle-a", "FILE"
    ]  # fmt: skip
    yield "solutions", "csv digits", b"solution,square,piece,rotation\n1,A1," + b"9" * 100_000 + b",0\n", [
        "check", "puzzle-a", "FILE"
    ]  # fmt: skip
    yield "solutions", "csv sparse", b"solution,square,piece,rotation\n" + b"".join(
        b"%d,A1,1,0\n" % number for number in range(1, BIG // 15)
    ), ["check", "puzzle-a", "FILE"]  # fmt: skip
    yield "solutions", "answer", b"s SATISFIABLE\n" + b"v 1 2 3\n" * (BIG // 8), ["check", "puzzle-a", "FILE"]


def orders_and_slips() -> Iterator[Case]:
    order = ["estimate", "puzzle-a", "--order", "FILE"]
    yield "order", "repeated", b"A1 " * 5_000_000, order
    yield "order", "long word", b"A" * (15 * 2**20), order
    yield "order", "digits", b"A" + b"9" * 10**6, order
    for slips in ("1x999999999", "1," * 50_000 + "1", "9" * 10_000, "1x" + "9" * 5000):
        yield "slips", slips[:12], b"", ["estimate", "puzzle-a", "--slips", slips]


def experiments() -> Iterator[Case]:
    family = {"family": "edge-matching", "rows": 3, "frame_colors": 2, "inner_colors": 2}
    part = {"goal": "count", "engines": [{"engine": "backtrack"}], "limits": {"seconds": 1}}

    def file(**changes: object) -> bytes:
        parts = [{**part, "instances": [{**family, **changes}]}]
        return json.dumps({"format": "jigsat-experiment/1", "name": "e", "parts": parts}).encode()

    command = ["compare", "FILE", "-o", "FOLDER", "--dry-run", "--quiet"]
    for name, content in {
        "seeds": file(seeds=list(range(200_000))),
        "many seeds": file(seeds=10**12),
        "large": file(rows=10**6),
        "all files": json.dumps(
            {"format": "jigsat-experiment/1", "name": "e", "parts": [{**part, "instances": [{"files": "/**/*"}]}]}
        ).encode(),
        "deep": b'{"parts":' + b"[" * 900_000,
        "parts": json.dumps(
            {"format": "jigsat-experiment/1", "name": "e", "parts": [{**part, "instances": [family]}] * 5000}
        ).encode(),
    }.items():  # fmt: skip
        yield "experiment", name, content, command


def png(width: int, height: int, kind: int, extra: bytes = b"") -> bytes:
    line = b"\0" * (1 + width * {2: 3, 6: 4, 0: 1}[kind])
    packer = zlib.compressobj(9)
    pixels = b"".join(packer.compress(line) for _ in range(height)) + packer.flush()

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


PICTURES = ["pictures", "FILE", "FILE", "--rows", "4", "--columns", "4", "-o", "FOLDER", "--time-limit", "0.1"]


def pictures() -> Iterator[Case]:
    bomb = b"a\0\0" + zlib.compress(b"\0" * 2**28, 9)
    packed = struct.pack(">I", len(bomb)) + b"zTXt" + bomb + struct.pack(">I", zlib.crc32(b"zTXt" + bomb))
    yield "picture", "10000 x 10000", png(10_000, 10_000, 6), PICTURES
    yield "picture", "text bomb", png(8, 8, 2, packed), PICTURES
    yield (
        "picture",
        "claims 60000 x 60000",
        png(8, 8, 2).replace(struct.pack(">II", 8, 8), b"\0\0\xea\x60" * 2),
        PICTURES,
    )
    yield "picture", "zeros", b"\x89PNG\r\n\x1a\n" + b"\0" * BIG, PICTURES


def drawings() -> Iterator[Case]:
    command = ["make", "dissection", "FILE", "-o", "FOLDER.json"]
    head = b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'
    doubled = b"".join(b'<g id="a%d"><use x:href="#a%d"/><use x:href="#a%d"/></g>' % (i + 1, i, i) for i in range(40))
    most = 4 * 2**20 - 1000
    for name, content in {
        "deep": b"<g>" * (most // 3),
        "uses": head + b'<rect id="a0" width="1" height="1"/>' + doubled + b"</svg>",
        "entities": b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + head + b"&b;</svg>",
        "path": head + b'<path d="M0 0' + b"L1 1L2 0" * (most // 8) + b'"/></svg>',
        "curves": head + b'<path d="M0 0' + b"c1 9 8 9 9 0" * 100_000 + b'"/></svg>',
        "elements": head + b"<g/>" * (most // 5) + b"</svg>",
        "attribute": head + b'<path d="' + b"9" * most + b'"/></svg>',
        "large": head + b" " * BIG,
        "letters": b"AB\n" * (most // 3),
        "line of letters": b"A" * most,
        "one letter": (b"A" * 141 + b"\n") * 141,
        "scattered letters": "\n".join(
            "".join(chr(0x4E00 + (i * i + j * j * 7) % 1000) for j in range(141)) for i in range(141)
        ).encode(),
    }.items():
        yield "drawing", name, content, command


def certificates() -> Iterator[Case]:
    page = b'{"format": "jigsat-certificate/1", '
    command = ["check", "puzzle-a", "FILE"]
    yield "certificate", "deep", page + b'"a":' + b"[" * BIG, command
    yield "certificate", "string", page + b'"a": "' + b"a" * BIG + b'"}', command
    boards = b'"excluded": [' + b"[]," * (BIG // 3) + b"[]]}"
    yield "certificate", "boards", page + boards, command
    yield "certificate", "tilings", page + boards.replace(b"excluded", b"tilings"), ["check", "tangram", "FILE"]
    yield "certificate", "numbers", page + b'"a": [' + b"0," * (BIG // 2) + b"0]}", command


def of_solvers() -> Iterator[Case]:
    """Answers and proofs of solvers, and formulas, for a puzzle whose formula was exported."""
    from jigsat import export

    with tempfile.TemporaryDirectory() as folder:
        cnf, opb, xml, dlx, claimed = (f"{folder}/{name}" for name in ("a.cnf", "a.opb", "a.xml", "a.dlx", "claimed"))
        for name in (cnf, opb, xml, dlx):
            export("perfect-3x3", name)
        Path(claimed).write_text("s UNSATISFIABLE\n")
        sat, most = b"s SATISFIABLE\n", 2**23
        for name, content, model in (
            ("lines", sat + b"v 1 -2 3\n" * (BIG // 9), cnf),
            ("line", sat + b"v " + b"1 -2 " * (BIG // 5) + b"0\n", cnf),
            ("no end", sat + b"v " + b"1 -2 " * (most // 5), cnf),
            ("large literal", sat + b"v " + b"9" * 10**6 + b" 0\n", cnf),
            ("digits 01", b"v " + b"01" * (most // 2), cnf),
            ("scores", b"o 1\n" * (most // 4) + b"s OPTIMUM FOUND\n", cnf),
            ("comments", b"c \n" * (most // 3) + sat, cnf),
            ("colons", b"a:  \n" * (most // 5) + sat, cnf),
            ("states", sat * (most // 14), cnf),
            ("zeros", b"\0" * most, cnf),
            ("packed", gzip.compress(b"c \n" * BIG), cnf),
            ("names", sat + b"v " + b"x1 -x2 " * (most // 7), opb),
            ("name", sat + b"v x" + b"9" * most, opb),
            ("values", b"<instantiation><values>" + b"1 " * (most // 2) + b"</values></instantiation>", xml),
            ("many values", b"<values>1</values>\n" * (most // 19), xml),
            ("colours", b"\x1b[0m\n" * (most // 5), xml),
            ("words", b"Found 0\n" * (most // 8), dlx),
            ("numbers", b"1 " * (most // 2), dlx),
            ("times", b"<values>1x999999999999</values>", xml),
        ):
            yield "answer", f"{name} {model[-3:]}", content, ["check", "perfect-3x3", "FILE", "--cnf", model]
        yield "answer", "no formula", b"c \n" * (BIG // 3), ["check", "perfect-3x3", "FILE"]
        proof = ["check", "perfect-3x3", claimed, "--cnf", cnf, "--proof", "FILE"]
        for name, content in {
            "units": b"1 0\n" * (BIG // 4),
            "true lemmas": b"1 -1 0\n" * (BIG // 7),
            "deletions": b"d 1 2 0\n" * (BIG // 8),
            "long lemma": b"1 2 3 " * (BIG // 6) + b"0\n",
            "other variables": b"".join(b"%d 0\n" % number for number in range(10**6, 10**6 + BIG // 10)),
            "large variable": b"99999999999 0\n0\n",
            "large number": b"9" * BIG + b" 0\n",
            "binary": b"a\x02\x00" * (BIG // 3),
            "binary number": b"a" + b"\xff" * BIG,
            "zeros": b"\0" * BIG,
            "empty clauses": b"0\n" * (BIG // 2),
            "blanks": b" " * BIG,
        }.items():
            yield "proof", name, content, proof
        Path(empty := f"{folder}/empty").write_text("0\n")
        formula = ["check", "perfect-3x3", claimed, "--cnf", "FILE", "--proof", empty]
        own = Path(cnf).read_bytes().partition(b"c ind ")[0]
        piece = next(line for line in own.splitlines(keepends=True) if b" piece " in line)
        for name, content in {
            "own head": own + b"p cnf 999999999 999999999\n1 0\n",
            "own clauses": own + b"p cnf 3 9\n" + b"1 2 3 0\n" * (BIG // 8),
            "own comments": own + b"p cnf 3 9\n" + b"c\n" * (BIG // 2),
            "own start": own + b"c ind 0\n" + b"c\n" * (BIG // 2),
            "own comment": own + b"c ind " + b"1 " * (BIG // 2),
            "own blanks": own + b"p cnf 3 9\n" + b" " * BIG,
            "own zeros": own + b"p cnf 3 9\n" + b"\0" * BIG,
            "pieces": own + piece * (BIG // len(piece)),
            "hashes": own + b"".join(line for line in own.splitlines(keepends=True) if b"sha256" in line) * 10_000,
            "head": b"p cnf 999999999 999999999\n1 0\n",
            "clauses": b"p cnf 3 9\n" + b"1 2 3 0\n" * (BIG // 8),
            "comments": b"c a\n" * (BIG // 4),
            "comment": b"c " + b"a" * BIG,
            "numbers": b"p cnf " + b"9" * BIG,
        }.items():
            yield "formula", name, content, formula


def ledger(statement: str) -> Callable[[Path], object]:
    """A ledger that is a database made by these statements."""

    def make(path: Path) -> None:
        with sqlite3.connect(path) as database:
            database.executescript(statement)

    return make


def ledgers() -> Iterator[Case]:
    command = ["count", "puzzle-a", "--ledger", "FILE", "--quiet"]
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
    view = f"CREATE VIEW records AS {endless} i AS number, 'x' AS text FROM n;"
    blob = "CREATE TABLE records (number, text); INSERT INTO records VALUES (0, zeroblob(900000000));"
    yield "ledger", "endless view", ledger(view), command
    yield "ledger", "blob", ledger(blob), command
    yield "ledger", "no database", b"SQLite format 3\0" + b"\xff" * BIG, command
    yield "ledger", "text", b"a" * BIG, command


GOOD = {
    "puzzle": (text(), ["info", "FILE"]),
    "solutions": (b"", ["check", "puzzle-a", "FILE"]),
    "order": (b"", ["estimate", "puzzle-a"]),
    "slips": (b"", ["estimate", "puzzle-a"]),
    "experiment": (b"", ["compare", "smoke", "-o", "FOLDER", "--dry-run", "--quiet", "--sample", "1"]),
    "picture": (png(8, 8, 2), [*PICTURES]),
    "drawing": (b"AAB\nACB\n", ["make", "dissection", "FILE", "-o", "FOLDER.json"]),
    "certificate": (b"{}", ["check", "puzzle-a", "FILE"]),
    "answer": (b"s UNSATISFIABLE\n", ["check", "puzzle-a", "FILE"]),
    "proof": (b"s UNSATISFIABLE\n", ["check", "puzzle-a", "FILE"]),
    "formula": (b"s UNSATISFIABLE\n", ["check", "puzzle-a", "FILE"]),
    "ledger": (lambda path: None, ["count", "puzzle-a", "--ledger", "FILE", "--quiet"]),
}


#: Runs a command line; its last line on standard error has the peak memory in kB, of this process alone.
RUN = """
import re, sys
from jigsat.cli.main import main
try:
    status = main(sys.argv[1:])
except SystemExit as end:
    status = end.code
finally:
    sys.stderr.write("\\nVmHWM " + re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
sys.exit(status)
"""


def measured(path: Path, content: Content, command: list[str]) -> tuple[float, float, str, bool]:
    """Processor seconds, peak MB, the outcome, and whether it is an answer or one line."""
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        content(path)
    folder = str(path.with_suffix(".folder"))
    words = [str(path) if word == "FILE" else word.replace("FOLDER", folder) for word in command]
    with tempfile.TemporaryFile("w+", errors="replace") as told:
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, *words], stdout=subprocess.DEVNULL, stderr=told, preexec_fn=_bounded
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        lines = [line for line in told.read(100_000).splitlines() if line]
    size = int(lines.pop().split()[1]) / 1024 if lines and lines[-1].startswith("VmHWM") else float("inf")
    traced = any("Traceback" in line for line in lines)
    refused = process.returncode == 2 and lines[:1] != [] and lines[0].startswith("jigsat")
    listed = len(lines) <= MOST_LINES and all(line.startswith("  ") for line in lines[1:])
    good = not traced and (process.returncode in (0, 1) or (refused and listed))
    message = lines[0].replace(str(path), path.name) if lines else ""
    return usage.ru_utime + usage.ru_stime, size, f"{process.returncode} {message[:110]}", good


def _bounded() -> None:
    """End what takes much longer than the goal, so that the table is complete."""
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))
    resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, 6 * 2**30))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD", help="only files with one of these words in their names")
    makers = (
        instances,
        solutions,
        orders_and_slips,
        experiments,
        pictures,
        drawings,
        certificates,
        of_solvers,
        ledgers,
    )
    parser.add_argument("--maker", choices=[maker.__name__ for maker in makers], help="only the files that it makes")
    arguments = parser.parse_args()
    words, chosen = arguments.words, arguments.maker
    before: dict[str, tuple[float, float]] = {}
    missed = 0
    with tempfile.TemporaryDirectory() as place:
        for kind, name, content, command in chain(*(maker() for maker in makers if chosen in (None, maker.__name__))):
            if words and not any(word in f"{kind} {name}" for word in words):
                continue
            if kind not in before:
                made, usual = GOOD[kind]
                before[kind] = measured(Path(place) / "good.json", made, usual)[:2]
            path = Path(place) / "hostile.json"
            seconds, size, outcome, good = measured(path, content, command)
            seconds, size = seconds - before[kind][0], size - before[kind][1]
            bad = seconds > MOST_SECONDS or size > MOST_MB or not good
            missed += bad
            print(f"{'!' if bad else ' '} {kind:11} {name:26} {seconds:6.1f} s {size:6.0f} MB  {outcome}", flush=True)
            for left in Path(place).glob("hostile*"):
                subprocess.run(["rm", "-rf", str(left)], check=True)
    print(f"{missed} files miss a goal" if missed else "all files meet the goals")
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main())
