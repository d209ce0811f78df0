"""The parser: its groups, its short and its full help, the examples, and suggestions."""

import re
from shlex import split

import pytest

from command_line import run
from jigsat.cli.commands import COMMANDS, GROUPS
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
