"""What a command does, a function of `jigsat` does, with the same words: their records are equal, but for times."""

import json
from shlex import split

import pytest

import jigsat as js
from command_line import run
from jigsat.cli.commands import COMMANDS
from jigsat.estimators.plan import job
from jigsat.estimators.ways import times as rates
from solved_clue import BOARD

DEALT = "--rows 6 --columns 5 --frame-colors 3 --inner-colors 6"
#: A solution, one with two pieces exchanged, and one with a hole, also in the files of the commands.
BOARDS = [BOARD, (BOARD[1], BOARD[0], *BOARD[2:]), (None, *BOARD[1:])]
PARTIAL = (*BOARD[:3], *(None,) * 33)
#: What differs from one run to the next; a slow or busy machine cuts a count into more tasks.
TIMES = {
    "seconds", "build_seconds", "plan_seconds", "cpu_seconds", "peak_rss_mib", "nodes_per_second", "seconds of work",
    "tasks", "wall_seconds", "timestamp", "fingerprint",
}  # fmt: skip


def without_times(data):
    """The same data without what differs from one run to the next, as JSON has it."""
    if isinstance(data, dict):
        return {key: without_times(value) for key, value in data.items() if key not in TIMES}
    return [without_times(value) for value in data] if isinstance(data, list) else data


def read(name):
    return js.read(name)


