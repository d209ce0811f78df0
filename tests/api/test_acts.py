"""The command and the Python that the studio shows do what its click did."""

import inspect
import shlex

import pytest

import jigsat as js
from jigsat.api.public import Act
from jigsat.cli.main import build_parser

ACTS = [
    (Act("count", ("my puzzle.json",), {"time_limit": 60, "symmetry": False}),
     "jigsat count 'my puzzle.json' --time-limit 60 --no-symmetry"),
    (Act("best", ("clue1",), {"start": "board.json", "output": "best.json"}),
     "jigsat solve clue1 --best --from board.json -o best.json"),
    (Act("solve", ("it's.json",), {"all": True, "threads": 1}), "jigsat solve 'it'\"'\"'s.json' --all"),
    (Act("explain", ("clue1",), {"goal": "count", "threads": 2}), "jigsat plan clue1 --goal count --threads 2"),
    (Act("view", ("clue1",), {"play": True, "output": "clue1.html"}), "jigsat play clue1 -o clue1.html"),
    (Act("draw_print", ("perfect-5x5",), {"kerf": 0.2, "fit": -0.05, "sheets": ["print", "cut"], "output": "a.pdf"}),
     "jigsat cut perfect-5x5 --kerf 0.2 --fit=-0.05 --sheets print,cut -o a.pdf"),
    (Act("make_edge_matching", (), {"rows": 4, "columns": 4, "colors": 3, "turn": False, "rim": "any"}),
     "jigsat make edge-matching --rows 4 --columns 4 --colors 3 --no-turn --rim any"),
    (Act("make_photo_jigsaw", ("a.png", "b.png"), {"output": "two", "rows": 6, "columns": 8, "crop_a": "50%,30%"}),
     "jigsat make photo-jigsaw a.png b.png -o two --rows 6 --columns 8 --crop-a 50%,30%"),
    (Act("make_dissection", ("cat.svg",), {"output": "cat.json"}), "jigsat make dissection cat.svg -o cat.json"),
    (Act("compare", (["clue1", "clue3"],), {"output": "table", "engines": ["backtrack", "cpsat"], "repetitions": 3}),
     "jigsat compare clue1 clue3 -o table --engines backtrack,cpsat --repetitions 3"),
]  # fmt: skip


@pytest.mark.parametrize(("act", "command"), ACTS, ids=[command for _, command in ACTS])
def test_the_command_is_what_one_would_type(act, command):
    assert act.command == command
    arguments = build_parser().parse_args(shlex.split(command)[1:])
    parameters = dict(zip(inspect.signature(act.function).parameters, act.given, strict=False))
    # The command play is the function view with `play`.
    for name, value in {**parameters, **act.said, "play": None}.items():
        given = getattr(arguments, "instance" if name == "puzzle" else name, None)
        assert given == value or given in (",".join(map(str, value)) if isinstance(value, list) else str(value),)


@pytest.mark.parametrize("act", [act for act, _ in ACTS], ids=[act.name for act, _ in ACTS])
def test_the_python_is_the_call(act):
    seen = []

    class Jigsat:
        def __getattr__(self, name):
            assert getattr(js, name) == act.function
            return lambda *given, **options: seen.append((given, options))

    lines = act.python.splitlines()
    assert lines[0] == "import jigsat as js"
    exec("\n".join(lines[1:]), {"js": Jigsat(), "print": lambda found: None})
    assert seen == [(act.given, act.said)]
    assert ("print(found)" in act.python) is ("output" not in act.said)
