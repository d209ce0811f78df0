"""Mutation testing: changes a module in one place after the other, and asks whether its tests notice.

    python tests/benchmarks/mutants.py [MODULE ...] [--tests FILE ...] [--quick SECONDS] [--again REPORT] [--list]

MODULE is the path of a module, by default each one in TESTS, which also names the tests that are run.  A mutant (the
module with one change, see `mutations.py`) is *killed* if a test fails, the module cannot be imported, or the tests
take too long; otherwise it *survives*.  For each module it prints the mutants, those that were killed, and the
survivors: first those that `mutants_explained.txt` explains, then the others.

The tests are collected once; each mutant is tested in a forked process, in which its code replaces that of the module.
Only tests that run the changed lines are run, the quickest first.  Examples of hypothesis are the same each time.
Kernels of the module run as plain Python, so neither they nor their caches are compiled.
"""

import argparse
import ast
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TextIO

from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[2]
EXPLAINED = Path(__file__).with_name("mutants_explained.txt")
TESTS = {
    "csp/puzzles/check_board.py": ["csp/puzzles/test_check_board.py"],
    "csp/puzzles/check_tiling.py": ["csp/puzzles/test_check_tiling.py"],
    "csp/puzzles/symmetry.py": ["csp/puzzles/test_symmetry.py"],
    "csp/engines/tallies.py": ["csp/engines/test_board_tally.py", "csp/engines/test_tiling_tally.py"],
    "csp/search/counting/ledger.py": ["csp/search/counting/test_ledger.py", "csp/work/test_book.py"],
    "csp/work/book.py": ["csp/work/test_book.py", "csp/work/test_steps.py"],
    "csp/work/sealed.py": ["csp/work/test_sealed.py"],
    "models/proofs/check_proof.py": ["models/proofs/test_check_proof.py", "models/proofs/test_clause_lines.py"],
    "models/proofs/trim.py": ["models/proofs/test_trim.py", "models/proofs/test_write_lrat.py"],
    "models/squares/cnf.py": [f"models/squares/test_{name}.py" for name in ("cnf_stays_the_same", "cnf", "statements")],
    "models/squares/cnf_constraints.py": ["models/squares/test_cnf_stays_the_same.py"],
    "models/tilings/cnf.py": ["models/tilings/test_cnf.py"],
    "models/proofs/board_claims.py": ["models/proofs/test_board_claims.py", "models/proofs/test_verify.py"],
}
#: Processor seconds for the tests of a mutant: this number, and that many times what they take without a change.
LEAST_SECONDS, TIMES = 5, 8
MIB = 2**20


