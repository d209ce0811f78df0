"""Counts on a GPU, or on Numba's simulator of one, in a process of its own: the simulator is for whole processes only.

The process gets cases and returns what was counted, on a processor and on the GPU.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A count in parts."""

    #: The puzzle and, by name, the options.
    puzzle: object
    options: Mapping[str, object] = field(default_factory=dict)
    #: Where the parts are cut into ranges, as fractions; each range is counted separately.
    cuts: tuple[float, ...] = (0.0, 1.0)
    #: What each call to pause returns, by the names of `Pause`; the last one is repeated.
    pauses: tuple[str, ...] = ("NO",)
    #: Constants of the modules `plain` and `gpu_walks`.  The default is that walks stop after a few steps, are often
    #: divided, and that many parts are made.
    plain: Mapping[str, object] = field(default_factory=dict)
    walks: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """A count by the engine along the order spiral_in, in about a hundred parts; its outcome is the engine's result."""

    #: The puzzle and, by name, the options.
    puzzle: object
    options: Mapping[str, object]
    #: Whether it ends after the first parts.
    ends: bool = False


@dataclass(frozen=True)
class Outcome:
    """The shares of a case on the processor and on the GPU, and how they came about."""

    #: The shares; the former are of the parts that the latter have.
    expected: list
    found: list
    #: The number of parts, and of the anchor's squares.
    parts: int
    choices: int
    #: Whether leaves are only counted, and whether colours are compared instead of being looked up.
    regular: bool
    compares: bool
    #: The launches of the walks; how often they were divided, the lists that they handed over, and those that found no
    #: room.
    slices: int
    divisions: int
    handed_over: int
    refused: int


def environment(simulated=True):
    """The environment of a process with a GPU."""
    path = os.pathsep.join([str(_HERE), str(_HERE.parent / "oracles"), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **({"NUMBA_ENABLE_CUDASIM": "1"} if simulated else {})}


@cache
def has_gpu():
    if find_spec("numba_cuda") is None:
        return False
    find = "from jigsat.csp.search.gpu import find_gpu; find_gpu('cuda')"
    return subprocess.run([sys.executable, "-c", find], capture_output=True).returncode == 0


def outcomes(cases, simulated=True):
    return answers("simulated_gpu", cases, simulated)


def answers(module, cases, simulated):
    """What the function `answer` of a module returns for each case, in a process with a GPU."""
    # Simulated hashes count modulo 2^64.
    serve = f"import simulated_gpu, {module}; simulated_gpu.serve({module}.answer)"
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", serve]
    done = subprocess.run(command, input=pickle.dumps(list(cases)), capture_output=True, env=environment(simulated))
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


def serve(answer):
    cases = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(pickle.dumps([answer(case) for case in cases]))


def _result(case):
    from jigsat.csp.engines.engine import find_engine
    from jigsat.csp.engines.request import Goal, Options

    options = Options(**{"order": "spiral_in", "method": "plain", **case.options})
    counted = 0

    def report(progress):
        nonlocal counted
        counted = progress.nodes

    def must_stop():
        return case.ends and counted > 0

    engine = find_engine("backtrack")
    return engine.run(case.puzzle, Goal.COUNT, options=options, report=report, must_stop=must_stop)


def answer(case):
    from jigsat.csp.engines.request import Options
    from jigsat.csp.search.counting import gpu_walks, plain

    several = {"_ENOUGH_PARTS": 100} if isinstance(case, Run) else {"_ENOUGH_PARTS": 3, **case.plain}
    for name, value in {"_FEW_NODES": 0, **several}.items():
        setattr(plain, name, value)
    if isinstance(case, Run):
        return _result(case)
    few = {
        "_THREADS": 4,
        "_FIRST_SLICE": 20,
        "_LONGEST_SLICE": 20,
        "_LOOK": 4,
        "_ROOM": 1 << 16,
        "_ITEMS": 2,
        "_FOR_PARTS": 0.2,
    }
    for name, value in {**few, **case.walks}.items():
        setattr(gpu_walks, name, value)
    noted = _Noted(gpu_walks)
    here, there = (plain.Prefixes(case.puzzle, Options(**case.options, device=device)) for device in (None, "cuda"))
    parts = len(here.work)
    cuts = [round(parts * cut) for cut in case.cuts]
    asked = iter(case.pauses)
    last = "NO"

    def pause():
        nonlocal last
        last = next(asked, last)
        return plain.Pause[last]

    with noted:
        found = [there.count(first, end, pause) for first, end in pairwise(cuts)]
    expected = [here.count(share.first, share.last, lambda: plain.Pause.NO) for share in found]
    compares = there._gpu_walks._tables.comparing if there._run.free else False
    regular, choices = here.found.regular, here._run.walks
    return Outcome(expected, found, parts, choices, regular, compares, *noted.numbers)


class _Noted:
    """Counts launches and lists that are handed over."""

    def __init__(self, gpu_walks):
        self._arrays, self._batch, self.numbers = gpu_walks._Arrays, gpu_walks._Batch, [0, 0, 0, 0]

    def __enter__(self):
        self._before = self._arrays.walk, self._arrays.hand_over, self._batch._read_head
        numbers, (walk, hand_over, read_head) = self.numbers, self._before
        divided = False

        def walked(arrays, unfinished, totals, budget):
            numbers[0] += budget > 0
            walk(arrays, unfinished, totals, budget)

        def handed_over(arrays, unfinished, most):
            nonlocal divided
            divided = True
            numbers[1] += 1
            hand_over(arrays, unfinished, most)

        def read(batch):
            nonlocal divided
            if divided:
                items = int(batch.arrays.head.copy_to_host()[1])
                numbers[2] += min(items, batch.arrays.most_items)
                numbers[3] += max(items - batch.arrays.most_items, 0)
                divided = False
            read_head(batch)

        self._arrays.walk, self._arrays.hand_over, self._batch._read_head = walked, handed_over, read

    def __exit__(self, *_):
        self._arrays.walk, self._arrays.hand_over, self._batch._read_head = self._before
