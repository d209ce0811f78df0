"""The parser: options in groups, a short and a full help with examples, and suggestions for misspelt names."""

import argparse
import copy
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..csp.base.errors import escaped, misspelt, shortened
from .terminal import bold, width

FAILED, BAD_INPUT = 1, 2
#: Where the help of an option begins.
_HELP_COLUMN = 28
# What other programs call some options.
_ELSEWHERE = {"--timeout": "--time-limit", "--cores": "--threads", "--jobs": "--threads", "--workers": "--threads"}
# Options whose values are lists.
_LISTS = ("--engines", "--encodings", "--orders", "--seeds")
# Many options end in -limit.
_LEAST_LIKENESS = 0.75
# A message lists this many choices; the help has longer lists.
_MOST_CHOICES = 10


class Parser(argparse.ArgumentParser):
    """A parser of one command.

    The options are in groups.  ``--help`` shows the first paragraph of the description, the usual options and the first
    sentence of what each does; ``--help-all`` shows everything.  The options are added when the command is first
    needed, by the function `fill`.

    Attributes:
    - `what`, `how`, `limits`, `output`: the groups of options: what the command is about, how it works, what ends it,
      and what it writes.
    - `examples`: command lines that the help shows.
    - `rare`: the names of the options that only ``--help-all`` shows.
    - `sections`: the commands that the help shows, by the titles of their groups.
    - `fill`: what adds the options of the command, while they are missing.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, add_help=False, formatter_class=_Formatter, **named)
        self.what, self.how, self.limits, self.output = map(
            self.add_argument_group, ("what", "how", "limits", "output")
        )
        # What begins like a negative number is no option, also in the spelling -0,05mm.
        self._negative_number_matcher = re.compile(r"-[0-9.,]*[0-9][0-9.,]*\s*[a-z]*$")
        self.examples: Sequence[str] = ()
        self.rare: frozenset[str] = frozenset()
        self.sections: dict[str, list[argparse.Action]] = {}
        self.fill: Callable[[Parser], object] | None = None
        helps = self.add_argument_group("help")
        helps.add_argument("-h", "--help", action=_Help, nargs=0, help="show the usual options")
        helps.add_argument("--help-all", action=_Help, nargs=0, help="show all options and all details")

    def load(self) -> "Parser":
        """Add the options of the command, unless that is done already."""
        if self.fill is not None:
            fill, self.fill = self.fill, None
            fill(self)
        return self

    def parse_known_args(self, *given: Any, **named: Any) -> Any:
        """Parse as the base class does; an unknown argument of a command is an error at once, with a suggestion."""
        self.load()
        parsed, unknown = super().parse_known_args(*given, **named)
        if unknown:
            self.error(self._unknown(unknown[0], given[0] if given else ()))
        return parsed, unknown

    def add_subparsers(self, **named: Any) -> Any:
        """Add commands, or with a title a group of them, which stands before the options."""
        made = super().add_subparsers(**named)
        if "title" in named:
            self._action_groups.insert(0, self._action_groups.pop())
        return made

    def _unknown(self, argument: str, given: Sequence[str] | None) -> str:
        if not argument.startswith("-"):
            # The option before it has taken one value.
            option = next(iter([*(given or ())][: (given or [argument]).index(argument)][-2:]), None)
            if option in _LISTS and option in self._option_string_actions:
                return f"unexpected argument {shortened(argument)!r}; separate {option.strip('-')} by commas"
            return (
                f"unexpected argument {shortened(argument)!r}; positional arguments stand together, before the options"
            )
        option = argument.partition("=")[0]
        here = _ELSEWHERE.get(option)
        if here in self._option_string_actions:
            return f"unknown option {option!r} (did you mean {here!r}?)"
        return f"unknown option {misspelt(option, self._option_string_actions, _LEAST_LIKENESS)}"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            choose = f", choose from {', '.join(known)}" if len(known) <= _MOST_CHOICES else ""
            what = "" if action.option_strings else f"{action.metavar or action.dest} ".lower()
            raise argparse.ArgumentError(
                action if action.option_strings else None, f"unknown {what}{misspelt(str(value), known)}{choose}"
            )

    def error(self, message: str):
        """End the process with one line that says what is wrong."""
        why = escaped(shortened(message.removeprefix("argument ").replace("with argument ", "with "), 300))
        self.exit(BAD_INPUT, f"{self.prog}: {why} (see {self.prog} --help)\n")

    def format_usage(self) -> str:
        """The usage: the arguments that must be given, and that there are options."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage or self._short_usage(), [], [])
        return formatter.format_help()

    def format_help(self, *, full: bool = False) -> str:
        """The help; `full` is what ``--help-all`` shows."""
        self.load()
        formatter = self._get_formatter()
        formatter.add_usage(self.usage or self._short_usage(), [], [])
        paragraphs = (self.description or "").split("\n\n")
        for paragraph in paragraphs if full else paragraphs[:1]:
            formatter.add_text(paragraph)
        groups = {group.title: list(self._shown(group._group_actions, full=full)) for group in self._action_groups}
        for title, actions in {**self.sections, **groups}.items():
            formatter.start_section(title)
            formatter.add_arguments(actions)
            formatter.end_section()
        ends = [self.epilog] if self.epilog else []
        if self.examples:
            ends.append("\n".join([f"{bold('examples')}:", *(f"  {line}" for line in self.examples)]))
        return "\n".join([formatter.format_help(), *(f"{end.rstrip()}\n" for end in ends)])

    def _shown(self, actions: Iterable[argparse.Action], *, full: bool) -> Iterator[argparse.Action]:
        """The options that the help shows, with what it says of them."""
        for action in sorted(actions, key=lambda action: bool(action.option_strings)):
            if self.sections and isinstance(action, argparse._SubParsersAction):
                continue
            if full:
                yield action
            elif action.dest not in self.rare:
                shown = copy.copy(action)
                shown.help = action.help and action.help.partition(". ")[0]
                yield shown

    def _short_usage(self) -> str:
        """The arguments that must be given, and that there are options."""
        optional: list[str] = []
        named: list[str] = []
        for action in self._actions:
            metavar = str(action.metavar or action.dest)
            if not action.option_strings:
                optional.append(f"[{metavar}]" if action.nargs == "?" else metavar)
            elif action.required:
                named.append(f"{action.option_strings[0]} {metavar}")
        return " ".join(["%(prog)s", *optional, *named, "[options]"])


class _Formatter(argparse.HelpFormatter):
    """Lays out help with room for the names of options."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=_HELP_COLUMN, width=width(80) - 2)

    def start_section(self, heading: str | None) -> None:
        super().start_section(bold(heading or ""))


class _Help(argparse.Action):
    """Prints the help and ends the process."""

    def __call__(self, parser, namespace, values, option_string=None):
        assert isinstance(parser, Parser)
        print(parser.format_help(full=self.dest == "help_all"), end="")
        parser.exit()
