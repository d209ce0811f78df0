"""Let every write of a command fail, one after the other, and check how it ends.

    python tests/agreement/faults.py --of ledger answers --seconds 600

The n-th operation on the disk (write, fsync, rename, truncate, create, remove) fails with EIO or ENOSPC, from the n-th
on the disk is full, the n-th write is short, files cannot grow beyond a limit, or the process is killed there.  Then
the command must end with one line and status 1 or 2 (refused), or as if nothing had happened (unharmed); earlier files
must be intact (or LOST), no temporary file may be LEFT OVER, except by a kill, and the same command, given again, must
find the same (or NOT RESUMED).  Prints the numbers; the status is 1 if there is anything else.  Needs a C compiler.

Then power is lost after each operation of a ledger and a file that replaces another: of what was not synced,
any sectors are missing.  What was recorded must be there.
"""

import argparse
import io
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from faults import FAULTS, VERDICTS, Scenario, library, operations, undisturbed, verdict_on
from power_loss import RUNS_AND_CHECKS, faults_of


def scenarios(work: Path) -> Iterator[Scenario]:
    """All commands that write, on puzzles that take no time."""
    from experiment_texts import TINY, part, written
    from jigsat.cli.main import main
    from jigsat.csp.files.instances import save
    from jigsat.csp.make.edge_matching import deal_edge_matching

    puzzle = str(work / "puzzle.json")
    save(deal_edge_matching(3, 3, 2, 1, seed=3).puzzle, puzzle)
    count_words = ("count", puzzle, "--ledger", "{}/a.ledger", "--order", "rowscan", "--json", "--quiet")

    def nothing(folder: Path) -> None:
        pass

    def of_ledger(folder: Path) -> Any:
        import sqlite3

        from jigsat.csp.files.books import parsed_record

        with sqlite3.connect(folder / "a.ledger") as connection:
            rows = connection.execute("SELECT CAST(text AS BLOB) FROM records WHERE number > 0").fetchall()
        connection.close()
        shares = [entry for (text,) in rows for entry in parsed_record(text)["entries"]]  # type: ignore[index]
        return sum(share["last"] - share["first"] for share in shares), sum(int(share["count"]) for share in shares)

    yield Scenario("ledger", count_words, ("a.ledger", "a.ledger-journal"), nothing, of_ledger, ("a.ledger",))

    @cache
    def whole_ledger() -> bytes:
        with tempfile.TemporaryDirectory() as name, redirect_stdout(io.StringIO()):
            main([word.replace("{}", name) for word in count_words])
            return (Path(name) / "a.ledger").read_bytes()

    yield Scenario(
        "ledger that is damaged", count_words, ("a.ledger", "a.ledger-journal"),
        lambda folder: (folder / "a.ledger").write_bytes(whole_ledger()[:-700]), of_ledger, ("a.ledger",),
    )  # fmt: skip

    def solutions(folder: Path) -> Any:
        return sorted(map(str, json.loads((folder / "answer.json").read_text())["solutions"]))

    @cache
    def whole_answer() -> str:
        main(["solve", puzzle, "--limit", "5", "-o", str(work / "answer.json"), "--quiet"])
        return (work / "answer.json").read_text()

    parts = ("answer.json", "answer.json.part", "answer.json.part-journal")
    for name, words in {
        "answers": ("solve", puzzle, "--all"),
        "answer": ("solve", puzzle),
        "best answer": ("solve", puzzle, "--best", "--engine", "dive", "--slips", "1x12"),
    }.items():
        words = (*words, "-o", "{}/answer.json", "--quiet")
        yield Scenario(name, words, parts, nothing, solutions, again=("--resume",))
    for again in ("--resume", "--overwrite"):
        words = ("solve", puzzle, "--all", "-o", "{}/answer.json", "--quiet")
        yield Scenario(
            f"answers again, {again[2:]}", words, parts,
            lambda folder: (folder / "answer.json").write_text(whole_answer()), solutions, again=(again,),
        )  # fmt: skip

    def content(folder: Path) -> Any:
        record = json.loads((folder / "answer.json").read_text())
        return {name: value for name, value in record.items() if name != "seconds"}

    jigsaw = ("make", "jigsaw", "--rows", "3", "--columns", "3", "--method", "annealing", "--seed", "1")
    for name, words in {
        "forms": ("forms", "tangram", "--vertices", "5"),
        "graph": ("graph", "four-triangles"),
        "made jigsaw": jigsaw,
    }.items():
        words = (*words, "-o", "{}/answer.json", "--quiet")
        yield Scenario(name, words, parts, nothing, content, again=("--resume",))

    def certificate(folder: Path) -> Any:
        with redirect_stdout(io.StringIO()):
            return main(["certify", puzzle, "--verify", str(folder / "p.drat.json"), "--quiet"])

    yield Scenario(
        "certificate", ("certify", puzzle, "--solutions", "1", "--proof", "{}/p.drat", "--quiet"),
        ("p.drat", "p.drat.json", "p.drat.cnf", "p.drat.part", "p.drat.part-journal"),
        nothing, certificate, again=("--resume",),
    )  # fmt: skip
    experiment = str(written(work, part("backtrack", "cpsat", instances=[{**TINY, "seeds": [1, 2]}])))

    def runs(folder: Path) -> Any:
        from jigsat.estimators.experiments.records import NAME, read_records

        found = sorted(record["fingerprint"] for record in read_records(folder / NAME))
        return found, *((folder / name).is_file() for name in ("records.jsonl", "report.html"))

    names = product(("engines", "puzzles", "predictions", "runs"), ("csv", "md", "tex"))
    tables = tuple(f"tables/{name}.{ending}" for name, ending in names)
    yield Scenario(
        "records", ("compare", experiment, "-o", "{}", "--quiet"),
        ("records.book", "records.book-journal", "records.jsonl", "report.html", *tables), nothing, runs,
        ("records.book",),
    )  # fmt: skip
    for name, words in {
        "drawing": ("draw", puzzle, "--pieces", "-o", "{}/a.svg"),
        "puzzle": ("convert", puzzle, "{}/a.json"),
        "made puzzle": (
            "make", "edge-matching", "--rows", "3", "--columns", "3", "--inner-colors", "2", "--frame-colors", "2",
            "-o", "{}/a.json",
        ),
        "formula": ("export", puzzle, "-o", "{}/a.cnf"),
        "plot": ("estimate", puzzle, "--plot", "{}/a.svg"),
        "page": ("view", puzzle, str(work / "answer.json"), "-o", "{}/a.html"),
    }.items():  # fmt: skip
        target = words[-1].removeprefix("{}/")
        yield Scenario(
            name, words, (target,),
            lambda folder, target=target: (whole_answer(), (folder / target).write_text("{}")),
            lambda folder, target=target: len((folder / target).read_bytes()) > 2,
        )  # fmt: skip


