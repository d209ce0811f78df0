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
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from experiment_texts import TINY, experiment, part
from jigsat import count, solve
from jigsat.cli.main import complete_parser, main
from jigsat.csp.files.convert import puzzle_text, solutions_text
from jigsat.csp.files.dissection_files import shown
from jigsat.csp.files.instances import read_puzzle, read_squares, save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
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
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        if not isinstance(data[key], list | dict) or not data[key] or draw(st.integers(0, 3)) == 0:
            data[key] = draw(values)
            return
        data = data[key]


@cache
def texts_of_boards():
    boards = [MADE.solution, solve(MADE.puzzle).best_board]
    return [solutions_text(MADE.puzzle, boards, kind, "") for kind in ("json", "csv", "url")]


#: Sensible values of options, and others; of options that are not here, the parser knows the values, or scraps will do.
VALUES = {
    "slips": ["1", "4,6", "3x2", "12", "1x99", "best:2"], "frame_slips": ["1", "3x2"],
    "order": ["rowscan", "spiral_out", "rowscan2:1", "order.txt", "best", "zig_zag"],
    "engine": ["cpsat", "sat", "sat:glucose4", "sat:kissat404", "maxsat", "balanced", "backtrack", "dive", "sat:"],
    "encoding": ["pairs", "diamond+sequential", "table", "booleans+pieces", "bits", "telling", "wedges+product", "+"],
    "solver": ["glucose4", "kissat404", "minisat22", "lingeling"], "solutions": ["0", "1", "2", "3", "1e9"],
    "start": ["board", "puzzle"], "motions": ["any", "lattice"], "sides": ["up,left,down,right"], "border": ["0", "7"],
    "pieces": ["1,2", "3"], "target": ["2x2", "l-shape"], "hole": ["1x1@0,0"], "scale": ["2", "1/3"],
    "stretch": ["2:1"], "no_flip": ["1", "2,3"], "squares": ["A1:B2", "row:1"], "probes": ["0", "64", "200", "1e20"],
    "max_use": ["1", "2", "4", "99"], "types": ["1", "6", "20"], "name": ["it's", "a b"], "part": ["1/2", "3/2"],
}  # fmt: skip
#: Options that take other numbers than small ones for ever, and files.
SMALL = {"threads": ["2"], "width": ["1", "20"], "rows": [*"23456"], "columns": [*"23456"], "jobs": ["0", "2"]}
FILES = ("output", "proof", "lrat", "ledger", "plot", "solution")
LEFT_OUT = (
    "help",
    "help_all",
    "cluster",
    "cluster_security",
    "cluster_dashboard",
    "device",
    "sample_solutions",
    "time_limit",
)
clean = scraps.map(lambda text: text.replace("\0", ""))


@cache
def actions_of(command):
    """The options of a command, and whether it has a time limit."""
    parser = complete_parser()
    for word in command.split():
        (commands,) = (action for action in parser._actions if action.dest in ("command", "kind"))
        parser = commands.choices[word]
    optional = [action for action in parser._actions if action.option_strings]
    chosen = [action for action in optional if action.dest not in LEFT_OUT and not action.required]
    return chosen, [action.option_strings[-1] for action in optional if action.dest in ("time_limit", "quiet")]


@st.composite
def line(draw, command, *words):
    """A command line with up to three options, sensible or not, that ends soon."""
    chosen, quick = actions_of(command)
    given = [option if option != "--time-limit" else "--time-limit=0.5" for option in quick]
    for action in draw(st.lists(st.sampled_from(chosen), max_size=3, unique_by=lambda action: action.dest)):
        option = action.option_strings[-1]
        if action.nargs == 0:
            given.append(option)
        elif action.dest in FILES:
            given.append(f"{option}={draw(st.sampled_from(['out', 'nowhere/out', 'puzzle', '.']))}")
        elif action.dest in SMALL:
            given.append(f"{option}={draw(st.sampled_from(SMALL[action.dest]))}")
        else:
            known = VALUES.get(action.dest) or [str(choice) for choice in action.choices or range(1, 6)]
            given.append(f"{option}={draw(st.sampled_from(known) | clean)}")
    return [*command.split(), *words, *dict.fromkeys(given)]


@cache
def texts_of_files():
    """What a solver answers about an exported file, that file, and certificates with their formulas and proofs."""
    puzzle, model = search_jigsaw(JigsawWishes(5, 5, seed=1)).puzzle, build_cnf(MADE.puzzle)
    literals = [*model.model_of(MADE.solution), 0]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        export_cnf(model, "model.cnf")
        count(MADE.puzzle, engine="sat:cadical195", proof="boards")
        count(L_SHAPE, engine="sat:cadical195", proof="tilings")
        certify_exactly(puzzle, 2, proof="exact")
        save(puzzle, "jigsaw.json")
        contents = {path.name: path.read_text() for path in Path().iterdir()}
    lines = (f"v {' '.join(map(str, literals[i : i + 9]))}\n" for i in range(0, len(literals), 9))
    return contents | {"answer": "c a\ns SATISFIABLE\n" + "".join(lines)}