@dataclass
class Baseline:
    """What the tests do without a change; for each test its seconds, and the lines of the module that it runs."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, set[int]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    kernels: list = field(default_factory=list)


class Session:
    """A plugin of pytest that tests all mutants of a module where otherwise the tests would be run once."""

    def __init__(self, path: str, options: argparse.Namespace, out: TextIO, progress: TextIO) -> None:
        self.path, self.options, self.out, self.progress = path, options, out, progress
        self.file = str(ROOT / path)
        self.module = None
        self.survivors = []
        self.killed = self.late = self.unreached = 0

    def pytest_runtestloop(self, session):
        from mutations import mutations

        items = session.items
        name = "jigsat." + self.path.removesuffix(".py").replace("/", ".")
        __import__(name)
        self.module = sys.modules[name]
        run_kernels_as_python(self.module, self.file)
        for item in items:
            fix_examples(item)
        baseline = self.baseline(items)
        if baseline.failed:
            raise SystemExit(f"{self.path}: these tests fail without a change: {', '.join(baseline.failed)}")
        load_kernels(baseline.kernels)
        items = [item for item in items if baseline.seconds[item.nodeid] <= self.options.quick]
        items.sort(key=lambda item: baseline.seconds[item.nodeid])
        self.tree = ast.parse(Path(self.file).read_text())
        self.mutants = mutations(self.tree)
        if self.options.again:
            survived = Path(self.options.again).read_text().splitlines()
            self.mutants = [
                mutant for mutant in self.mutants if any(line.endswith(key_of(mutant)) for line in survived)
            ]
        waiting = list(enumerate(self.mutants))[::-1]
        running = {}
        bar = tqdm(total=len(waiting), desc=self.path, file=self.progress, disable=None, leave=False)
        while waiting or running:
            while waiting and len(running) < self.options.jobs:
                number, mutant = waiting.pop()
                chosen = items
                if mutant.inside:
                    chosen = [item for item in items if baseline.lines[item.nodeid] & set(mutant.lines)]
                if not chosen:
                    self.unreached += 1
                    self.survivors.append((number, "no test runs it"))
                    continue
                seconds = LEAST_SECONDS + TIMES * sum(baseline.seconds[item.nodeid] for item in chosen)
                child = forked(lambda m=mutant, c=chosen, s=seconds: self.test(m, c, s))
                running[child] = number, time.monotonic() + 10 * seconds
            self.reap(running)
            bar.update(len(self.mutants) - len(waiting) - len(running) - bar.n)
        bar.close()
        return True

    def baseline(self, items) -> Baseline:
        with tempfile.TemporaryFile() as file:

            def work():
                found = Baseline()
                here = None

                def each_line(frame, event, argument):
                    here.add(frame.f_lineno)
                    return each_line

                def each_call(frame, event, argument):
                    return each_line(frame, event, argument) if frame.f_code.co_filename == self.file else None

                for item, following in zip(items, [*items[1:], None], strict=True):
                    here = found.lines[item.nodeid] = set()
                    threading.settrace(each_call)
                    sys.settrace(each_call)
                    begun = time.process_time()
                    passed = passes(item, following)
                    found.seconds[item.nodeid] = time.process_time() - begun
                    sys.settrace(None)
                    if not passed:
                        found.failed.append(item.nodeid)
                found.kernels = kernels_in_use()
                file.write(pickle.dumps(found))
                file.flush()
                return 0

            child = forked(work)
            os.waitpid(child, 0)
            file.seek(0)
            return pickle.load(file)

    def test(self, mutant, items, seconds: float) -> int:
        """In a process of its own: 1 if a test notices the change, otherwise 0."""
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1,) * 2)
        most = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + 3000 * MIB
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        mutant.apply()
        try:
            put_in_place(self.module, self.file, ast.fix_missing_locations(self.tree), everything=not mutant.inside)
        except Exception:
            return 1
        return int(not all(passes(item, following) for item, following in zip(items, [*items[1:], None], strict=True)))

    def reap(self, running) -> None:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            time.sleep(0.002)
            for late in [pid for pid, (_, end) in running.items() if time.monotonic() > end]:
                os.killpg(late, signal.SIGKILL)
            return
        number, _ = running.pop(child)
        if status == 0:
            self.survivors.append((number, "survives"))
        else:
            self.killed += 1
            self.late += os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)

    def say(self, text: str) -> None:
        print(text, file=self.out, flush=True)

    def report(self) -> int:
        """Print what was found; return the number of survivors that nothing explains."""
        reasons = explained(self.path)
        known, unknown = [], []
        for number, how in sorted(self.survivors):
            mutant = self.mutants[number]
            key = key_of(mutant)
            (known if key in reasons else unknown).append((mutant.lines.start, key, how))
            if key in reasons:
                reasons[key][1] += 1
        total = len(self.mutants)
        self.say(
            f"{self.path}: {total} mutants, {self.killed} killed ({self.late} by the time limit), "
            f"{len(self.survivors)} survive, {len(known)} of them explained: {100 * self.killed / total:.1f} %"
        )
        for line, key, _ in known:
            self.say(f"  {reasons[key][0]}  {line} {key}")
        for line, key, how in unknown:
            self.say(f"  {how}  {line} {key}")
        for key, (_, times) in reasons.items():
            if not times and not self.options.again:
                self.say(f"  explained, but does not survive: {key}")
        return len(unknown)


def key_of(mutant) -> str:
    return f"{mutant.where}: {mutant.old} => {mutant.new}"


def forked(work) -> int:
    """A process in a group of its own that ends with the status that the function returns."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    status = 3
    try:
        os.setpgid(0, 0)
        status = work()
    except BaseException:
        if not isinstance(sys.exc_info()[1], SystemExit):
            sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def passes(item, following) -> bool:
    from _pytest.runner import runtestprotocol

    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def fix_examples(item) -> None:
    """Let hypothesis make the same examples each time, and keep and shrink none."""
    from hypothesis import Phase, settings

    test = getattr(item.obj, "__func__", item.obj)
    if hasattr(test, "hypothesis"):
        own = getattr(test, "_hypothesis_internal_use_settings", None) or settings.default
        phases = (Phase.explicit, Phase.generate)
        test._hypothesis_internal_use_settings = settings(own, derandomize=True, database=None, phases=phases)


def kernels_in_use():
    """Where the kernels are that were compiled or loaded, with their signatures."""
    from jigsat.csp.base import compiled

    return [(k.py_func.__module__, k.py_func.__qualname__, [*k.overloads]) for k in compiled._KERNELS if k.is_loaded]


def load_kernels(used) -> None:
    from jigsat.csp.base import compiled

    for module, _, _ in used:
        __import__(module)
    by_name = {(k.py_func.__module__, k.py_func.__qualname__): k for k in compiled._KERNELS}
    for module, name, signatures in used:
        for signature in signatures:
            by_name[module, name].compile(signature)


def run_kernels_as_python(module: types.ModuleType, file: str) -> None:
    from jigsat.csp.base.compiled import Kernel

    for value in list(vars(module).values()):
        if isinstance(value, Kernel) and value.py_func.__code__.co_filename == file:
            rebind(value, value.py_func)


