"""The blocks of code on the pages of the documentation, and what they must do.

A page is Markdown.  Its ```python blocks run in order in one namespace; a ```text block right below one is its output.
Its ```console blocks hold commands after `$ `, each with its output; a line `...` stands for any lines, and `...` in a
line for anything.  Its ```json blocks are files of jigsat: puzzles, solutions, experiments.

A line `% slow` or `% not run` above a block says that the quick tests, or all tests, only parse it.  The README, where
such a line would be shown, has `<!-- slow -->` instead.
"""

import json
import re
import shlex
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from jigsat.cli.main import build_parser, main
from jigsat.csp.files.instances import parse_instance
from jigsat.estimators.experiments.files import load_experiment

#: What differs from machine to machine and from version to version: times, rates, sizes in memory, versions.
VARYING = re.compile(
    r"\d[\d.]*(?:e[+-]?\d+)? ?(?:(?:ms|s|min|h|d|y|[KMG]iB|[kMG]B|seconds?|minutes?|hours?|days?|years?)\b(?!\()"
    r"|(?:(?:thousand|million|billion) )?a second)"
    r"|\b(?:dratify|drat-trim|jigsat) \d[\w.]*"
)
_ABOUT_FILES = re.compile(r"^(?:Wrote|Next:) .*\n", re.MULTILINE)
BLOCK = re.compile(
    r"^(?:(?:% |<!-- )(?P<when>slow|not run)(?: -->)?\n)?^```(?P<language>python|console|json)\n(?P<code>.*?)^```$"
    r"(?:\n\s*^```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A block of code: its language, its lines, whether it is slow or not run, the output below it, and its line."""

    language: str
    code: str
    when: str | None
    output: str | None
    line: int


def blocks_of(page: str) -> list[Block]:
    return [
        Block(found["language"], found["code"], found["when"], found["output"], page.count("\n", 0, found.start()) + 1)
        for found in BLOCK.finditer(page)
    ]


def commands_of(code: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, and the output below each."""
    for part in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, _, output = part.replace("\\\n", " ").partition("\n")
        yield command, output


def parse_block(block: Block) -> None:
    """Fails if a block could not even begin to run."""
    if block.language == "python":
        compile(block.code, f"line {block.line}", "exec")
    elif block.language == "json":
        parse_file(block.code)
    else:
        for command, _ in commands_of(block.code):
            if command.startswith("jigsat "):
                build_parser().parse_args(shlex.split(command)[1:])


def parse_file(text: str) -> None:
    """Fails if the text is no puzzle or experiment; of other formats, if it is no JSON."""
    match json.loads(text)["format"].partition("/")[0]:
        case "jigsat":
            parse_instance(text)
        case "jigsat-experiment":
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                file.write(text)
                file.flush()
                load_experiment(file.name)


def run_block(block: Block, names: dict[str, object], capsys) -> None:
    capsys.readouterr()
    if block.language == "python":
        exec(compile(block.code, f"line {block.line}", "exec"), names)
        if block.output is not None:
            assert_shown(block.output, capsys.readouterr().out)
    elif block.language == "console":
        for command, output in commands_of(block.code):
            run_command(command, output, capsys)
    else:
        parse_block(block)


def run_command(command: str, output: str, capsys) -> None:
    """Run a command; it must print the output, or succeed where none is shown."""
    program, *arguments = shlex.split(command)
    assert program == "jigsat", f"only jigsat is run: {command}"
    try:
        status = main(arguments)
    except SystemExit as ended:  # help, and options that there are not
        status = ended.code
    printed, said = capsys.readouterr()
    if output.strip():
        assert_shown(output, printed or said)
    else:
        assert status == 0, f"{command}: {said}"


def assert_shown(shown: str, printed: str) -> None:
    """Fails unless what is shown is what was printed, but for what varies.

    The ways that a plan compared are among this: a slower machine compares more of them.  Lines about the files that
    were written may be left out, all of them.
    """
    if not _ABOUT_FILES.search(shown):
        printed = _ABOUT_FILES.sub("", printed)
    shown, printed = (re.sub(r"^  chosen  .*\n", "", text, flags=re.MULTILINE) for text in (shown, printed))
    assert re.fullmatch(pattern_of(shown), masked(printed)), f"shown:\n{masked(shown)}\nprinted:\n{masked(printed)}"


def pattern_of(shown: str) -> str:
    """A regular expression for what is shown: `...` stands for anything in a line, and a line of it for any lines."""
    return "".join(
        r"(?:.*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in masked(shown).splitlines()
    )


def masked(text: str) -> str:
    """The text without what varies, without the widths of columns, and without empty lines."""
    lines = (" ".join(VARYING.sub("#", line).split()) for line in text.splitlines())
    return "".join(line + "\n" for line in lines if line)
