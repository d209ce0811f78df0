"""Files and options damaged at random: whatever comes, an answer or one line of error, and never a traceback.

`pytest -m slow tests/agreement/test_fuzz.py` goes on for ten minutes.
"""

import contextlib
import hashlib
import io
import json
import os
import tempfile
import time
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from experiment_texts import TINY, experiment, part
from jigsat import count, solve
from jigsat.cli.main import main
from jigsat.csp.files.convert import puzzle_text, solutions_text
from jigsat.csp.files.dissection_files import shown
from jigsat.csp.files.instances import read_puzzle, read_squares, save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import METHODS, JigsawWishes
from jigsat.csp.puzzles.dissection import Motions
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.models.proofs.certify_exactly import certify_exactly
from jigsat.models.squares.cnf import build_cnf
from jigsat.models.squares.export import export_cnf
from records import record

MADE = deal_edge_matching(3, 4, 3, 2, clues=2, seed=1)
FREE = deal_edge_matching(3, 3, 2, 2, seed=2)
JIGSAW = EdgeMatchingPuzzle(1, 3, ((0, 1, 0, 0), (0, 2, 0, -1), (0, 0, 0, -2)), Rule.OPPOSITE, name="jigsaw")
PUZZLES = [
    puzzle_text(MADE.puzzle, "json", ""),
    puzzle_text(JIGSAW, "json", ""),
    puzzle_text(JIGSAW, "csv", ""),
    puzzle_text(MADE.puzzle, "csv", ""),
    puzzle_text(FREE.puzzle, "text", ""),
    puzzle_text(FREE.puzzle, "url", ""),
]
L_SHAPE = replace(read_puzzle("l-shape"), motions=Motions.LATTICE)
DISSECTIONS = [puzzle_text(read_puzzle(name), "json", "") for name in ("four-triangles", "l-shape", "tangram")]
# The second is not a solution: two pieces have each other's places.
TILINGS = [solutions_text(L_SHAPE, [L_SHAPE.pieces, (*L_SHAPE.pieces[:1], *L_SHAPE.pieces[:0:-1])], "json", "")]
EXPERIMENTS = [
    experiment(
        part({"engine": "backtrack", "order": ["rowscan", "best"], "slips": ["5,6", None]}, "cpsat"),
        part("sat", instances=[{"instance": "made.json"}, {**TINY, "inner_colors": "hardest+1", "seeds": "1..3"}]),
    ),
    experiment(part({"engine": "backtrack", "motions": "lattice"}, instances=[{"instance": "l-shape"}])),
    experiment(part("most-constrained", instances=[{"family": "jigsaw", "rows": 5}], limits={"nodes": 1e9})),
]
RECORDS = [json.dumps(record(seed=seed)) for seed in (1, 2)]
ORDER = " ".join(MADE.puzzle.board.name(square) for square in range(len(MADE.puzzle.board)))

