"""The parser: its groups, its short and its full help, the examples, values of options, and completion."""

import argparse
import re
import shutil
import subprocess
from shlex import split

import pytest

from command_line import run
from jigsat.cli.commands import COMMANDS, GROUPS
from jigsat.cli.from_functions import seconds, whole
from jigsat.cli.main import complete_parser

KINDS = ("make jigsaw", "make edge-matching")
#: The lines of options that a short help has at most, on a terminal of 80 columns.
MOST_LINES = 25


def parser_of(command):
    parser = complete_parser()
    for word in split(command):
        (commands,) = (action for action in parser._actions if action.dest in ("command", "kind"))
        parser = commands.choices[word]
    return parser


def option_lines(text):
    """The lines of a help below the titles of groups."""
    groups = re.split(r"^(?:examples|files in FOLDER):$", text, flags=re.M)[0].split("\n\n")
    return [line for group in groups if re.match(r"\w[\w ]*:\n", group) for line in group.splitlines()[1:]]


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_every_command_has_a_module_and_a_parser():
    assert all(parser_of(command).description for command in (*COMMANDS, *KINDS))


@pytest.mark.parametrize("command", [*COMMANDS, *KINDS])
def test_the_short_help_is_short_and_the_full_help_has_everything(command):
    parser = parser_of(command)
    short, full = option_lines(parser.format_help()), option_lines(parser.format_help(full=True))
    assert 2 <= len(short) <= MOST_LINES
    text = "\n".join(full)
    for action in parser._actions:
        for name in action.option_strings or [action.metavar]:
            assert re.search(rf"(^|[ ,]){re.escape(name)}\b", text, re.M), name
    assert all(action.help for action in parser._actions)


def test_alone_it_shows_the_help_with_each_command_in_one_group(capsys):
    shown = run(capsys)
    assert shown == run(capsys, "--help")
    commands = [name for names in GROUPS.values() for name in names.split()]
    assert sorted(commands) == sorted(COMMANDS)
    assert re.findall(r"^  ([a-z][a-z-]*) ", shown[1], re.M) == commands


def test_the_groups_of_options():
    titles = re.findall(r"^([\w ]+):$", parser_of("solve").format_help(full=True), re.M)
    assert titles == ["what", "how", "limits", "output", "help", "examples"]


def test_only_the_full_help_has_rare_options_and_details(capsys):
    short, full = run(capsys, "solve", "--help")[1], run(capsys, "solve", "--help-all")[1]
    assert "--encoding" not in short
    assert "--encoding" in full
    assert "spiral_in" not in short
    assert "spiral_in" in full
    assert re.search(r"--order O +search order: a name such as rowscan or best, or a\n +file of square names\n", short)


@pytest.mark.parametrize("command", [*COMMANDS, *KINDS])
def test_the_examples_can_be_parsed(command):
    examples = parser_of(command).examples
    assert examples
    for line in examples:
        program, *arguments = split(line)
        assert program == "jigsat"
        parsed = complete_parser().parse_args(arguments)
        assert callable(parsed.run)
        # An example of `make` may be of either kind.
        assert f"{' '.join(arguments)} ".startswith(f"{command} ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90", 90), ("0", 0), ("1.5", 1.5), ("1e3", 1000), ("90s", 90), ("1m30s", 90), ("1M", 60), ("2h", 7200),
        ("1h0.5m", 3630), ("1d", 86400), ("1d2h3m4s", 93784), (" 5 ", 5),
    ],
)  # fmt: skip
def test_durations(text, expected):
    assert seconds(text) == expected


@pytest.mark.parametrize(
    "text", ["", " ", "-1", "-1m", "nan", "inf", "1e999", "soon", "30s1m", "1m1m", "m", "1h30", "2w"]
)
def test_what_is_not_a_duration(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a time; give seconds, or a time such as 1m30s or 2h"):
        seconds(text)


def test_whole_numbers():
    assert [whole(text) for text in ("0", "12", "1e9", "2.0")] == [0, 12, 10**9, 2]


def completed(script, *words):
    """What bash offers for the last of these words."""
    ask = f'COMP_WORDS=({" ".join(words)} ""); COMP_CWORD={len(words)}; _shtab_jigsat; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_puzzles_and_engines(capsys, here):
    (here / "mine.json").touch()
    status, script, err = run(capsys, "--print-completion", "bash")
    assert (status, err) == (0, "")
    assert {"count", "warm-up", "cut"} <= completed(script, "jigsat")
    assert {"clue1", "ostomachion", "mine.json"} <= completed(script, "jigsat", "count")
    assert {"backtrack", "sat", "dive"} <= completed(script, "jigsat", "count", "clue1", "--engine")
