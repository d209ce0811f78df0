"""Public functions spell out every option: in their signatures, in their docstrings, for completion and for pyright."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest
from IPython.core.completer import IPCompleter, provisionalcompleter

import jigsat as js
from jigsat.api.public import documented
from jigsat.csp.engines.request import OPTIONS

ROOT = Path(__file__).parents[2]
SEARCHES = (js.solve, js.count, js.best, js.solutions, js.plan, js.explain, js.race, js.estimate)
#: All functions but those whose parameters are said to be those of another one.
PUBLIC = [
    found
    for name in js.__all__
    if inspect.isfunction(found := getattr(js, name)) and "arameters and errors as for" not in inspect.getdoc(found)
]
PROGRAM = """
import jigsat as js

counted = js.count("clue1", method="frames", threads=2, time_limit=60.0)
number: int | None = counted.count
solved = js.solve("clue3", engine="backtrack", order="rowscan", seed=None)
for board in solved.solutions:
    js.draw("clue3", board, legend=True).save("board.svg")
for one in js.solutions("puzzle-a", limit=3):
    print(js.check("puzzle-a", one).holds)
print(js.best("puzzle-a", engine="beam", width=20).best_score, js.explain("clue1", "count").summary())
made = js.make_jigsaw(5, 5, seed=1)
js.save(made, "made.json")
print(js.certify(made, 2, proof="made.drat").proved, js.estimate("clue1", rate=1e6).record())
"""


@pytest.mark.parametrize("function", SEARCHES, ids=lambda function: function.__name__)
def test_options_have_the_names_and_defaults_of_the_table(function):
    parameters = inspect.signature(function).parameters
    options = parameters.keys() & OPTIONS.keys()
    assert options >= {"order", "slips", "seed"} or function is js.count
    for name in options:
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        # Probes always have a seed; a search has one on request.
        default = 0 if (function, name) == (js.estimate, "seed") else OPTIONS[name].default
        assert parameters[name].default == default, name


def test_some_function_has_each_option():
    assert OPTIONS.keys() <= {name for function in SEARCHES for name in inspect.signature(function).parameters}


@pytest.mark.parametrize("function", PUBLIC, ids=lambda function: function.__name__)
def test_every_parameter_has_a_text(function):
    described = documented(function)
    for name in inspect.signature(function).parameters:
        assert described[name], name


@pytest.mark.parametrize("function", SEARCHES, ids=lambda function: function.__name__)
def test_completion_offers_every_option(function):
    text = f"js.{function.__name__}("
    with provisionalcompleter():
        found = {one.text.rstrip("=") for one in IPCompleter(namespace={"js": js}).completions(text, len(text))}
    assert inspect.signature(function).parameters.keys() - {"puzzle"} <= found


@pytest.mark.parametrize("function", SEARCHES, ids=lambda function: function.__name__)
def test_a_misspelt_option_gets_a_suggestion(function):
    given = ("clue1", "folder") if function is js.race else ("clue1",)
    with pytest.raises(js.UsageError, match=r"has no option 'ordr' \(did you mean 'order'\?\)"):
        function(*given, ordr="rowscan")


def test_a_program_of_a_user_has_no_errors_in_strict_pyright(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "lib").mkdir()
    # Pyright does not follow the hooks of an editable installation.
    (tmp_path / "lib" / "jigsat").symlink_to(ROOT)
    about = {"typeCheckingMode": "strict", "extraPaths": ["lib"], "include": ["program.py"]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(about))
    command = [sys.executable, "-m", "pyright", "--outputjson"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    assert (found["generalDiagnostics"], found["summary"]["filesAnalyzed"]) == ([], 1)
