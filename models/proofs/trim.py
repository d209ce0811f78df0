"""Makes a proof of unsatisfiability smaller: only the lemmas that the contradiction depends on are kept.

A solver writes everything that it learns, and most of it is not needed.  The proof is replayed without looking at
its lemmas until unit propagation alone ends in a contradiction.  Then it is undone from its end: a lemma that is needed
is taken out and must follow by unit propagation from what is left (it is RUP), and the clauses by which it does are
needed, too.  Nothing here is trusted: the result is a proof, which is checked.

A proof may also be written in the format LRAT, in which each lemma comes with the numbers of the clauses by which it
follows, so that a checker need not search for them.  That makes checkers so simple that they have been proved correct:
``cake_lpr`` down to its machine code, and the one of ACL2.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...csp.base.compiled import inner_kernel, kernel
from ...csp.base.safe_files import read_text, replacing
from ...csp.base.stop import never

_SLICE = 2000  # lines between two chances for Ctrl-C
_MOST_BYTES, _MOST_VARIABLES = 2**32, 2**24
_WRITTEN = 100_000  # clauses that are written at a time
_HINTS = 2**22  # that are collected at a time


class _State(NamedTuple):
    """The arrays of the kernels; all are flat.

    A *clause* is a line: first those of the formula, then those of the proof, deletions among them.  Clause c has the
    literals ``literals[start[c]:start[c + 1]]``, the watched ones first; variable v is literal 2v, its negation 2v + 1.

    - ``target[c]`` is the clause that line c deletes: ADDS for a line that adds one, NOTHING if it deletes none.
    - ``needed_by[c]`` is the last lemma that needs clause c, NOTHING if none is known yet.
    - ``active[c]`` is whether a clause takes part in propagation.
    - ``first[2 * literal + needed]`` and ``after[node]`` are the lists of watches, those of needed clauses apart, so
      that they come first.  Node 2c + i stands for the i-th literal of clause c; ``listed[node]`` if it is in a list.
    - ``bucket`` and ``chain`` find a clause by the hash of its literals; ``stamp`` marks the literals of a line.
    - ``value[literal]`` is TRUE, FALSE or 0, ``reason[v]`` the clause that made it so (NOTHING: assumed), ``trail`` the
      true literals in the order in which they became so, ``trail_before[c]`` its length before line c.
    - ``counts``: the length of the trail, how many of its literals have been propagated through needed clauses, and how
      many through the others.
    - ``hints``: the clauses by which lines follow, for each line the last one first.  ``hinted[c]`` is where those of
      line c start and end; the contradiction after line c is line c + 1.  ``counts`` has how many there are, and how
      many were there before and have been taken away.  Both arrays are empty if hints are not wanted.

    Invariant between two lines: all of the trail has been propagated, and each active clause of two or more literals
    watches two that are not false or is satisfied by what was true when its watched literal became false.  So the trail
    may be cut back to its length before any line, once the lines from there on are inactive.
    """

    literals: np.ndarray
    start: np.ndarray
    target: np.ndarray
    needed_by: np.ndarray
    active: np.ndarray
    first: np.ndarray
    after: np.ndarray
    listed: np.ndarray
    bucket: np.ndarray
    chain: np.ndarray
    stamp: np.ndarray
    value: np.ndarray
    reason: np.ndarray
    seen: np.ndarray
    trail: np.ndarray
    trail_before: np.ndarray
    counts: np.ndarray
    hints: np.ndarray
    hinted: np.ndarray


class _Plain(NamedTuple):
    """The clauses that take part: their numbers in the given formula, all literals with a 0 after each clause."""

    numbers: np.ndarray
    literals: np.ndarray
    given: int


class HintedLemma(NamedTuple):
    """A lemma with hints, by which other programs check it more quickly."""

    #: Its number, greater than those of the formula's clauses, which are numbered from 0, and of earlier lemmas.
    number: int
    #: Its literals, signed.
    literals: list[int]
    #: The numbers of the clauses by which it follows: if it is false, each of them makes a literal true by unit
    #: propagation, one after the other, and the last one is false.
    hints: list[int]


#: Clauses, or arrays of clauses of one length each.
Formula = Iterable[Sequence[int] | np.ndarray]

NOTHING, ADDS, REPEATED, STOPPED = -1, -2, -3, -4
TRUE, FALSE = 1, -1
TRAIL, NEEDED, OTHERS, HINTS, BEFORE = 0, 1, 2, 3, 4


def trim_proof(clauses: Formula, lines: Sequence[str], must_stop: Callable[[], bool] = never) -> list[str]:
    """The lemmas of a DRAT proof that are needed, each clause deleted when it is needed no more.

    A proof that cannot be trimmed is returned unchanged: if it does not end in a contradiction, or needs a lemma that
    is not RUP, or `must_stop` returns true.

    - `clauses`: the formula, in signed literals: clauses, or arrays of clauses of one length each.
    - `lines`: the proof, a lemma or a deletion (``d ...``) a line, each with its 0 at the end.

    Examples
    --------
    >>> trim_proof([[1, 2], [1, -2], [-1, 3], [-1, -3], [2, 3]], ["2 3 0", "1 0", "0"])
    ['d 2 3 0', '1 0', 'd 1 2 0', 'd 1 -2 0', '0']
    """
    formula = _plain(clauses)
    replayed = _replayed(formula, lines, must_stop)
    if replayed is None:
        return list(lines)
    state, end, read = replayed
    if _in_slices(_undo, state, range(end, len(formula.numbers) - 1, -1), must_stop) != NOTHING:
        return list(lines)
    return _written(formula, read, state.needed_by, end)


def hinted_proof(
    clauses: Formula, lines: Sequence[str], must_stop: Callable[[], bool] = never
) -> list[HintedLemma] | None:
    """The lemmas of a DRAT proof that are needed, each with the clauses by which it follows; the last one is empty.

    None for what cannot be trimmed.  Parameters are those of `trim_proof`.

    Examples
    --------
    >>> for lemma in hinted_proof([[1, 2], [1, -2], [-1, 3], [-1, -3], [2, 3]], ["2 3 0", "1 0", "0"]) or ():
    ...     print(*lemma)
    6 [1] [1, 0]
    7 [] [6, 3, 2]
    """
    formula = _plain(clauses)
    replayed = _replayed(formula, lines, must_stop, hints=True)
    if replayed is None:
        return None
    state, end, read = replayed
    parts = [state.hints[: state.counts[HINTS]].copy()]
    each = max(1, len(state.hints) // (len(state.trail) + 2))
    back = range(end, len(formula.numbers) - 1, -1)
    for start in range(0, len(back), each):
        state.counts[BEFORE] += state.counts[HINTS]
        state.counts[HINTS] = 0
        if _in_slices(_undo, state, back[start : start + each], must_stop) != NOTHING:
            return None
        parts.append(state.hints[: state.counts[HINTS]].copy())
    return list(_hinted_lemmas(formula, read, state, np.concatenate(parts), end))


def _hinted_lemmas(
    formula: _Plain, lines: Sequence[str], state: _State, hints: np.ndarray, end: int
) -> Iterator[HintedLemma]:
    """The needed lemmas."""
    numbers, clauses = formula.numbers.tolist(), formula.given

    def hinted(c: int, literals: list[int]) -> HintedLemma:
        start, stop = state.hinted[c]
        found = hints[start:stop][::-1].tolist()
        own = [numbers[hint] if hint < len(numbers) else clauses + hint - len(numbers) for hint in found]
        return HintedLemma(clauses + max(c - len(numbers), 0), literals, own)

    for c in range(len(numbers), end + 1):
        if state.needed_by[c] != NOTHING:
            literals = [int(word) for word in lines[c - len(numbers)].split()[:-1]]
            yield hinted(c, literals)
            if not literals:
                return
    yield hinted(end + 1, [])


def _plain(clauses: Formula) -> _Plain:
    """The clauses without repeated literals, and without those that are always true.

    These are never needed, and so the watches are what they seem.
    """
    numbers, parts, given = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)], 0
    for some in clauses:
        block = np.atleast_2d(np.asarray(some, np.int32))
        own = np.arange(given, given + len(block))
        given += len(block)
        variables = np.sort(abs(block), axis=1)
        if (variables[:, 1:] == variables[:, :-1]).any():
            once = [list(dict.fromkeys(clause)) for clause in block.tolist()]
            kept = [i for i, clause in enumerate(once) if not any(-literal in clause for literal in clause)]
            numbers.append(own[np.array(kept, np.int64)])
            parts += [np.array([*once[i], 0], np.int32) for i in kept]
        else:
            numbers.append(own)
            parts.append(np.pad(block, ((0, 0), (0, 1))).reshape(-1))
    return _Plain(np.concatenate(numbers), np.concatenate(parts), given)


def _prepared(formula: _Plain, lines: Sequence[str], *, hints: bool = False) -> _State | None:
    """Formula and proof as arrays; None if the lines are not a proof."""
    deletes = [line.startswith("d") for line in lines]
    text = " ".join(line[1:] if deleting else line for line, deleting in zip(lines, deletes, strict=True))
    try:
        with warnings.catch_warnings(action="error"):  # numpy only warns of what is no number
            numbers = np.fromstring(text or " ", np.int32, sep=" ")
    except (ValueError, DeprecationWarning):
        return None
    del text
    numbers = np.concatenate([formula.literals, numbers])
    ends = np.flatnonzero(numbers == 0)
    count = len(formula.numbers) + len(lines)
    variables = max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)))
    if len(ends) != count or variables > _MOST_VARIABLES or (count and ends[-1] != len(numbers) - 1):
        return None
    start = np.zeros(count + 1, np.int64)
    start[1:] = ends + 1 - np.arange(1, count + 1)
    numbers = numbers[numbers != 0]
    literals = 2 * (np.abs(numbers) - 1) + (numbers < 0)
    target = np.full(count, ADDS, np.int32)
    target[len(formula.numbers) :][np.array(deletes, bool)] = NOTHING
    buckets = 1 << max(count, 1).bit_length()
    return _State(
        literals=literals.astype(np.int32),
        start=start,
        target=target,
        needed_by=np.full(count, NOTHING, np.int32),
        active=np.zeros(count, np.uint8),
        first=np.full(4 * variables, NOTHING, np.int32),
        after=np.full(2 * count, NOTHING, np.int32),
        listed=np.zeros(2 * count, np.uint8),
        bucket=np.full(buckets, NOTHING, np.int32),
        chain=np.full(count, NOTHING, np.int32),
        stamp=np.full(2 * variables, NOTHING, np.int32),
        value=np.zeros(2 * variables, np.int8),
        reason=np.full(variables, NOTHING, np.int32),
        seen=np.zeros(variables, np.uint8),
        trail=np.zeros(variables, np.int32),
        trail_before=np.zeros(count, np.int32),
        counts=np.zeros(5, np.int64),
        hints=np.zeros(max(_HINTS, variables + 2) if hints else 0, np.int32),
        hinted=np.zeros((count + 2 if hints else 0, 2), np.int64),
    )


def _replayed(
    formula: _Plain, lines: Sequence[str], must_stop: Callable[[], bool], *, hints: bool = False
) -> tuple[_State, int, Sequence[str]] | None:
    """The arrays after a replay, the line that ends in a contradiction, and the lines without repeated literals.

    None if there is no such line, or the work was stopped.
    """
    for repeats in (True, False):  # few proofs repeat literals: a solver may delete clauses as they were given to it
        read = lines if repeats else list(map(_without_repeats, lines))
        state = _prepared(formula, read, hints=hints)
        end = STOPPED if state is None else _in_slices(_replay, state, range(len(state.target)), must_stop)
        if state is not None and end >= 0:
            return state, end, read
        if end != REPEATED:
            return None
    return None


def _without_repeats(line: str) -> str:
    """A line of a proof, each of its literals once."""
    deletes = line.startswith("d")
    literals = dict.fromkeys(map(int, line[deletes:].split()))
    return " ".join([*(["d"] if deletes else []), *map(str, literals)])


def _in_slices(work, state: _State, lines: range, must_stop: Callable[[], bool]) -> int:
    """Run a kernel over the lines, some at a time, until it finds something; STOPPED if it must stop."""
    for at in range(0, len(lines), _SLICE):
        if must_stop():
            return STOPPED
        part = lines[at : at + _SLICE]
        found = work(state, part.start, part.stop)
        if found != NOTHING:
            return found
    return NOTHING


def _written(formula: _Plain, lines: Sequence[str], needed_by: np.ndarray, end: int) -> list[str]:
    """The needed lines; `end` is the line by which propagation ends in a contradiction."""
    own = len(formula.numbers)
    ends = np.flatnonzero(formula.literals == 0)
    sizes = np.diff(ends, prepend=-1)  # with the 0
    done: dict[int, list[int]] = {}
    for c in np.flatnonzero(needed_by != NOTHING):
        done.setdefault(int(needed_by[c]), []).append(int(c))

    def deletion(c: int) -> list[str]:
        clause = formula.literals[ends[c] + 1 - sizes[c] : ends[c] + 1].tolist() if c < own else ()
        text = " ".join(map(str, clause)) if c < own else lines[c - own]
        return [f"d {text}"] if text.count(" ") > 1 else []  # units cannot be deleted

    idle = (needed_by[:own] == NOTHING) & (sizes > 2)
    trimmed: list[str] = []
    for start in range(0, own, _WRITTEN):  # many numbers as text take much memory
        part = slice(start, start + _WRITTEN)
        first, last = ends[start] + 1 - sizes[start], ends[part][-1] + 1
        numbers = formula.literals[first:last][np.repeat(idle[part], sizes[part])].tolist()
        if numbers:
            trimmed += ("d " + " ".join(map(str, numbers)).replace(" 0 ", " 0\nd ")).split("\n")
    for c in range(own, end + 1):
        if needed_by[c] != NOTHING:
            trimmed.append(lines[c - own])
            # Those that the contradiction itself needs stay: nothing comes after it.
            trimmed += [line for old in done.get(c, ()) for line in deletion(old)]
    return [*trimmed, "0"]


def write_lrat(
    formula: str | Path, proof: str | Path, path: str | Path, must_stop: Callable[[], bool] = never
) -> int | None:
    """Write a proof in the format LRAT.

    - `formula`, `proof`: the formula, in the DIMACS format, and its proof, in the textual DRAT format, as certificates
      have them.
    - `path`: the file to write, not standard output.

    Returns the number of lemmas; None, with nothing written, if a lemma is not RUP (some solvers write lemmas that are
    RAT only) or the work was stopped.

    Raises InstanceError if a file cannot be read or written.
    """
    clauses = [
        [int(word) for word in line.split()[:-1]] for line in _lines(formula) if line.strip() and line[0] not in "cp"
    ]
    lemmas = hinted_proof(clauses, _lines(proof), must_stop)
    if lemmas is None:
        return None
    with replacing(path) as file:
        file.writelines(f"{line}\n" for line in lrat_lines(clauses, lemmas))
    return len(lemmas)


def _lines(path: str | Path) -> list[str]:
    """The lines of a file as proof checkers see them; `str.splitlines` would split a comment at other characters."""
    return read_text(path, _MOST_BYTES).removesuffix("\n").split("\n")


def lrat_lines(clauses: Sequence[Sequence[int]], lemmas: Sequence[HintedLemma]) -> Iterator[str]:
    """The lines of a proof: lemmas with their hints, each clause deleted after the last lemma that needs it.

    Clauses have the numbers from 1, in the order of the formula.

    Examples
    --------
    >>> clauses = [[1, 2], [1, -2], [-1, 3], [-1, -3], [2, 3]]
    >>> print(*lrat_lines(clauses, hinted_proof(clauses, ["1 0", "0"]) or ()), sep="\\n")
    5 d 5 0
    6 1 0 2 1 0
    6 d 2 1 0
    7 0 6 4 3 0
    """
    known = {number: list(clause) for number, clause in enumerate(clauses, start=1)}
    numbers = dict(zip(range(len(clauses)), known, strict=True))
    steps = []
    for lemma in lemmas:
        number = len(clauses) + 1 + len(steps)
        hints = _as_needed(lemma.literals, [numbers[hint] for hint in lemma.hints], known)
        steps.append((number, lemma.literals, hints))
        numbers[lemma.number], known[number] = number, lemma.literals
    last_needed_by = {hint: number for number, _, hints in steps for hint in hints}
    yield from _deletion(
        len(clauses), [number for number in range(1, len(clauses) + 1) if number not in last_needed_by]
    )
    for number, literals, hints in steps:
        yield " ".join(map(str, [number, *literals, 0, *hints, 0]))
        if literals:
            yield from _deletion(number, [hint for hint in hints if last_needed_by[hint] == number])


def _deletion(number: int, clauses: list[int]) -> Iterator[str]:
    if clauses:
        yield " ".join(map(str, [number, "d", *clauses, 0]))


def _as_needed(lemma: list[int], hints: list[int], clauses: dict[int, list[int]]) -> list[int]:
    """The hints up to the clause that is false, without those that make nothing true.

    The propagation by which they were found began with what is true without the lemma's negation, so that some make
    true what follows from that at once.
    """
    true = {-literal for literal in lemma}
    kept = []
    for hint in hints:
        left = {literal for literal in clauses[hint] if -literal not in true}
        if left & true:
            continue
        kept.append(hint)
        if not left:
            break
        true |= left
    return kept


@kernel
def _replay(s, line, stop):
    """Carry out lines without checking them; the line at which propagation ends in a contradiction, if it does."""
    for c in range(line, stop):
        s.trail_before[c] = s.counts[TRAIL]
        # A sum, because a clause may be deleted with its literals in another order.
        total = np.uint64(0)
        for j in range(s.start[c], s.start[c + 1]):
            literal = s.literals[j]
            if s.stamp[literal] == c:
                return REPEATED
            s.stamp[literal] = c
            mixed = np.uint64(literal + 1) * np.uint64(0x9E3779B97F4A7C15)
            total += mixed ^ (mixed >> np.uint64(29))
        place = np.int64((total ^ (total >> np.uint64(32))) & np.uint64(len(s.bucket) - 1))
        if s.target[c] == ADDS:
            s.chain[c] = s.bucket[place]
            s.bucket[place] = c
            conflict = _attach(s, c)
            if conflict != NOTHING:
                # The contradiction is a lemma itself, after this one.
                _need_for(s, conflict, c + 1)
                return c
        elif s.start[c + 1] - s.start[c] > 1:
            _delete(s, c, place)
    return NOTHING


@inner_kernel
def _delete(s, c, place):
    """Carry out a deletion, but for one of a clause that is the reason for something true."""
    before, old = NOTHING, s.bucket[place]
    while old != NOTHING:
        equal = s.start[old + 1] - s.start[old] == s.start[c + 1] - s.start[c]
        for j in range(s.start[old], s.start[old + 1]):
            equal = equal and s.stamp[s.literals[j]] == c
        if equal:
            break
        before, old = old, s.chain[old]
    if old == NOTHING:
        return
    for literal in s.literals[s.start[old] : s.start[old] + 2]:
        if s.value[literal] == TRUE and s.reason[literal >> 1] == old:
            return
    if before == NOTHING:
        s.bucket[place] = s.chain[old]
    else:
        s.chain[before] = s.chain[old]
    s.active[old] = 0
    s.target[c] = old


@kernel
def _undo(s, line, stop):
    """Take lines back, the last first, and check the needed ones; a line that is not RUP, if there is one."""
    for c in range(line, stop, -1):
        if s.target[c] >= 0:
            _activate(s, s.target[c])
        elif s.target[c] == ADDS:
            s.active[c] = 0
            _cut_back(s, s.trail_before[c])
            if s.needed_by[c] != NOTHING and not _follows(s, c):
                return c
    return NOTHING


@inner_kernel
def _follows(s, c):
    """Whether assuming all literals of a clause false ends in a contradiction; notes what was needed for it.

    None of them is true: a needed clause was false, or had one true literal, at a time when no more had become false
    than what follows from the lines before it, and what its lemma assumes.
    """
    for literal in s.literals[s.start[c] : s.start[c + 1]]:
        if s.value[literal] == 0:
            _make_true(s, literal ^ 1, NOTHING)
    conflict = _propagate(s)
    if conflict != NOTHING:
        _need_for(s, conflict, c)
    return conflict != NOTHING


@inner_kernel
def _need_for(s, conflict, lemma):
    """Note that the lemma needs a clause that became false, and the reasons for its literals, and theirs."""
    waiting = 0
    at = s.counts[TRAIL]
    clause = conflict
    if len(s.hints):
        s.hinted[lemma, 0] = s.counts[BEFORE] + s.counts[HINTS]
    while True:
        if clause != NOTHING:
            if len(s.hints):
                s.hints[s.counts[HINTS]] = clause
                s.counts[HINTS] += 1
            if s.needed_by[clause] == NOTHING:
                s.needed_by[clause] = lemma
            for literal in s.literals[s.start[clause] : s.start[clause + 1]]:
                # The true literal of a reason has been dealt with and is skipped.
                if s.seen[literal >> 1] == 0 and s.value[literal] == FALSE:
                    s.seen[literal >> 1] = 1
                    waiting += 1
        if waiting == 0:
            if len(s.hints):
                s.hinted[lemma, 1] = s.counts[BEFORE] + s.counts[HINTS]
            return
        at -= 1
        while s.seen[s.trail[at] >> 1] == 0:
            at -= 1
        variable = s.trail[at] >> 1
        s.seen[variable] = 0
        waiting -= 1
        clause = s.reason[variable]


@inner_kernel
def _attach(s, c):
    """Make a new clause take part; the clause that becomes false, if one does."""
    begin, end = s.start[c], s.start[c + 1]
    for i in range(begin, min(begin + 2, end)):
        for j in range(i, end):
            if s.value[s.literals[j]] != FALSE:
                s.literals[i], s.literals[j] = s.literals[j], s.literals[i]
                break
    if end == begin or s.value[s.literals[begin]] == FALSE:
        return c
    if end - begin > 1:
        _activate(s, c)
    if s.value[s.literals[begin]] == 0 and (end - begin == 1 or s.value[s.literals[begin + 1]] == FALSE):
        _make_true(s, s.literals[begin], c)
        return _propagate(s)
    return NOTHING


@inner_kernel
def _activate(s, c):
    """Let a clause take part (again); it may still be in the lists of its watched literals."""
    s.active[c] = 1
    for i in range(2):
        if not s.listed[2 * c + i]:
            s.listed[2 * c + i] = 1
            _enlist(s, s.literals[s.start[c] + i], 2 * c + i)


@inner_kernel
def _enlist(s, literal, node):
    place = 2 * literal + (s.needed_by[node >> 1] != NOTHING)
    s.after[node] = s.first[place]
    s.first[place] = node


@inner_kernel
def _make_true(s, literal, reason):
    s.value[literal] = TRUE
    s.value[literal ^ 1] = FALSE
    s.reason[literal >> 1] = reason
    s.trail[s.counts[TRAIL]] = literal
    s.counts[TRAIL] += 1


@inner_kernel
def _cut_back(s, length):
    for literal in s.trail[length : s.counts[TRAIL]]:
        s.value[literal] = 0
        s.value[literal ^ 1] = 0
    for count in range(HINTS):
        s.counts[count] = length


@inner_kernel
def _propagate(s):
    """Make true what must be, through needed clauses while there is something; the clause that becomes false, if any.

    The list of a literal that became false is taken apart, and its nodes go where they belong now.
    """
    while True:
        queue = NEEDED if s.counts[NEEDED] < s.counts[TRAIL] else OTHERS
        if s.counts[queue] == s.counts[TRAIL]:
            return NOTHING
        false = s.trail[s.counts[queue]] ^ 1
        s.counts[queue] += 1
        place = 2 * false + (queue == NEEDED)
        node = s.first[place]
        s.first[place] = NOTHING
        conflict = NOTHING
        while node != NOTHING:
            following = s.after[node]
            c = node >> 1
            watched = false
            if not s.active[c]:
                s.listed[node] = 0
                node = following
                continue
            begin = s.start[c]
            other = s.literals[begin + 1 - (node & 1)]
            if conflict == NOTHING and s.value[other] != TRUE:
                for j in range(begin + 2, s.start[c + 1]):
                    if s.value[s.literals[j]] != FALSE:
                        watched = s.literals[j]
                        s.literals[j] = false
                        s.literals[begin + (node & 1)] = watched
                        break
                if watched == false:
                    if s.value[other] == FALSE:
                        conflict = c
                    else:
                        _make_true(s, other, c)
            _enlist(s, watched, node)
            node = following
        if conflict != NOTHING:
            return conflict
