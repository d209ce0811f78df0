"""Small solvers of exported texts that share no code with what wrote them: exact cover, XCSP3, and MiniZinc's data.

Each yields the comments that describe what is chosen (exact cover, XCSP3), or the values of arrays (MiniZinc).
"""

import ast
import re
from collections import Counter
from itertools import count
from xml.etree import ElementTree

from ortools.sat.python import cp_model

from cp_solutions import cp_solutions
from in_c import TooMuch

# The nodes of a search in plain Python that takes some ten seconds.
_MOST_NODES = 200_000


def covers(text):
    """All exact covers, as lists of numbers of options; plain recursion by the definition."""
    lines = [line for line in text.splitlines() if line and not line.startswith("|")]
    first, _, second = lines[0].partition("|")
    primary, secondary = first.split(), set(second.split())
    assert len({*primary, *secondary}) == len(primary) + len(secondary)
    options = []
    for line in lines[1:]:
        pairs = [item.partition(":")[::2] for item in line.split()]
        assert all(item in secondary or (item in primary and not color) for item, color in pairs)
        assert len(dict(pairs)) == len(pairs)
        options.append(pairs)
    owners = {item: [i for i, pairs in enumerate(options) if (item, "") in pairs] for item in primary}

    def fits(option, state):
        return all(item not in state or (color and state[item] == color) for item, color in options[option])

    def search(state, chosen):
        left = {item: [i for i in owners[item] if fits(i, state)] for item in primary if item not in state}
        if not left:
            yield [number + 1 for number in chosen]
            return
        for option in min(left.values(), key=len):
            yield from search({**state, **dict(options[option])}, [*chosen, option])

    return search({}, [])


def xcsp3_solutions(text):
    """All solutions of an instance of XCSP3 by CP-SAT, as dicts from arrays to values; and the objective's array."""
    root = ElementTree.fromstring(text)
    model, arrays = cp_model.CpModel(), {}
    for array in root.find("variables"):
        size = int(array.get("size").strip("[]"))
        domains = {one.get("for"): _values(one.text) for one in array}
        name = array.get("id")
        each = [domains[f"{name}[{i}]"] if domains else _values(array.text) for i in range(size)]
        arrays[name] = [model.new_int_var_from_domain(cp_model.Domain.from_values(v), "") for v in each]

    def variables(words):
        found = []
        for word in words.split():
            name, _, place = word.rstrip("]").partition("[")
            found += [arrays[name][int(place)]] if place else arrays[name]
        return found

    for constraint in root.find("constraints"):
        _state(model, constraint, variables)
    objective = root.find("objectives")
    return cp_solutions(
        model, lambda found: {name: [found.value(v) for v in values] for name, values in arrays.items()}
    ), None if objective is None else objective[0].text.strip()


def _state(model, constraint, variables):
    if constraint.tag == "allDifferent":
        model.add_all_different(variables(constraint.text))
        return
    if constraint.tag == "intension":
        first, second = re.fullmatch(r"ne\((\w+\[\d+\]),(\w+\[\d+\])\)", constraint.text.strip()).groups()
        model.add(variables(first)[0] != variables(second)[0])
        return
    parts = {part.tag: part.text for part in constraint}
    scope = variables(parts["list"])
    if constraint.tag == "extension":
        rows = [list(map(int, row.split(","))) for row in re.findall(r"\(([^)]*)\)", parts["supports"])]
        model.add_allowed_assignments(scope, rows)
    elif constraint.tag == "sum":
        sign, bound = re.fullmatch(r"\((eq|le),(\d+)\)", parts["condition"].strip()).groups()
        model.add(sum(scope) == int(bound) if sign == "eq" else sum(scope) <= int(bound))
    else:
        assert constraint.tag == "cardinality"
        for value, occurs in zip(parts["values"].split(), parts["occurs"].split(), strict=True):
            is_it = []
            for variable in scope:
                is_it.append(model.new_bool_var(""))
                model.add(variable == int(value)).only_enforce_if(is_it[-1])
                model.add(variable != int(value)).only_enforce_if(~is_it[-1])
            least, _, most = occurs.partition("..")
            model.add_linear_constraint(sum(is_it), int(least), int(most or least))


def _values(text):
    found = []
    for word in text.split():
        low, _, high = word.partition("..")
        found += range(int(low), int(high or low) + 1)
    return found


def meanings(text):
    """For each option or placement the piece, the square's name and the rotation that its comment names."""
    found = re.findall(r"(?:option|placement) (\d+) piece (\d+) on (\w+) turned (\d)", text)
    return {int(number): (int(piece) - 1, square, int(turned)) for number, piece, square, turned in found}


def minizinc_data(text):
    """The parameters of a model in MiniZinc; matrices as lists of rows."""
    found = {}
    for name, value in re.findall(
        r"^(?:array\[[^]]*\] of [\w ]+|int): (\w+) = (.*?);$", text, re.MULTILINE | re.DOTALL
    ):
        if value.startswith("[|"):
            rows = value.strip("[|]\n ").split("|")
            found[name] = [ast.literal_eval(f"[{row}]") for row in rows]
        else:
            found[name] = ast.literal_eval(value.replace("{}", "set()"))
    return found


def minizinc_boards(text):
    """All solutions of a board's model in MiniZinc by plain recursion, as lists of candidates from 1."""
    data = minizinc_data(text)
    bounds = [
        (set(map(int, members.split(","))), int(quota))
        for members, quota in re.findall(r"sum\(j in \{([\d,\s]*)\}\)\(invalid\[j\]\) <= (\d+);", text)
    ]
    kind, joins = data["kind"], list(zip(*(data[w] for w in ("square", "side", "neighbour", "facing")), strict=True))
    there_are = data.get("there_are", [1] * max(kind))
    needed = data.get("needed", [0] * max(kind))

    def invalid(lies):
        return {
            j
            for j, (square, side, neighbour, facing) in enumerate(joins, start=1)
            if max(square, neighbour) <= len(lies)
            and data["shows"][lies[square - 1] - 1][side - 1] != data["fits"][lies[neighbour - 1] - 1][facing - 1]
        }

    visited = count()

    def search(lies):
        if next(visited) > _MOST_NODES:
            raise TooMuch
        used = Counter(kind[c - 1] for c in lies)
        wrong = invalid(lies)
        if any(used[k + 1] > most for k, most in enumerate(there_are)):
            return
        if any(j > data["loose"] for j in wrong) or any(len(wrong & members) > quota for members, quota in bounds):
            return
        if len(lies) == len(data["name"]):
            if all(used[k + 1] >= least for k, least in enumerate(needed)):
                yield lies
            return
        for candidate in sorted(data["may_lie"][len(lies)]):
            yield from search([*lies, candidate])

    return search([])