#: Commands that print a record, and the functions that return it.
RECORDS = {
    "solve clue3": lambda: js.solve("clue3"),
    "solve two.json --engine cpsat --encoding table --seed 3":
        lambda: js.solve("two.json", engine="cpsat", encoding="table", seed=3),
    # With an engine: which one is predicted to be the fastest may differ on a busy machine.
    "solve puzzle-a --limit 3 --engine backtrack": lambda: js.solve("puzzle-a", limit=3, engine="backtrack"),
    "plan puzzle-a --engine backtrack": lambda: js.explain("puzzle-a", engine="backtrack"),
    "solve puzzle-a --limit 3 --order rowscan --explain":
        lambda: js.explain("puzzle-a", "all", limit=3, order="rowscan"),
    "count two.json --explain": lambda: js.explain("two.json", "count"),
    "certify perfect-6x6 --solutions 2 --explain": lambda: js.explain("perfect-6x6", "certify"),
    "solve clue1 --node-limit 100000 --order best": lambda: js.solve("clue1", node_limit=100000, order="best"),
    "solve eternity2 --from part.json --node-limit 1000":
        lambda: js.solve("eternity2", start="part.json", node_limit=1000),
    "solve perfect-6x6 --all": lambda: js.solve("perfect-6x6", all=True),
    "count calendar --leave 'Oct 6' --engine backtrack":
        lambda: js.count(js.variant(js.read("calendar"), leave="Oct 6"), engine="backtrack"),
    "solve eternity2 --best --engine beam --seed 1 --node-limit 20000 --width 20":
        lambda: js.best("eternity2", engine="beam", seed=1, node_limit=20000, width=20),
    "improve puzzle-a solutions.json --seed 3": lambda: js.improve("puzzle-a", "solutions.json", seed=3),
    "count puzzle-a": lambda: js.count("puzzle-a"),
    "count two.json --method plain --threads 2": lambda: js.count("two.json", method="plain", threads=2),
    "count puzzle-a --no-symmetry --order rowscan --node-limit 5000":
        lambda: js.count("puzzle-a", symmetry=False, order="rowscan", node_limit=5000),
    "count two.json --verify": lambda: js.count("two.json", verify=True),
    "count two.json --slips 1 --frame-slips 2": lambda: js.count("two.json", slips="1", frame_slips="2"),
    "count tangram --no-flip": lambda: js.count(js.variant(read("tangram"), no_flip=True)),
    "solve tangram --pieces 5,7,6 --target 2x1 --all":
        lambda: js.solve(js.variant(read("tangram"), pieces="5,7,6", target="2x1"), all=True),
    "info pentominoes-8x8 --target 9x8 --hole 2x2@1,2 --hole 2x4@5,2":
        lambda: js.info(js.variant(read("pentominoes-8x8"), target="9x8", hole=["2x2@1,2", "2x4@5,2"])),
    "info tangram --stretch 2:1 --scale 1/2": lambda: js.info(js.variant(read("tangram"), stretch="2:1", scale="1/2")),
    "count tangram --motions lattice": lambda: js.count("tangram", motions="lattice"),
    "estimate clue1 --rate 1000000 --compare-orders --slips 9,12":
        lambda: js.estimate("clue1", rate=1000000, compare_orders=True, slips="9,12"),
    "estimate tangram --motions lattice --seed 2 --actual":
        lambda: js.estimate("tangram", motions="lattice", seed=2, actual=True),
    "certify perfect-6x6": lambda: js.certify("perfect-6x6", 2),
    "certify perfect-6x6 --solutions 2 --by-search": lambda: js.certify("perfect-6x6", 2, by_search=True),
    "certify made.json --verify made.drat.json": lambda: js.verify("made.json", "made.drat.json"),
    "solve l-shape --motions lattice --all": lambda: js.solve("l-shape", motions="lattice", all=True),
    "check perfect-6x6": lambda: js.check("perfect-6x6", js.read("perfect-6x6").assemblies),
    "check clue3 boards.json --slips 1x9 --order best":
        lambda: js.check("clue3", "boards.json", slips="1x9", order="best"),
    "check clue3 boards.json --slips 30 --order rowscan":
        lambda: js.check("clue3", BOARDS, slips="30", order="rowscan"),
    "check l-shape tilings.json --motions lattice":
        lambda: js.check("l-shape", [read("l-shape").pieces] * 3, motions="lattice"),
    "check eternity2 part.json --partial": lambda: js.check("eternity2", "part.json", partial=True),
    "forms tangram --vertices 3": lambda: js.forms("tangram", 3),
    "graph l.json --moves convex": lambda: js.graph("l.json", moves="convex"),
    "export puzzle-a -o model.opb --best --no-symmetry":
        lambda: js.export("puzzle-a", "model.opb", best=True, symmetry=False),
    "export clue3 -o model.cnf --from partial.json --slips 30":
        lambda: js.export("clue3", "model.cnf", start="partial.json", slips="30"),
    "export l-shape -o model --to cpsat --motions lattice":
        lambda: js.export("l-shape", "model", to="cpsat", motions="lattice"),
    "info clue1 --blocks": lambda: js.info("clue1", blocks=True),
    "list": lambda: js.list_puzzles(),
    "list --engines": lambda: [engine.record() for engine in js.engines()],
    "pictures cup ring -o folder --rows 5 --columns 5 --method assignment --pixels 8":
        lambda: js.pictures("cup", "ring", "folder", rows=5, columns=5, method="assignment", pixels=8),
    "pictures cup ring -o folder --rows 5 --columns 5 --method scrambles --scrambles 2 --pixels 8":
        lambda: js.pictures("cup", "ring", "folder", rows=5, columns=5, method="scrambles", scrambles=2, pixels=8),
}  # fmt: skip