scraps = st.one_of(
    st.sampled_from(
        ["", "0", "-1", "1e9", "9" * 30, "null", "true", "[]", "{}", '"', ",", "\n", "\r\n", "\0", "\ufeff", "\u0661"]
    ),
    st.sampled_from(["A1", "Z99", "#", "//", ";", "\t", "&", "=", "%00", "board_w=", "[" * 2000, "nan"]),
    st.text(max_size=8),
)
values = st.recursive(
    st.one_of(
        st.integers(0, 5), st.integers(0, 9), st.integers(-3, 40), st.integers(), st.none(), st.booleans(), st.floats(),
        st.text(max_size=5), st.sampled_from(["A1", "B2", "jigsaw", "edge-matching"]),
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@st.composite
def damaged(draw, texts):
    """One of the texts with a few bytes, words or JSON values changed."""
    text = draw(st.sampled_from(texts))
    if text.startswith("{") and draw(st.integers(0, 2)):
        data = json.loads(text)
        for _ in range(draw(st.integers(1, 2))):
            _damage(draw, data)
        text = json.dumps(data)
    for _ in range(draw(st.sampled_from((0, 0, 0, 1, 1, 2, 3)))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.sampled_from((start, start + 1, start + 5, len(text))))
        text = text[:start] + draw(scraps) + text[end:]
    content = text.encode("utf-8", "surrogatepass")
    return content if draw(st.integers(0, 9)) else content + draw(st.binary(max_size=5))


def _damage(draw, data):
    """Another value somewhere in the data."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        if not isinstance(data[key], list | dict) or not data[key] or draw(st.integers(0, 3)) == 0:
            data[key] = draw(values)
            return
        data = data[key]


@st.composite
def options(draw):
    """Options of a search, sensible or not."""
    chosen = ["--node-limit", "300", "--quiet"]
    if draw(st.booleans()):
        chosen += ["--slips=" + draw(st.sampled_from(["1", "4,6", "3x2", "12", "1x99", "x", ""]) | scraps)]
    if draw(st.booleans()):
        orders = ["rowscan", "spiral_out", "rowscan2:1", "order.txt", "", "best"]
        chosen += ["--order=" + draw(st.sampled_from(orders) | scraps)]
    if draw(st.integers(0, 4)) == 0:
        chosen += ["--no-symmetry"]
    if draw(st.integers(0, 4)) == 0:
        chosen += ["--depth-limit=" + draw(st.sampled_from(["0", "5", "99"]) | scraps)]
    return [option.replace("\0", "") for option in chosen]


@st.composite
def estimates(draw):
    """Options of an estimate: those of a search, and its own."""
    chosen = [option for option in draw(options()) if not option.startswith(("--node", "300", "--depth"))]
    numbers = st.sampled_from(["0", "1", "64", "200", "1e20"]) | scraps.map(lambda text: text.replace("\0", ""))
    chosen += draw(st.lists(st.sampled_from(["--json", "--by-depth", "--compare-orders", "--actual"])))
    named = draw(st.lists(st.sampled_from(["--probes", "--seed", "--rate", "--depth-limit"]), max_size=2))
    return chosen + [f"{name}={draw(numbers)}" for name in named]


@cache
def texts_of_boards():
    """A solution and another board, in each format."""
    boards = [MADE.solution, solve(MADE.puzzle).best_board]
    return [solutions_text(MADE.puzzle, boards, kind, "") for kind in ("json", "csv", "url")]


@cache
def texts_of_models():
    """What a solver answers about an exported file, that file, and a certificate with its formula and its proof."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("model.cnf", "made.json", "proof")]
        model = build_cnf(MADE.puzzle)
        export_cnf(model, paths[0])
        literals = [*model.model_of(MADE.solution), 0]
        count(MADE.puzzle, engine="sat:cadical195", proof=paths[2])
        answer = "c a\ns SATISFIABLE\n" + "".join(
            f"v {' '.join(map(str, literals[i : i + 9]))}\n" for i in range(0, len(literals), 9)
        )
        contents = {"answer": answer}
        for name in ("model.cnf", "proof", "proof.cnf", "proof.json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                contents[name] = file.read()
    return contents


@cache
def texts_of_tilings_proof():
    """The certificate of a dissection, with its formula and its proof."""
    with tempfile.TemporaryDirectory() as folder:
        count(L_SHAPE, engine="sat:cadical195", proof=os.path.join(folder, "proof"))
        contents = {}
        for name in ("proof", "proof.cnf", "proof.json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                contents[name] = file.read()
    return contents


@cache
def texts_of_certificate():
    """A jigsaw with two solutions, and its certificate."""
    puzzle = search_jigsaw(JigsawWishes(5, 5, seed=1)).puzzle
    with tempfile.TemporaryDirectory() as folder:
        certify_exactly(puzzle, 2, proof=os.path.join(folder, "proof"))
        save(puzzle, os.path.join(folder, "jigsaw.json"))
        contents = {}
        for name in ("jigsaw.json", "proof", "proof.cnf", "proof.json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                contents[name] = file.read()
    return contents


@st.composite
def solver_options(draw):
    """Engines and encodings, sensible or not."""
    engines = ["cpsat", "sat", "sat:glucose4", "sat:kissat404", "maxsat", "balanced", "backtrack", "sat:", "cpsat:x"]
    encodings = [
        "pairs",
        "diamond+sequential",
        "table",
        "element+unpruned",
        "booleans+pieces",
        "direct+parity",
        "+",
        "",
    ]
    clean = scraps.map(lambda text: text.replace("\0", ""))
    chosen = ["--quiet", "--time-limit=0.5", "--engine=" + draw(st.sampled_from(engines) | clean)]
    if draw(st.booleans()):
        chosen += ["--encoding=" + draw(st.sampled_from(encodings) | clean)]
    if draw(st.booleans()):
        chosen += ["--slips=" + draw(st.sampled_from(["1", "4,6", "3x2", "12", "1x99", "x", ""]) | clean)]
    more = [
        "--json",
        "--no-symmetry",
        "--proof=out",
        "--proof=nowhere/out",
        "--threads=2",
        "--seed=3",
        "--proof=puzzle",
    ]
    return chosen + draw(st.lists(st.sampled_from(more), max_size=2))


@st.composite
def solver_commands(draw):
    """Commands about models: searches by solvers, exports, answers, certificates."""
    files = {name: text.encode() for name, text in texts_of_models().items()} | {"made.json": PUZZLES[0].encode()}
    command = draw(st.sampled_from(["solve", "count", "best", "dimacs", "export", "answer", "certificate"]))
    if command in ("answer", "certificate"):
        names = ["answer", "model.cnf"] if command == "answer" else ["proof", "proof.cnf", "proof.json"]
        name = draw(st.sampled_from(names))
        files[name] = draw(damaged([texts_of_models()[name]]))
        about = ["answer", "--cnf", "model.cnf"] if command == "answer" else ["proof.json"]
        return files, ["check", "made.json", *about]
    files["puzzle"] = draw(damaged(PUZZLES))
    if command == "export":
        endings = draw(st.sampled_from(["out.cnf", "out.wcnf", "out.opb", "out.pb", "out.pbtxt", "out", "-"]))
        options = [
            option for option in draw(solver_options()) if option.startswith(("--enc", "--slips", "--no", "--js"))
        ]
        return files, ["export", "puzzle", "-o", endings, *options]
    chosen = draw(solver_options())
    how = {"solve": ["solve"], "count": ["count"], "best": ["solve", "--best"], "dimacs": ["solve", "--format=dimacs"]}
    return files, [*how[command], "puzzle", *chosen]


@st.composite
def certifying(draw):
    """Certificates that are damaged, with or without new hashes, and others that are asked for."""
    certified = texts_of_certificate()
    files = {name: text.encode() for name, text in certified.items()}
    more = draw(st.lists(st.sampled_from(["--json", "--quiet", "--encoding=bits", "--solver=glucose4"]), max_size=2))
    if draw(st.booleans()):
        name = draw(st.sampled_from(list(certified)))
        before, files[name] = files[name], draw(damaged([certified[name]]))
        if draw(st.booleans()):
            old, new = (hashlib.sha256(content).hexdigest().encode() for content in (before, files[name]))
            files["proof.json"] = files["proof.json"].replace(old, new)
        return files, ["certify", "jigsaw.json", "--verify=proof.json", *more]
    files["puzzle"] = draw(damaged([*PUZZLES, certified["jigsaw.json"]]))
    clean = scraps.map(lambda text: text.replace("\0", ""))
    chosen = ["--solutions=" + draw(st.sampled_from(["0", "1", "2", "3", "1e9", "-1"]) | clean), "--time-limit=0.5"]
    for option, choices in (
        ("--encoding", ["bits", "direct", "seams", "diamond+sequential", "runes"]),
        ("--solver", ["glucose4", "kissat404", "minisat22", "lingeling"]),
        ("--proof", ["out", "nowhere/out", "puzzle", "-", "."]),
    ):
        if draw(st.integers(0, 2)) == 0:
            chosen += [f"{option}=" + draw(st.sampled_from(choices) | (clean if option != "--proof" else st.nothing()))]
    return files, ["certify", "puzzle", *chosen, *more]


@st.composite
def jigsaws(draw):
    """Options of `jigsat make jigsaw`, sensible or not."""
    clean = scraps.map(lambda text: text.replace("\0", ""))
    sizes = st.integers(2, 8) | st.integers(-1, 9)
    chosen = [
        f"--rows={draw(sizes)}",
        f"--columns={draw(sizes)}",
        f"--time-limit={draw(st.sampled_from([0, 0.1, 0.3]))}",
    ]
    for option, choices in (
        ("--solutions", ["1", "2", "3", "4", "8", "0"]),
        ("--max-use", ["1", "2", "3", "4", "99", "0"]),
        ("--types", ["1", "6", "20", "99", "0"]),
        ("--method", [*METHODS, "magic"]),
        ("--seed", ["1", "2", "1e18"]),
        ("--name", ["it's", "a b"]),
        ("--proof", ["out", "nowhere/out", "made", "-"]),
    ):
        if draw(st.integers(0, 3)) == 0:
            chosen += [f"{option}=" + draw(st.sampled_from(choices) | (clean if option != "--proof" else st.nothing()))]
    chosen += draw(st.lists(st.sampled_from(["--no-stay", "--json", "--quiet"]), max_size=2))
    return {}, ["make", "jigsaw", *chosen, "-o", draw(st.sampled_from(["made", "made", "-"]))]


@st.composite
def experiments(draw):
    """Experiments and records that are damaged; nothing is run."""
    files = {"made.json": PUZZLES[0].encode(), "experiment": draw(damaged(EXPERIMENTS))}
    if draw(st.integers(0, 2)) == 0:
        lines = draw(damaged(RECORDS)), RECORDS[0].encode()
        files |= {"experiment": EXPERIMENTS[0].encode(), "runs/records.jsonl": b"\n".join(lines)}
    jobs = draw(st.lists(st.sampled_from(["--jobs=2", "--jobs=0", "--jobs=1e9", "--quiet"]), max_size=1))
    return files, ["compare", "experiment", "-o", "runs", "--dry-run", *jobs]


# A shear, a turn by no quarter, and others that keep areas; the last makes a mirror image.
KEEP_AREAS = [(1, 1, 0, 1), (1, 0, -2, 1), (Fraction(3, 5), Fraction(-4, 5), Fraction(4, 5), Fraction(3, 5)),
              (2, 0, 0, Fraction(1, 2)), (-1, 0, 0, 1)]  # fmt: skip


@st.composite
def dissections(draw):
    """A dissection whose polygons are changed, but not their areas, so that there is something to search for."""
    data = json.loads(draw(st.sampled_from(DISSECTIONS)))
    data["motions"] = draw(st.sampled_from(["any", "lattice"]))
    scale = draw(st.sampled_from([1, 1, 2, Fraction(1, 3), Fraction(3, 7), 1000]))
    polygons = [data["target"], *data["pieces"]]
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 2]))):
        changed = draw(st.sampled_from(polygons))
        (a, b, c, d), by = draw(st.sampled_from(KEEP_AREAS)), draw(st.integers(-2, 2))
        changed[:] = [(a * x + b * y + by, c * x + d * y - by) for x, y in changed]
    for polygon in polygons:
        polygon[:] = [[shown(Fraction(scale * x)), shown(Fraction(scale * y))] for x, y in polygon]
    return json.dumps(data)


@st.composite
def tiling_options(draw):
    """Options of a search for tilings, sensible or not."""
    engines = ["backtrack", "cpsat", "sat", "sat:glucose4", "maxsat", "sat:", "cpsat:x"]
    chosen = ["--quiet", "--time-limit=0.5"]
    if draw(st.booleans()):
        chosen += ["--engine=" + draw(st.sampled_from(engines))]
    more = [
        "--json", "--no-symmetry", "--motions=any", "--motions=lattice", "--node-limit=100", "--threads=2", "--seed=3",
        "--proof=out", "--proof=nowhere/out", "--encoding=telling", "--encoding=wedges+product", "--encoding=seams",
        "--slips=3", "--order=rowscan", "--depth-limit=2",
    ]  # fmt: skip
    return chosen + draw(st.lists(st.sampled_from(more), max_size=3))


@st.composite
def tiling_commands(draw):
    """Commands about dissections: searches, pictures, exports, forms, graphs, tilings and certificates."""
    command = draw(
        st.sampled_from(
            ["count", "solve", "info", "draw", "convert", "export", "forms", "graph", "estimate"] + 3 * ["file"]
        )
    )
    if command == "file":
        return draw(tiling_files())
    text = draw(dissections())
    files = {"puzzle": draw(damaged([text, *DISSECTIONS])) if draw(st.booleans()) else text.encode()}
    quick = ["--quiet", "--time-limit=0.5"]

    def some(*options):
        return draw(st.lists(st.sampled_from(options), max_size=2))

    motions = ["--motions=lattice", "--motions=any"]
    return files, {
        "count": lambda: ["count", "puzzle", *draw(tiling_options())],
        "solve": lambda: ["solve", "puzzle", *draw(tiling_options()), *some("--all", "--limit=2", "--best")],
        "info": lambda: ["info", "puzzle", *some("--json")],
        "draw": lambda: ["draw", "puzzle", "-o", "out", *some("--pieces", "--all", "--no-numbers", "--legend")],
        "convert": lambda: ["convert", "puzzle", "-", *some("--to=json", "--to=csv", "--pieces-only")],
        "export": lambda: [
            "export", "puzzle", "-o", draw(st.sampled_from(["out.cnf", "out.opb", "out.pb", "out.wcnf", "-"])),
            *some(*motions, *motions[:1], "--json", "--no-symmetry", "--encoding=telling", "--best", "--to=cnf"),
        ],
        "forms": lambda: [
            "forms", "puzzle", "--vertices=3", *quick, *some("--json", "--seams", "--decide", "--output=out"),
        ],
        "graph": lambda: [
            "graph", "puzzle", *quick, f"--moves={draw(st.sampled_from(['chung-graham', 'primitive', 'exchanges']))}",
            *some(*motions, "--json", "--no-merge", "--hamiltonian", "--output=out", "--thumbnails"),
        ],
        "estimate": lambda: [
            "estimate", "puzzle", "--quiet", f"--probes={draw(st.sampled_from(['0', '100', '3000', '1e20']))}",
            *some("--json", "--by-depth", "--no-symmetry", "--seed=5", "--rate=5"),
        ],
    }[command]()  # fmt: skip


@st.composite
def tiling_files(draw):
    """Tilings, and the files of a certificate, that are damaged."""
    proof = texts_of_tilings_proof()
    files = {name: text.encode() for name, text in proof.items()}
    if draw(st.booleans()):
        name = draw(st.sampled_from(list(proof)))
        before, files[name] = files[name], draw(damaged([proof[name]]))
        if draw(st.booleans()):
            old, new = (hashlib.sha256(content).hexdigest().encode() for content in (before, files[name]))
            files["proof.json"] = files["proof.json"].replace(old, new)
        return files, ["check", "l-shape", "proof.json", *draw(st.lists(st.sampled_from(["--json"]), max_size=1))]
    files["tilings"] = draw(damaged(TILINGS))
    return files, draw(
        st.sampled_from(
            [
                ["check", "l-shape", "tilings"],
                ["check", "l-shape", "tilings", "--motions=lattice", "--json"],
                ["draw", "l-shape", "tilings", "-o", "out", "--number=2"],
                ["draw", "l-shape", "tilings", "-o", "-", "--all"],
                ["convert", "--puzzle", "l-shape", "tilings", "-"],
            ]
        )
    )


@st.composite
def commands(draw):
    """Files to write, and the command line to run on them."""
    files = {"made.json": PUZZLES[0].encode(), "order.txt": ORDER.encode()}
    others = {
        "models": solver_commands, "certify": certifying, "jigsaw": jigsaws, "dissection": tiling_commands,
        "experiment": experiments,
    }  # fmt: skip
    kind = draw(
        st.sampled_from(["puzzle", "puzzle", "board", "order", "make", "models", "dissection", "dissection", *others])
    )
    if kind in others:
        return draw(others[kind]())
    if kind == "make":
        numbers = {
            name: draw(st.integers(-1, 9)) for name in ("rows", "columns", "frame-colors", "inner-colors", "clues")
        }
        flags = draw(st.lists(st.sampled_from(["--unique", "--asymmetric", "--random", "--distribution=skewed"])))
        return files, ["make", "edge-matching", *flags, *(f"--{name}={number}" for name, number in numbers.items())]
    if kind == "order":
        files["order.txt"] = draw(damaged([ORDER]))
        return files, ["count", "made.json", "--order=order.txt", "--node-limit=100", "--quiet"]
    if kind == "board":
        files["board"] = draw(damaged(texts_of_boards()))
        command = draw(st.sampled_from(["check", "draw", "convert", "count", "check slips"]))
        kind = draw(st.sampled_from(["json", "csv", "url", "text"]))
        return files, {
            "check": ["check", "made.json", "board"],
            "check slips": ["check", "made.json", "board", "--slips=5,9", "--order=rowscan"],
            "draw": ["draw", "made.json", "board", "-o", "out", "--legend"],
            "convert": ["convert", "--puzzle", "made.json", "board", "-", "--to", kind],
            "count": ["count", "made.json", "--from", "board", *draw(options())],
        }[command]
    files["puzzle"] = draw(damaged(PUZZLES))
    command = draw(
        st.sampled_from(["info", "draw", "draw order", "convert", "solve", "count", "best", "all", "estimate"])
    )
    return files, {
        "info": ["info", "puzzle"],
        "draw": ["draw", "puzzle", "-o", "out"],
        "draw order": ["draw", "puzzle", "-o", "-", "--order=zig_zag"],
        "convert": ["convert", "puzzle", "-", "--to", draw(st.sampled_from(["json", "csv", "url", "text"]))],
        "estimate": ["estimate", "puzzle", *draw(estimates())],
        "solve": ["solve", "puzzle", *draw(options()), "--json"],
        "best": ["solve", "puzzle", "--best", *draw(options())],
        "all": ["solve", "puzzle", "--all", *draw(options()), "-o", "out"],
        "count": ["count", "puzzle", *draw(options())],
    }[command]


def answer(files, arguments):
    """Write the files, run the command, and look at how it ends."""
    for name, content in files.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "wb") as file:
            file.write(content)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as stop:
            status = stop.code
    lines = err.getvalue().splitlines()
    if status == 2:
        assert len(lines) == 1
        assert lines[0].startswith("jigsat")
        assert len(lines[0]) < 1000
        assert out.getvalue() == ""
    else:
        assert status in ((0, 10, 20) if "--format=dimacs" in arguments else (0, 1))
        assert not lines or arguments[0] in ("make", "export")
        if arguments[:2] == ["make", "jigsaw"] and arguments[-1] == "made":
            read_squares("made")
        if arguments[:3] == ["check", "l-shape", "proof.json"] and status == 0:
            assert "has exactly 4 tilings with all vertices" in out.getvalue()
        if "--verify=proof.json" in arguments and status == 0:
            assert "has exactly 2 solutions: the 2 that are listed" in out.getvalue()


def fuzz(examples):
    profile = settings(
        max_examples=examples,
        deadline=timedelta(minutes=2),
        suppress_health_check=list(HealthCheck),
        database=None,
        print_blob=True,
    )
    return profile(given(commands())(lambda command: answer(*command)))


def test_damaged_files_and_options_end_in_an_answer_or_one_line(tmp_path, monkeypatch):
    """A traceback, a second line or a hang for any of some hundred damaged inputs would show."""
    save(read_squares("clue3"), tmp_path / "warm.json")
    monkeypatch.chdir(tmp_path)
    main(["solve", "warm.json", "--best", "--slips=1", "--node-limit=10"])  # compiles outside the deadline
    main(["make", "jigsaw", "--rows=6", "--columns=6", "--no-stay", "--seed=1", "-o", "made"])
    for warm in (["count"], ["count", "--motions=lattice"], ["graph", "--motions=lattice"], ["forms", "--vertices=3"]):
        main([*warm[:1], "l-shape", *warm[1:]])
    main(["estimate", "tangram"])
    fuzz(50)()


@pytest.mark.slow
def test_ten_minutes_of_damaged_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    end = time.monotonic() + 600
    number = 0
    while time.monotonic() < end:
        number += 1
        seed(number)(fuzz(500))()
