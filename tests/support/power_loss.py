"""What may be on a disk after a loss of power, and what must be: the operations of a recorded run, up to any of them.

What was written before the last fsync of a file is there.  Of later writes any sectors may be missing, and the file
may already have its new length.  Names appear, move and vanish in order; they are there for certain after an fsync of
their folder, and that of a new file also after an fsync of the file.
"""

import ctypes
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from damage import KEY, SHARES
from jigsat.csp.base.safe_files import replacing
from jigsat.csp.search.counting.ledger import open_ledger

_SECTOR = 512

#: An operation: its letter in `faults.c`, path, other path, offset, and bytes; a mark has the letter M and a number.
Operation = tuple[str, str, str, int, bytes]
#: Marks a moment of a run by a number.
Mark = Callable[[int], None]


def recorded(run: Callable[[Path, Mark], object]) -> tuple[dict[str, bytes], list[Operation]]:
    """The files before a run, and all its operations.  It is given the folder and a mark."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile() as log:
        folder = Path(name).resolve()
        (folder / "old").write_bytes(b"old")
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        child = os.fork()
        if child == 0:
            shim = ctypes.CDLL(None)
            shim.fault_arm(f"{folder}".encode(), ctypes.c_long(0), 0, log.fileno())
            try:
                run(folder, lambda number: os.write(log.fileno(), f"M\t\t\t{number}\t0\n".encode()))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        log.seek(0)
        operations: list[Operation] = []
        while line := log.readline():
            letter, path, other, offset, size = line.decode().rstrip("\n").split("\t")
            data = log.read(int(size)) if letter == "W" else b""
            names = [one.removeprefix(str(folder)).removeprefix("/") for one in (path, other)]
            operations.append((letter, names[0], names[1], int(offset), data))
        return before, operations


@dataclass
class _File:
    durable: bytes = b""
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def after(self, chance: Random) -> bytes:
        """What may be there: all, nothing or some sectors of what was not synced."""
        text, share = bytearray(self.durable), chance.choice((0.0, 0.5, 0.9, 1.0))
        for offset, data in self.pending:
            if data is None:
                if chance.random() < share:
                    del text[offset:]
                    text.extend(bytes(offset - len(text)))
                continue
            for at in range(0, len(data), _SECTOR):
                if chance.random() < share:
                    piece = data[at : at + _SECTOR]
                    text.extend(bytes(max(offset + at - len(text), 0)))
                    text[offset + at : offset + at + len(piece)] = piece
            if share and chance.random() < 0.3:
                text.extend(bytes(max(offset + len(data) - len(text), 0)))
        return bytes(text)


def losses(
    before: dict[str, bytes], operations: list[Operation], chance: Random, each: int
) -> Iterator[tuple[int, dict[str, bytes]]]:
    """The last mark and the files after a loss of power after any of the operations, `each` possibilities of each."""
    durable = {name: _File(text) for name, text in before.items()}
    live, names = dict(durable), list[Callable[[dict[str, _File]], object]]()
    mark = -1
    for letter, path, other, offset, data in operations:
        file = live.get(path)
        match letter:
            case "M":
                mark = offset
            case "C":
                made = live[path] = _File()
                names.append(lambda files, path=path, made=made: files.__setitem__(path, made))
            case "W" if file is not None:
                file.pending.append((offset, data))
            case "T" if file is not None:
                file.pending.append((offset, None))
            case "S" if file is not None:
                whole = Random(0)
                whole.choice = lambda values: values[-1]  # type: ignore[method-assign,assignment,return-value]
                file.durable, file.pending = file.after(whole), []
                if path not in durable:
                    durable[path] = file
            case "S":
                for change in names:
                    change(durable)
                names.clear()
            case "R" | "L" | "U":

                def change(files: dict[str, _File], letter: str = letter, path: str = path, other: str = other) -> None:
                    moved = files.get(path) if letter == "L" else files.pop(path, None)
                    if letter != "U" and moved is not None:
                        files[other] = moved

                change(live)
                names.append(change)
        for _ in range(each):
            files = dict(durable)
            for change in names[: chance.randrange(len(names) + 1)]:
                change(files)
            yield mark, {name: file.after(chance) for name, file in files.items()}


def write_ledger(folder: Path, mark: Mark) -> None:
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


def write_answer(folder: Path, mark: Mark) -> None:
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