#: Commands that write a file, and the functions that write the same one.
FILES = {
    "make jigsaw --rows 5 --columns 4 --solutions 1 --method planted --name mine --seed 0 -o out.json":
        lambda: js.save(js.make_jigsaw(5, 4, solutions=1, method="planted", name="mine"), "out.json"),
    "make polyominoes --cells 4 --one-sided --target 4x7 -o out.json":
        lambda: js.save(js.make_polyominoes(4, "4x7", one_sided=True), "out.json"),
    "make dissection AAB/ACB --no-flip -o out.json":
        lambda: js.save(js.make_dissection("AAB/ACB", no_flip=True), "out.json"),
    "make jigsaw --rows 6 --columns 6 --types 20 --no-stay --seed 4 -o out.json":
        lambda: js.save(js.make_jigsaw(6, 6, types=20, no_stay=True, seed=4), "out.json"),
    "make jigsaw --rows 5 --columns 6 --max-use 3 --seed 2 -o out.json":
        lambda: js.save(js.make_jigsaw(5, 6, max_use=3, seed=2), "out.json"),
    f"make edge-matching {DEALT} --unique --clues 2 --clue-places corner --seed 0 -o out.json":
        lambda: js.save(js.make_edge_matching(6, 5, 3, 6, unique=True, clues=2, clue_places="corner"), "out.json"),
    f"make edge-matching {DEALT} --random --asymmetric --distribution skewed --seed 7 -o out.json": lambda: js.save(
        js.make_edge_matching(6, 5, 3, 6, random=True, asymmetric=True, distribution="skewed", seed=7), "out.json"
    ),
    "solve puzzle-a --all -o out.json":
        lambda: js.write(read("puzzle-a"), js.solve("puzzle-a", all=True).solutions, "out.json"),
    "draw clue1 --pieces --legend -o out.svg": lambda: js.draw("clue1", pieces=True, legend=True).save("out.svg"),
    "draw clue3 boards.json --number 2 --order best --no-numbers -o out.svg":
        lambda: js.draw("clue3", BOARDS, number=2, order="best", numbers=False).save("out.svg"),
    "draw l-shape tilings.json --all -o out.svg":
        lambda: js.draw("l-shape", [read("l-shape").pieces] * 3, all=True).save("out.svg"),
    "export clue3 -o out.cnf --no-symmetry --encoding seams --order best":
        lambda: js.export("clue3", "out.cnf", symmetry=False, encoding="seams", order="best"),
    "export clue3 -o out.pbtxt --slips 20 --from partial.json":
        lambda: js.export("clue3", "out.pbtxt", slips="20", start=PARTIAL),
    "photo perfect-5x5 --pixels 20 --loose 3 --seed 2 --number 2 --curves 2 --image cup -o out.png": lambda: (
        js.draw_photo(
            "perfect-5x5", pixels=20, loose=3, seed=2, number=2, curves=2, image="cup"
        ).save("out.png")
    ),
    "cut perfect-5x5 --size 30 --page a4 --kerf 0.2 --sheets cut --number 2 --no-numbers -o out.svg": lambda: (
        js.draw_print(
            "perfect-5x5", size=30, page="a4", kerf=0.2, sheets="cut", number=2, numbers=False
        ).save("out.svg")
    ),
    "view clue3 boards.json --limit 2 --order best --slips 30 --no-symmetry -o out.html":
        lambda: js.view("clue3", BOARDS, "out.html", limit=2, order="best", slips="30", symmetry=False),
    "view clue3 boards.json --actual --depth-limit 5 -o out.html":
        lambda: js.view("clue3", "boards.json", "out.html", actual=True, depth_limit=5),
    "play perfect-5x5 --curves 2 --seed 3 -o out.html":
        lambda: js.view("perfect-5x5", play=True, curves=2, seed=3).save("out.html"),
    "draw puzzle-a solutions.json -o out.png": lambda: js.draw("puzzle-a", "solutions.json").save("out.png"),
    "pictures cup ring -o out.folder --jigsaw perfect-5x5 --grey --weight 0.2 --pixels 8":
        lambda: js.pictures("cup", "ring", "out.folder", jigsaw="perfect-5x5", grey=True, weight=0.2, pixels=8),
    "pictures cup ring -o out.folder --rows 4 --columns 6 --method assignment --crop --pixels 8":
        lambda: js.pictures("cup", "ring", "out.folder", rows=4, columns=6, method="assignment", crop=True, pixels=8),
    "graph l.json -o out.graphml": lambda: js.graph("l.json").save("out.graphml"),
    "forms tangram --vertices 3 -o out.json": lambda: js.forms("tangram", 3).save("out.json"),
    "convert clue1 out.csv": lambda: js.convert("clue1", "out.csv"),
    "convert solutions.json out.url --puzzle puzzle-a":
        lambda: js.convert("solutions.json", "out.url", puzzle="puzzle-a"),
}  # fmt: skip

