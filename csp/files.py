"""Reading and writing text files: size and encoding checked on the way in, whole or not at all on the way out."""

import codecs
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from .errors import InstanceError

_CHUNK = 2**20


def read_text(source: str | Path, most: int, accept: Callable[[str], object] | None = None) -> str:
    """The text of a file, or of standard input if `source` is ``-``.

    Parameters
    ----------
    source
        A path, or ``-``.
    most
        The number of bytes that are read at most.
    accept
        Is shown the first part of the text and may raise, so that what is no such file is not read to its end.

    Raises
    ------
    InstanceError
        If the file cannot be read, is too large, or is not UTF-8.
    """
    label = label_of(source)
    try:
        if str(source) == "-":
            if sys.stdin is None:
                raise InstanceError(f"{label}: cannot be read: it is closed")
            return _decoded(sys.stdin.buffer, label, most, accept)
        with Path(source).open("rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size > most:
                raise _too_large(label, most)
            return _decoded(file, label, most, accept)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InstanceError(f"{label}: cannot be read: {reason}") from error


def label_of(source: str | Path) -> str:
    """What errors call a source."""
    return "standard input" if str(source) == "-" else str(source)


def _decoded(file: BinaryIO, label: str, most: int, accept: Callable[[str], object] | None) -> str:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    parts: list[str] = []
    size = 0
    while True:
        data = file.read(_CHUNK)
        try:
            parts.append(decoder.decode(data, final=not data))
        except UnicodeDecodeError as error:
            # What the decoder kept back of the last part comes before this one.
            byte = size + error.start - (len(error.object) - len(data))
            raise InstanceError(f"{label}: not a text file: byte {byte} is not UTF-8") from error
        size += len(data)
        if size > most:
            raise _too_large(label, most)
        if accept is not None and len(parts) == 1:
            accept(parts[0])
        if not data:
            return "".join(parts)


def _too_large(label: str, most: int) -> InstanceError:
    return InstanceError(f"{label}: larger than the {most // 2**20} MiB that such a file may have")


@contextmanager
def replacing(path: str | Path) -> Iterator[IO[str]]:
    """A text file that takes the place of `path` when all has been written to it; ``-`` is standard output.

    Raises
    ------
    InstanceError
        If it cannot be written.
    """
    if str(path) == "-":
        yield sys.stdout
        return
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        # A device or a pipe is written to, not replaced.
        with _writing(path), path.open("w", encoding="utf-8") as file:
            yield file
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InstanceError(f"{path}: cannot be written: {reason}") from error
    try:
        with _writing(path):
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                yield file
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Errors of the system in one line."""
    try:
        yield
    except OSError as error:
        raise InstanceError(f"{path}: cannot be written: {error.strerror}") from error
