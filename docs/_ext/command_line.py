"""The directive `command-line`: a section for each command, from the parser of the command line itself."""

import argparse
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from jigsat.cli.commands import COMMANDS
from jigsat.cli.main import build_parser


class CommandLine(Directive):
    """A section for each command: what it does, its usage, its options by groups, and examples."""

    def run(self) -> list[nodes.Node]:
        for command in COMMANDS:
            # A command gets its options when it is first used.
            with suppress(SystemExit), redirect_stdout(StringIO()):
                build_parser().parse_args([command, "--help"])
        return [section_of(parser) for parser in subparsers(build_parser())]


def subparsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers of the commands of a parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.values()


def section_of(parser: argparse.ArgumentParser) -> nodes.section:
    """All that the help of a command says; below it, sections for its own commands."""
    section = nodes.section(ids=[nodes.make_id(parser.prog)], names=[parser.prog])
    section += nodes.title(parser.prog, parser.prog)
    section += paragraphs(parser.description)
    section += nodes.literal_block("", usage_of(parser), language="text")
    formatter = parser._get_formatter()
    for group in parser._action_groups:
        actions = [
            action
            for action in group._group_actions
            if action.help != argparse.SUPPRESS and not isinstance(action, argparse._SubParsersAction)
        ]
        if actions:
            section += nodes.rubric("", (group.title or "").capitalize())
            section += paragraphs(group.description)
            section += nodes.definition_list("", *(item_of(action, formatter) for action in actions))
    section += paragraphs(parser.epilog)
    examples = "\n".join(f"$ {line}" for line in getattr(parser, "examples", ()))
    if examples:
        section += [nodes.rubric("", "Examples"), nodes.literal_block("", examples, language="console")]
    section += [section_of(below) for below in subparsers(parser)]
    return section


def usage_of(parser: argparse.ArgumentParser) -> str:
    """The usage, without the word."""
    return parser.format_usage().removeprefix("usage: ").replace("\n" + len("usage: ") * " ", "\n").rstrip()


def item_of(action: argparse.Action, formatter: argparse.HelpFormatter) -> nodes.definition_list_item:
    """An option or argument, and its help."""
    about = formatter._expand_help(action) if action.help else ""
    term = nodes.term("", "", nodes.literal("", formatter._format_action_invocation(action)))
    return nodes.definition_list_item("", term, nodes.definition("", *paragraphs(about)))


def paragraphs(text: str | None) -> list[nodes.paragraph]:
    """Paragraphs, with code between backticks."""
    return [nodes.paragraph("", "", *inline(paragraph)) for paragraph in (text or "").split("\n\n") if paragraph]


def inline(text: str) -> Iterator[nodes.Node]:
    """Text and code by turns, as backticks part them."""
    for number, part in enumerate(text.split("`")):
        yield nodes.literal("", part) if number % 2 else nodes.Text(part)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