TWO = {"format": "jigsat/1", "kind": "edge-matching", "name": "two", "rows": 2, "columns": 2, "pieces": [
    [0, 1, 2, 0], [0, 0, 3, 1], [2, 4, 0, 0], [3, 0, 0, 9]]}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    (folder / "two.json").write_text(json.dumps(TWO))
    l_shape = {
        "format": "jigsat/1", "kind": "dissection", "name": "square", "motions": "lattice",
        "target": [[0, 0], [2, 0], [2, 2], [0, 2]],
        "pieces": [[[0, 0], [2, 0], [2, 1], [0, 1]], [[0, 0], [2, 0], [2, 1], [0, 1]]],
    }  # fmt: skip
    (folder / "l.json").write_text(json.dumps(l_shape))
    js.write(read("puzzle-a"), js.solutions("puzzle-a", limit=2), folder / "solutions.json")
    for name, boards in (("boards", BOARDS), ("partial", [PARTIAL])):
        js.write(read("clue3"), boards, folder / f"{name}.json")
    js.write(read("l-shape"), [read("l-shape").pieces] * 3, folder / "tilings.json")
    part = js.solve("eternity2", node_limit=2000).best_board
    js.write(read("eternity2"), [part], folder / "part.json")
    jigsaw = js.make_jigsaw(rows=5, columns=5, seed=1)
    js.save(jigsaw, folder / "made.json")
    js.certify(jigsaw, 2, proof=folder / "made.drat")
    return folder


@pytest.fixture(autouse=True)
def independent_of_load(monkeypatch):
    """No search gets company because it takes long, and none changes the rates by which the next one is planned."""
    monkeypatch.setattr(job, "patience", lambda way: None)
    monkeypatch.setattr(rates, "note", lambda result: None)


def test_each_subcommand_occurs():
    named = {split(line)[0] for line in (*RECORDS, *FILES)}
    assert named | {"compare", "merge", "race", "schema", "studio", "warm-up"} == set(COMMANDS)
    assert len(RECORDS) + len(FILES) + 2 >= 40


@pytest.mark.some_cases(25)
@pytest.mark.parametrize("line", RECORDS)
def test_the_records_are_equal(line, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    status, out, err = run(capsys, *split(line), "--json")
    assert status in (0, 1), err
    found = RECORDS[line]()
    record = found if isinstance(found, dict | list) else found.record()
    assert without_times(json.loads(json.dumps(record))) == without_times(json.loads(out))


def taken(out):
    """What a file, or each file of a folder, has; it is removed, as `solve` replaces no file of another kind."""
    files = sorted(out.iterdir()) if out.is_dir() else [out]
    found = {file.name: file.read_bytes() for file in files}
    for file in files:
        file.unlink()
    return found


@pytest.mark.some_cases(15)
@pytest.mark.parametrize("line", FILES)
def test_the_files_are_equal(line, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    status, _, err = run(capsys, *split(line))
    assert status == 0, err
    (out,) = (folder / name for name in split(line) if name.startswith("out."))
    written = taken(out)
    FILES[line]()
    assert taken(out) == written


def test_the_schema_is_equal(capsys):
    assert json.loads(run(capsys, "schema")[1]) == js.schema()
    assert json.loads(run(capsys, "schema", "--experiments")[1]) == js.schema(experiments=True)


def test_the_plan_of_an_experiment_is_equal(capsys, tmp_path):
    """That runs leave the same records is shown where experiments are tested."""
    plan = js.compare("smoke", tmp_path, dry_run=True)
    assert run(capsys, "compare", "smoke", "-o", str(tmp_path), "--dry-run")[1] == f"{plan.summary()}\n"