def pretended() -> None:
    """Runs of experiments are made up, reports have no figures, and small counts have several shares."""
    from experiment_texts import pretended as without_runs
    from jigsat.csp.search.counting import plain, scheduler

    plain._ENOUGH_PARTS, plain._FEW_NODES = 30, 0
    scheduler.count_together.__kwdefaults__["pace"] = scheduler.Pace(least=0.0)
    without_runs()


def numbers_of(scenario: Scenario, fault: str, most: int) -> Iterator[int]:
    """The operations that fail, from 1 on; for a limit, its steps until it does not matter."""
    yield from range(1, most + 1) if fault != "limit" else (*range(12), *range(12, 400, 30))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", nargs="+", metavar="WORD", help="only scenarios whose name begins with one of these")
    parser.add_argument("--fault", nargs="+", choices=FAULTS, default=[*FAULTS], help="only these faults")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only every K-th operation (default: 1)")
    parser.add_argument("--losses", type=int, default=50, metavar="K", help="losses of power after each operation")
    parser.add_argument("--seconds", type=float, default=1e9, help="start no scenario after this time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if "JIGSAT_FAULTS" not in os.environ:
            compiled = library(Path(name))
            if compiled is None:
                print("no faults: there is no C compiler, or no /proc")
                return 0
            preload = {**os.environ, "LD_PRELOAD": str(compiled), "JIGSAT_FAULTS": "1"}
            return os.spawnve(os.P_WAIT, sys.executable, [sys.executable, *sys.argv], preload)
        return _all(Path(name), options)


def _all(work: Path, options: argparse.Namespace) -> int:
    began, total = time.monotonic(), Counter[str]()
    pretended()
    print(f"{'':28}{'operations':>11}" + "".join(f"{word.lower():>13}" for word in VERDICTS), flush=True)
    for scenario in scenarios(work):
        if time.monotonic() - began > options.seconds:
            break
        if options.of and not any(scenario.name.startswith(word) for word in options.of):
            continue
        expected = undisturbed(scenario)
        most = operations(scenario)
        found = Counter[str]()
        for fault in options.fault:
            for number in [*numbers_of(scenario, fault, most)][:: options.every]:
                verdict, told = verdict_on(scenario, fault, number, expected)
                found[verdict] += 1
                if verdict in VERDICTS[3:]:
                    print(f"{scenario.name}, {fault} {number}: {verdict}: {told.strip()[:600]}", flush=True)
        print(f"{scenario.name:28}{most:>11}" + "".join(f"{found[word]:>13}" for word in VERDICTS), flush=True)
        total += found
    print(f"{f'{total.total()} faults':39}" + "".join(f"{total[word]:>13}" for word in VERDICTS))
    return 1 if any(total[word] for word in VERDICTS[3:]) + _power_losses(work, options.losses) else 0


def _power_losses(work: Path, each: int) -> int:
    """The number of losses of power after which something was missing."""
    wrong = 0
    for name in RUNS_AND_CHECKS if each else ():
        (work / name).mkdir()
        number, faults = faults_of(name, work / name, each)
        print(f"power lost, {name}: {number} times, {len(faults)} wrong", *faults[:20], sep="\n  ")
        wrong += len(faults)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
