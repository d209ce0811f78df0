"""Ledgers and answers written while power may be lost, and what must be there afterwards."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from damage import KEY, SHARES
from jigsat.csp.base.safe_files import replacing
from jigsat.csp.search.counting.ledger import open_ledger
from power_loss import losses, recorded

_Mark = Callable[[int], None]


def write_ledger(folder: Path, mark: _Mark) -> None:
    with open_ledger(folder / "a.ledger", KEY) as ledger:
        mark(0)
        for number, share in enumerate(SHARES[:6], start=1):
            ledger.record(share, 0.5)
            ledger._book.keep([number, "x" * 300 * number])
            ledger._book.flush()
            mark(number)


def ledger_is_kept(folder: Path, mark: int) -> bool:
    """All shares that were recorded, and perhaps the next; and the state that was kept, or the next."""
    at = max(mark, 0)
    with open_ledger(folder / "a.ledger", KEY) as ledger:
        state = ledger._book.state
        kept = 0 if state is None else state[0]
        return ledger.shares in (SHARES[:at], SHARES[: at + 1]) and at <= kept <= len(ledger.shares)


def write_answer(folder: Path, mark: _Mark) -> None:
    with replacing(folder / "old") as file:
        file.write("new" * 5000)
    mark(1)


def answer_is_kept(folder: Path, mark: int) -> bool:
    """The earlier file or the new one, nothing between."""
    return (folder / "old").read_text() in ("old", "new" * 5000)


RUNS_AND_CHECKS = {"ledger": (write_ledger, ledger_is_kept), "answer": (write_answer, answer_is_kept)}


def faults_of(name: str, folder: Path, each: int) -> tuple[int, list[str]]:
    """The number of losses of power during a run, and what went wrong after some of them."""
    run, kept = RUNS_AND_CHECKS[name]
    number, wrong = 0, []
    for number, (mark, files) in enumerate(losses(*recorded(run), Random(1), each), start=1):
        place = folder / str(number)
        place.mkdir()
        for path, text in files.items():
            (place / path).write_bytes(text)
        try:
            if not kept(place, mark):
                wrong.append(f"{name} {number}: after mark {mark} something is missing")
        except Exception as error:
            wrong.append(f"{name} {number}: {type(error).__name__}: {error}")
    return number, wrong
