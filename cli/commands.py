"""The commands: what each is for, and how one that is only its function gets its options and runs."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

from .parser import Parser


class Command(NamedTuple):
    """A command, and what the command line adds to its function.

    Those that are more than their function, in `fill`, have a line for the help only.
    """

    #: Its line in the list of commands.
    line: str
    #: Command lines that the help shows.
    examples: tuple[str, ...] = ()
    #: The parameters that are arguments without an option, apart from the puzzle.
    positional: tuple[str, ...] = ()
    #: The parameters that the command does not have.
    without: tuple[str, ...] = ()
    #: Options that only the full help shows, apart from those that are rare everywhere.
    rare: tuple[str, ...] = ()
    #: Whether a dissection may differ from its file.
    variants: bool = True
    #: The progress that is shown if the function reports any: ``note``, ``part``, ``search`` or ``endless``.
    bar: str = "note"
    #: What is given to the function in any case.
    given: Mapping[str, Any] = {}
    #: Another text of what the command does.
    about: str | None = None
    #: Whether the result is printed.
    prints: bool = True
    #: A line about the result on standard error, if any.
    notes: Callable[[Any], str | None] = lambda found: None
    #: The ending of the file that it writes in any case.
    writes: str = ""
    #: What the name of the file says in any case if none is given, after the puzzle's; and what else it says.
    word: str = ""
    words: Callable[[argparse.Namespace], Iterable[str]] = lambda arguments: ()
    #: Whether the output is a folder.
    folder: bool = False


def _omitted(page: Any) -> str | None:
    """What a page omits."""
    from ..csp.base.errors import grouped

    if page.shown == page.total:
        return None
    numbers = f"the page includes the first {grouped(page.shown)} of {grouped(page.total)} solutions"
    return f"jigsat: {numbers}; --limit N changes this"


def _interrupted(found: Any) -> str | None:
    return "interrupted; repeat the command to go on" if found.ended_by == "interrupt" else None


def _drawn(arguments: argparse.Namespace) -> Iterable[str]:
    """What the name of a picture says of it."""
    asked = {"pieces": arguments.pieces, "order": arguments.order, "all": arguments.all, "days": arguments.all_days}
    yield from (word for word, value in asked.items() if value)
    if arguments.number is not None:
        yield f"solution-{arguments.number}"


_VIEW = (
    "play", "image", "crop", "crop_at", "curves", "seed", "word", "hide_solution", "name", "motions", "second_board",
)  # fmt: skip
_PLAY = ("play", "word", "order", "slips", "frame_slips", "actual", "symmetry", "time_limit", "depth_limit")
_FLAT = "the pieces lie on a table, and are dragged and turned"
COMMANDS = {
    "solve": Command("find solutions, or the highest score"),
    "improve": Command(
        "improve a board window by window",
        ("jigsat improve eternity2 board.json -o better.json --time-limit 10m",
         "jigsat improve eternity2 LINK -o better.url --window 14"),
        ("board",), variants=False, bar="endless",
    ),
    "count": Command("count all solutions"),
    "race": Command(
        "search for the best score for days",
        ("jigsat race eternity2 -o race --threads all", "jigsat race -o race --time-limit 8h",
         "jigsat race -o race --report"),
        variants=False, rare=("order", "slips", "trials"), folder=True, notes=_interrupted,
        word="race",
    ),
    "plan": Command("compare the predicted time of all ways to a goal"),
    "estimate": Command("predict solutions, nodes and time"),
    "certify": Command("prove that a puzzle has exactly K solutions"),
    "check": Command(
        "check solutions",
        ("jigsat check perfect-5x5", "jigsat check puzzle-a solutions.json",
         "jigsat check eternity2 board.json --partial",
         "jigsat check puzzle-a answer.txt --cnf puzzle-a.cnf"),
        ("solution",),
    ),
    "make": Command("make a puzzle"),
    "info": Command("describe a puzzle"),
    "list": Command("list the bundled puzzles, or the engines"),
    "draw": Command(
        "draw a board, the pieces or a search order",
        ("jigsat draw clue1 --pieces -o pieces.svg", "jigsat draw puzzle-a solutions.json --number 3 -o board.png",
         "jigsat draw eternity2 --order spiral_in -o order.pdf"),
        ("solution",), prints=False, writes=".svg", words=_drawn,
        rare=("all_days", "time_limit", "numbers", "color"),
    ),
    "view": Command(
        "make a page to step through solutions",
        ("jigsat view puzzle-a solutions.json -o page.html", "jigsat view perfect-5x5 -o assemblies.html",
         "jigsat view puzzle-a solutions.json --order rowscan --actual --time-limit 30s -o page.html"),
        ("solutions",), _VIEW, bar="search", writes=".html",
        prints=False, notes=_omitted,
    ),
    "play": Command(
        "make a page to play a puzzle",
        ("jigsat play perfect-5x5 -o play.html", "jigsat play cup-and-ring --image artwork.png --seed 3 -o play.html",
         "jigsat play perfect-5x5 --hide-solution --name 'For Ada' -o gift.html",
         "jigsat play clue1 -o clue1.html", "jigsat play ostomachion -o ostomachion.html",
         "jigsat play tangram --motions any -o tangram.html"),
        ("solutions",), _PLAY, rare=("crop_at",), given={"play": True}, writes=".html", prints=False, notes=_omitted,
        word="play",
        about=f"Make a page to play a puzzle: {_FLAT}.\n\n"
        "The page recognizes every solution, and can show the jigsaw's assemblies, or the boards or tilings of "
        "SOLUTIONS.  Pieces turn, and turn over, as the puzzle allows.  For a puzzle with square pieces without "
        "solutions, a search of about a second looks for some, from which the page gives hints.  The page is a single "
        "file without external resources, and the browser keeps the progress.",
    ),
    "cut": Command(
        "draw cut sheets of a puzzle, true to scale",
        ("jigsat cut perfect-5x5 -o cut.svg", "jigsat cut cup-and-ring --image artwork.png --page a4 -o sheets.pdf",
         "jigsat cut perfect-5x5 --apart --kerf 0.2 --fit -0.05 --test-strip -o pieces.dxf",
         "jigsat cut cup-and-ring --image artwork.png --sheets print,cut -o sheets.pdf",
         "jigsat cut clue1 --page a4 -o clue1.pdf",
         "jigsat cut tangram --stretch 2:1 --size 200 --apart -o stretched.dxf"),
        ("solution",), writes=".svg", word="cut",
        rare=("curves", "bleed", "dpi", "margin", "outline", "name", "hide_solution", "test_strip", "crop",
              "crop_at", "fit", "number", "numbers", "sets"),
    ),
    "photo": Command(
        "render a jigsaw on a table",
        ("jigsat photo perfect-5x5 -o photo.png",
         "jigsat photo cup-and-ring --image artwork.png --number 2 --loose 6 -o photo.jpg",
         "jigsat photo jigsaw.json --second-board jigsaw-9x11.json -o photo.png"),
        ("solution",), variants=False, prints=False, writes=".png", word="photo",
    ),
    "pictures": Command("make artwork for a jigsaw that shows two pictures"),
    "forms": Command(
        "find the convex forms that pieces can tile",
        ("jigsat forms tangram --any-lengths", "jigsat forms ostomachion --vertices 4 -o forms.svg",
         "jigsat forms ostomachion --threads 2 -o forms.json --resume"),
    ),
    "graph": Command(
        "build the graph of a dissection's tilings",
        ("jigsat graph ostomachion -o graph.svg", "jigsat graph ostomachion -o graph.html",
         "jigsat graph ostomachion --moves convex --hamiltonian", "jigsat graph tangram -o graph.graphml"),
    ),
    "convert": Command("convert puzzles and boards between formats"),
    "export": Command(
        "write a model for other solvers",
        ("jigsat export puzzle-a", "jigsat export puzzle-a --best --to opb -o -"), writes=".cnf",
    ),
    "compare": Command(
        "compare engines on puzzles, or run an experiment",
        ("jigsat compare clue1 clue3 --engines backtrack,cpsat",
         "jigsat compare 'boards/*.json' --goal count --engines backtrack,sat:cadical195 --time-limit 30s",
         "jigsat compare boards --engines default --cheapest-first --budget 6h",
         "jigsat compare smoke --dry-run"),
        ("puzzles",), rare=("orders", "sample", "seeds", "repetitions", "encodings", "report_only", "jobs"), bar="part",
        folder=True, notes=_interrupted,
    ),
    "merge": Command(
        "join the books of processes that have shared the work",
        ("jigsat merge part-1.ledger part-2.ledger -o all.ledger", "jigsat merge race-1 race-2 -o race",
         "jigsat merge two-orders/part-*.book -o two-orders/records.book"),
        ("books",),
    ),
    "studio": Command(
        "open a page in the browser to work in",
        ("jigsat studio", "jigsat studio clue1", "jigsat studio my-puzzle.csv --folder my-puzzles --no-browser"),
        variants=False, prints=False,
    ),
    "schema": Command("print the JSON Schema of the files"),
    "warm-up": Command("compile all kernels now"),
}  # fmt: skip
#: The commands in the groups of the help.
GROUPS = {
    "to begin with": "list solve count play cut studio",
    "answers": "estimate plan certify check improve race",
    "puzzles": "make info convert export schema",
    "things to look at and to hold": "draw view photo pictures",
    "dissections": "forms graph",
    "experiments and long work": "compare merge warm-up",
}


def fill(name: str, parser: Parser) -> None:
    """Add the options of a command to its parser."""
    special = _special(name)
    if special is not None:
        special(parser)
        return
    import inspect

    from .files import add_open, default_help
    from .from_functions import describe, take
    from .options import RARE, add_instance, add_json, add_own_options, add_quiet

    function, command = _function(name), COMMANDS[name]
    parameters = inspect.signature(function).parameters
    if command.about is None:
        describe(parser, function, command.positional)
    else:
        parser.description = command.about
    parser.examples = command.examples
    if "puzzle" in parameters:
        add_instance(parser, variants=command.variants, without=parameters)
    take(
        parser,
        function,
        without=command.without,
        positional=command.positional,
        optional=("output",) if command.writes else (),
    )
    if "engine_options" in parameters:
        add_own_options(parser)
    if "report" in parameters or command.writes:
        add_quiet(parser)
    if "output" in parameters and name not in ("export", "improve", "merge"):
        add_open(parser)
    if command.prints:
        add_json(parser, record=name != "cut")
    for action in parser._actions:
        if action.dest == "output" and command.folder:
            action.metavar = "FOLDER"
        if action.dest == "output" and command.writes:
            word = f"-{command.word}" if command.word else ""
            action.help = default_help(action.help or "", f"NAME{word}{command.writes}")
        if action.dest == "instance" and parameters["puzzle"].default is None:
            action.nargs, action.required = "?", False
    parser.rare = (RARE - {"pieces"} if "pieces" in parameters else RARE).union(command.rare)
    lists = {"lists_files": name in ("cut", "compare", "race"), "lists_steps": name in ("compare", "race")}
    parser.set_defaults(run=partial(_run, function, command, parameters), **lists)


def _run(
    function: Callable[..., Any], command: Command, parameters: Mapping[str, Any], arguments: argparse.Namespace
) -> int:
    """Run the function of a command, which has these parameters; returns the exit status."""
    from .files import as_name, name_default
    from .options import given_own_options, puzzle_or_name, refuse_files, refuse_json_beside
    from .progress import bar_of
    from .wording import print_found, status_of

    given = {name: getattr(arguments, name) for name in parameters if hasattr(arguments, name)}
    given |= dict(command.given)
    refuse_files({**given, "target": getattr(arguments, "target", None)}, getattr(arguments, "instance", None))
    if "engine_options" in parameters:
        given["engine_options"] = given_own_options(arguments)
    if given.get("output", "") is None and (
        command.writes or (command.folder and "puzzle" in parameters and arguments.instance)
    ):
        about = (given.get("hide_solution") and as_name(given.get("name") or "puzzle")) or arguments.instance
        words = filter(None, (command.word, *command.words(arguments)))
        given["output"] = name_default(arguments, about, words, _ending(command, arguments), continued=command.folder)
    output = given.get("output")
    refuse_json_beside(output, arguments)
    if "puzzle" in parameters:
        given["puzzle"] = puzzle_or_name(arguments)
    with bar_of(command.bar, arguments) if "report" in parameters else nullcontext() as report:
        found = function(**given, **({"report": report} if "report" in parameters else {}))
    if command.prints:
        print_found(found, arguments, output)
    if note := command.notes(found):
        print(note, file=sys.stderr)
    return status_of(found)


def _ending(command: Command, arguments: argparse.Namespace) -> str:
    """The ending of a file without a name: the usual one, or that of the format that is asked for."""
    to = getattr(arguments, "to", None) or ("wcnf" if getattr(arguments, "best", False) else None)
    if to is None:
        return command.writes
    from ..models.squares.export import FORMATS

    return FORMATS[to][0]


def _function(name: str) -> Callable[..., Any]:
    """The public function of a command that is only its function; its module is imported here, when it is needed."""
    if name == "studio":
        from ..studio.server import studio

        return studio
    function = {"play": "view", "cut": "draw_print", "photo": "draw_photo"}.get(name, name)
    return getattr(sys.modules[__name__.partition(".")[0]], function)


def _special(name: str) -> Callable[[Parser], object] | None:
    """What adds the options of a command that is more than its function."""
    match name:
        case "solve":
            from .searches import add_solve as add
        case "count":
            from .searches import add_count as add
        case "plan":
            from .searches import add_plan as add
        case "certify":
            from .certify import add_options as add
        case "estimate":
            from .estimate import add_options as add
        case "make":
            from .make import add_options as add
        case "convert":
            from .convert import add_options as add
        case "info" | "schema":
            from .info import add_info, add_schema

            return add_info if name == "info" else add_schema
        case "list":
            from .list import add_options as add
        case "pictures":
            from .pictures import add_options as add
        case "warm-up":
            from .warm_up import add_options as add
        case _:
            return None
    return add