#: What is checked: the files of which one is damaged, and the command.
CHECKED = [
    (["answer", "model.cnf"], ["check", "made.json", "answer", "--cnf=model.cnf"]),
    (["boards", "boards.cnf", "boards.json"], ["check", "made.json", "boards.json"]),
    (["tilings", "tilings.cnf", "tilings.json"], ["check", "l-shape", "tilings.json"]),
    (["jigsaw.json", "exact", "exact.cnf", "exact.json"], ["certify", "jigsaw.json", "--verify=exact.json"]),
]
#: What is said of a certificate that is accepted, whatever else is damaged.
ACCEPTED = {
    "tilings.json": "has exactly 4 tilings with all vertices",
    "--verify=exact.json": "has exactly 2 solutions: the 2 that are listed",
}


@st.composite
def checked(draw):
    """Answers and certificates that are damaged, with or without new hashes."""
    names, words = draw(st.sampled_from(CHECKED))
    files = {name: text.encode() for name, text in texts_of_files().items()}
    name = draw(st.sampled_from(names))
    before, files[name] = files[name], draw(damaged([texts_of_files()[name]]))
    if names[-1] != name and names[-1].endswith("json") and draw(st.booleans()):
        old, new = (hashlib.sha256(content).hexdigest().encode() for content in (before, files[name]))
        files[names[-1]] = files[names[-1]].replace(old, new)
    return files, [*words, *draw(st.sampled_from(([], ["--json"])))]


@st.composite
def experiments(draw):
    """Experiments and records that are damaged; nothing is run."""
    files = {"experiment": draw(damaged(EXPERIMENTS))}
    if draw(st.integers(0, 2)) == 0:
        lines = draw(damaged(RECORDS)), RECORDS[0].encode()
        files = {"experiment": EXPERIMENTS[0].encode(), "runs/records.jsonl": b"\n".join(lines)}
    return files, ["compare", "experiment", "-o", "runs", "--dry-run", *draw(st.sampled_from(([], ["--jobs=1e9"])))]


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


#: What a command needs beside its puzzle.
NEEDS = {
    "draw": [["-o", "out"], ["-o", "-"]], "convert": [["-"], ["-", "--to=csv"], ["-", "--to=url"], ["-", "--to=text"]],
    "export": [["-o", f"out{ending}"] for ending in (".cnf", ".wcnf", ".opb", ".pb", ".pbtxt", "")],
    "certify": [["--solutions=1"], ["--solutions=2"], ["--solutions=-1"]], "forms": [["--vertices=3"]],
    "solve": [[], ["--node-limit=300"], ["--all"], ["--format=dimacs"]], "count": [[], ["--node-limit=300"]],
}  # fmt: skip
SQUARES = ("info", "draw", "convert", "solve", "count", "estimate", "export", "certify", "plan")
TILINGS_TOO = ("info", "draw", "convert", "solve", "count", "estimate", "export", "forms", "graph")
MAKES = [
    "make edge-matching --rows=4 --columns=3 --frame-colors=2 --inner-colors=3",
    "make jigsaw --rows=5 --columns=5 -o made", "make jigsaw --rows=4 --columns=6 -o -",
]  # fmt: skip
#: Commands that read boards, tilings or an order, and the texts of these.
READ = {
    "board": ["check made.json board", "check made.json board --slips=5,9", "draw made.json board -o out --legend",
              "convert board - --puzzle=made.json", "count made.json --from=board --node-limit=100"],
    "order.txt": ["count made.json --order=order.txt --node-limit=100 --quiet"],
    "tilings": ["check l-shape tilings", "check l-shape tilings --motions=lattice --json",
                "draw l-shape tilings -o out --number=2", "convert tilings - --puzzle=l-shape"],
}  # fmt: skip


@st.composite
def commands(draw):
    """Files to write, and the command line to run on them."""
    files = {"made.json": PUZZLES[0].encode(), "order.txt": ORDER.encode(), "board": texts_of_boards()[0].encode()}
    kind = draw(
        st.sampled_from(["squares", "squares", "squares", "tilings", "tilings", "read", "make", "checked", "runs"])
    )
    if kind in ("checked", "runs"):
        others, words = draw(checked() if kind == "checked" else experiments())
    elif kind == "make":
        command, _, rest = draw(st.sampled_from(MAKES)).partition(" --")
        others, words = {}, draw(line(command, *f"--{rest}".split()))
    elif kind == "read":
        name = draw(st.sampled_from(list(READ)))
        texts = {"board": texts_of_boards(), "order.txt": [ORDER], "tilings": TILINGS}[name]
        others, words = {name: draw(damaged(texts))}, draw(st.sampled_from(READ[name])).split()
    else:
        command = draw(st.sampled_from(SQUARES if kind == "squares" else TILINGS_TOO))
        plain = draw(dissections()) if kind == "tilings" and draw(st.booleans()) else None
        texts = PUZZLES if kind == "squares" else DISSECTIONS
        others = {"puzzle": draw(damaged(texts)) if plain is None else plain.encode()}
        words = draw(line(command, "puzzle", *draw(st.sampled_from(NEEDS.get(command, [[]])))))
    return files | others, words


def answer(files, arguments):
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
        assert lines[0].startswith("jigsat")
        # A file may have several faults.
        assert len(lines) < 8
        assert all(line.startswith("  ") for line in lines[1:])
        assert len(lines[0]) < 1000
        assert out.getvalue() == ""
    else:
        assert status in ((0, 10, 20) if "--format=dimacs" in arguments else (0, 1))
        assert not lines or arguments[0] in ("make", "export")
        if arguments[:2] == ["make", "jigsaw"] and "made" in arguments:
            read_squares("made")
        for word, said in ACCEPTED.items():
            assert word not in arguments or status or said in out.getvalue()


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
