"""The directive `command-line`: a section for each command, from the parser of the command line itself."""

import argparse
from importlib import import_module

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from jigsat.cli.main import build_parser


class CommandLine(Directive):
    """A section for each command: its usage, what it does, and its options by groups."""

    def run(self) -> list[nodes.Node]:
        return [section_of(parser) for parser in subparsers(build_parser())]


def subparsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """The parsers below a parser, each with its options."""
    found = [p for a in parser._actions if isinstance(a, argparse._SubParsersAction) for p in a.choices.values()]
    distinct = list(dict.fromkeys(found))  # a command of two names has one parser
    for below in distinct:
        module = getattr(below, "loads", None)
        if module is not None:
            below.loads = None  # type: ignore[attr-defined]
            import_module(f"jigsat.cli.{module}").add_options(below)
    return distinct


def section_of(parser: argparse.ArgumentParser) -> nodes.section:
    """What the help of a command says, and below it that of its own commands."""
    section = nodes.section(ids=[nodes.make_id(parser.prog)], names=[parser.prog])
    section += nodes.title(parser.prog, parser.prog)
    section += text(parser.description or "")
    section += nodes.literal_block("", parser.format_usage().removeprefix("usage: ").rstrip(), language="text")
    formatter = parser._get_formatter()
    for group in parser._action_groups:
        actions = [
            action
            for action in group._group_actions
            if action.help != argparse.SUPPRESS and not isinstance(action, argparse._SubParsersAction)
        ]
        if actions:
            section += nodes.rubric("", (group.title or "").capitalize())
            section += text(group.description or "")
            section += nodes.definition_list("", *(item_of(action, formatter) for action in actions))
    if parser.epilog:
        section += nodes.literal_block("", parser.epilog, language="text")
    section += [section_of(below) for below in subparsers(parser)]
    return section


def item_of(action: argparse.Action, formatter: argparse.HelpFormatter) -> nodes.definition_list_item:
    """An option or argument, and its help."""
    said = formatter._expand_help(action) if action.help else ""
    term = nodes.term("", "", nodes.literal("", formatter._format_action_invocation(action)))
    return nodes.definition_list_item("", term, nodes.definition("", *text(said)))


def text(said: str) -> list[nodes.Node]:
    """A paragraph for each paragraph."""
    return [nodes.paragraph("", part) for part in said.split("\n\n") if part.strip()]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
