"""What may be on a disk after a loss of power: the operations of a recorded run, up to any of them.

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

_SECTOR = 512

#: An operation: its letter in `faults.c`, path, other path, offset, and bytes; a mark has the letter M and a number.
Operation = tuple[str, str, str, int, bytes]


def recorded(run: Callable[[Path, Callable[[int], None]], object]) -> tuple[dict[str, bytes], list[Operation]]:
    """The files before a run, and all its operations.  It is given the folder, and a function that marks a moment."""
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