def rebind(old: object, new: object, name: str | None = None) -> None:
    """Replace an object in all modules (or where it has this name)."""
    for module in list(sys.modules.values()):
        for key, value in list(getattr(module, "__dict__", {}).items()):
            if value is old and name in (None, key):
                setattr(module, key, new)


def put_in_place(module: types.ModuleType, file: str, tree: ast.Module, *, everything: bool) -> None:
    """Let the functions of a module have the code of the changed tree; and its other values, too, if `everything`."""
    fresh = types.ModuleType(module.__name__)
    vars(fresh).update({name: vars(module)[name] for name in ("__file__", "__package__", "__spec__", "__builtins__")})
    exec(compile(tree, file, "exec"), vars(fresh))
    for name, new in vars(fresh).items():
        if name.startswith("__"):
            continue
        old = vars(module).get(name)
        if isinstance(old, type) and old.__module__ == module.__name__:
            for attribute, value in vars(new).items():
                if not replaced_code(vars(old).get(attribute), value, file) and everything and is_plain(attribute):
                    setattr(old, attribute, value)
        elif not replaced_code(old, new, file) and everything and not isinstance(new, types.ModuleType):
            rebind(old, new, name)


def is_plain(attribute: str) -> bool:
    kept = ("__init__", "__match_args__", "__dataclass_fields__", "__pydantic_validator__")
    return not attribute.startswith("__") or attribute in kept


def replaced_code(old: object, new: object, file: str) -> bool:
    """Give a function the code of another one; whether they are functions of the file."""
    one, other = function_of(old), function_of(new)
    if one is None or other is None or one.__code__.co_filename != file:
        return False
    one.__code__, one.__defaults__, one.__kwdefaults__ = other.__code__, other.__defaults__, other.__kwdefaults__
    return True


def function_of(value: object) -> types.FunctionType | None:
    """The function in a property, cached property, method of a class, kernel or wrapper."""
    while not isinstance(value, types.FunctionType) or hasattr(value, "__wrapped__"):
        match value:
            case property():
                value = value.fget
            case cached_property():
                value = value.func
            case staticmethod() | classmethod():
                value = value.__func__
            case _:
                value = getattr(value, "__wrapped__", None) or getattr(value, "py_func", None)
        if value is None:
            return None
    return value


def explained(path: str) -> dict[str, list]:
    """The changes of a module that are known to make no difference, and why."""
    found = {}
    section = None
    for line in EXPLAINED.read_text().splitlines() if EXPLAINED.exists() else ():
        if line.startswith("["):
            section = line.strip("[]")
        elif section == path and " # " in line:
            key, _, reason = line.rpartition(" # ")
            found[key.strip()] = [reason.strip(), 0]
    return found


def run_module(path: str, options: argparse.Namespace) -> int:
    """Test the mutants of one module; the number of survivors that nothing explains."""
    import numpy as np
    import pytest

    tests = options.tests or [f"tests/{name}" for name in TESTS[path]]
    out = os.fdopen(os.dup(1), "w")
    begun = time.monotonic()
    session = Session(path, options, out, os.fdopen(os.dup(2), "w"))
    np.seterr(over="ignore")  # as in kernels
    arguments = ["-n", "0", "-q", "-p", "no:cacheprovider", "--no-header", "--no-summary", *tests]
    with open(os.devnull, "w") as nowhere:
        kept, sys.stdout = sys.stdout, nowhere
        code = pytest.main(arguments, plugins=[session])
        sys.stdout = kept
    if session.module is None or not hasattr(session, "mutants"):
        raise SystemExit(f"{path}: the tests could not be run (status {int(code)}): {' '.join(tests)}")
    unexplained = session.report()
    session.say(f"  {time.monotonic() - begun:.0f} s")
    return unexplained


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], epilog=__doc__.split("\n\n")[2])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="path of a module (default: all in TESTS)")
    parser.add_argument("--tests", nargs="+", metavar="FILE", help="test files, from the root (default: as in TESTS)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at a time (default: 1)")
    parser.add_argument(
        "--quick", type=float, default=float("inf"), metavar="SECONDS", help="leave out tests that take longer"
    )
    parser.add_argument(
        "--again", metavar="REPORT", help="only the survivors in the output of an earlier run, after new tests"
    )
    parser.add_argument("--list", action="store_true", help="print the mutants and test none")
    options = parser.parse_args()
    os.chdir(ROOT)
    modules = options.modules or list(TESTS)
    if options.list:
        from mutations import mutations

        for path in modules:
            for mutant in mutations(ast.parse(Path(path).read_text())):
                print(f"{path}:{mutant.lines.start} {mutant.where}: {mutant.old} => {mutant.new}")
        return 0
    if len(modules) == 1:
        os.nice(19)
        return 1 if run_module(modules[0], options) else 0
    rest = [word for word in sys.argv[1:] if word not in options.modules]
    return max(subprocess.run([sys.executable, __file__, path, *rest]).returncode for path in modules)


if __name__ == "__main__":
    sys.exit(main())
