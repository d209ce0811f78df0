"""Reads which options a program of exact cover has chosen, or which values a solver of XCSP3 has found."""

import re
from collections.abc import Iterable

from ...csp.base.errors import InstanceError, shortened

_COLOR_OF_TERMINAL = re.compile("\x1b\\[[0-9;]*m")
_STATUS = re.compile(r"s (SATISFIABLE|OPTIMUM FOUND|UNSATISFIABLE|UNKNOWN|UNSUPPORTED)\s*$")
# ACE and others write a value that is repeated as 0x9.
_VALUE = re.compile(r"(-?[0-9]{1,9})(?:x([0-9]{1,9}))?")


def chosen_options(lines: Iterable[str], label: str) -> tuple[str, set[int] | None]:
    """The options on the first line that has nothing but numbers; without one, there is no solution.

    Raises InstanceError if lines of another form come before it.
    """
    for number, line in enumerate(lines, start=1):
        if re.fullmatch(r"[0-9 ]*[0-9][0-9 ]*", line.strip()):
            return "SATISFIABLE", set(map(int, line.split()))
        if line.strip() and not re.match(r"Found 0|[A-Za-z/].*:|UNSAT", line.strip()):
            what = f"{shortened(line.strip())!r} is not a list of the numbers of options"
            raise InstanceError(f"{label}: line {number}: {what}, as `miniexact -c FILE` prints it")
    return "UNSATISFIABLE", None


def chosen_values(lines: Iterable[str], label: str, most: int) -> tuple[str, set[int] | None]:
    """The first `most` values of the last solution in the form of XCSP3.

    Raises InstanceError if there is neither a solution nor an s line, or something else is among the values.
    """
    status, text = None, []
    for line in lines:
        line = _COLOR_OF_TERMINAL.sub("", line).strip()
        if found := _STATUS.match(line):
            status = found[1]
        text.append(line.removeprefix("v").strip())
    solutions = re.findall(r"<values>([^<]*)</values>", " ".join(text))
    if not solutions:
        if status in ("UNSATISFIABLE", "UNKNOWN"):
            return status, None
        raise InstanceError(f"{label}: contains neither <values> nor an s line, as solvers of XCSP3 print them")
    values: list[int] = []
    for word in solutions[-1].split():
        if len(values) >= most:
            break
        value = _VALUE.fullmatch(word)
        if value is None:
            raise InstanceError(f"{label}: {shortened(word)!r} among the values is not a number")
        values += [int(value[1])] * min(int(value[2] or 1), most)
    return status or "SATISFIABLE", set(values[:most])
