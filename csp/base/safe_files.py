"""Reading text files with checks of size and encoding, and writing files completely or not at all."""

import codecs
import errno
import gzip
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from .errors import InstanceError

_CHUNK = 2**20
# The files of open descriptors.
_DESCRIPTOR = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/\w+/fd/\d+")
# The temporary files that are being written.
_UNFINISHED: set[str] = set()
# The files that were written, in their order, for each `noting` that has begun and not ended.
_NOTED: list[dict[str, None]] = []


def read_text(source: str | Path, most: int, accept: Callable[[str], object] | None = None) -> str:
    """The whole text of a file, as `text_parts` reads it, which is better for files that may be large."""
    return "".join(text_parts(source, most, accept))


def text_parts(source: str | Path, most: int, accept: Callable[[str], object] | None = None) -> Iterator[str]:
    """The text of a file of at most that many bytes, or of standard input if `source` is ``-``, in parts of 1 MiB.

    `accept` is called with the first part; it may raise, so that a file of another kind is not read to its end.  Raises
    InstanceError if the file cannot be read, is too large, or is neither UTF-8 nor UTF-16.
    """
    label = label_of(source)
    parts = _opened_parts(source, label, most)
    if accept is not None:
        first = next(parts)
        accept(first)
        yield first
    yield from parts


def _opened_parts(source: str | Path, label: str, most: int) -> Iterator[str]:
    try:
        if str(source) == "-":
            if sys.stdin is None:
                raise InstanceError(f"{label}: cannot be read: it is closed")
            yield from _decoded(_unpacked(sys.stdin.buffer), label, most)
            return
        with Path(source).open("rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size > most:
                raise _too_large(label, most)
            yield from _decoded(_unpacked(file), label, most)
    except UNREADABLE as error:
        raise unreadable(label, error) from error


@contextmanager
def open_unpacked(path: str | Path) -> Iterator[BinaryIO]:
    """A file opened to read what it holds, also if that is packed by gzip."""
    with Path(path).open("rb") as file:
        yield _unpacked(file)


def first_bytes(path: str | Path, most: int) -> bytes:
    """The first bytes of what a file holds, at most this number; raises InstanceError if it cannot be read."""
    try:
        with open_unpacked(path) as file:
            return file.read(most)
    except UNREADABLE as error:
        raise unreadable(path, error) from error


#: What reading a file raises, also one that is packed.
UNREADABLE = (OSError, ValueError, EOFError, zlib.error)


def unreadable(label: object, error: Exception) -> InstanceError:
    """The error that says why a file cannot be read."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return InstanceError(f"{label}: cannot be read: {reason}")


def _unpacked(file: Any) -> BinaryIO:
    packed = hasattr(file, "peek") and file.peek(2)[:2] == b"\x1f\x8b"
    return cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file


def joined(parts: Iterable[str], label: str, most: int) -> str:
    """The text of these parts; raises InstanceError if it has more characters than `most`."""
    kept: list[str] = []
    size = 0
    for part in parts:
        size += len(part)
        if size > most:
            raise _too_large(label, most)
        kept.append(part)
    return "".join(kept)


def label_of(source: str | Path) -> str:
    """The name of a source in error messages."""
    return "standard input" if str(source) == "-" else str(source)


def _decoded(file: BinaryIO, label: str, most: int) -> Iterator[str]:
    """The parts of a text, at least one."""
    size, wide = 0, 1
    data = file.read(_CHUNK)
    encoding = _encoding(data)
    decoder = codecs.getincrementaldecoder(encoding)()
    while True:
        try:
            part = decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            name = "UTF-8" if encoding == "utf-8-sig" else "UTF-16"
            # Bytes that the decoder kept from the last part come before this one.
            byte = size + error.start - (len(error.object) - len(data))
            raise InstanceError(f"{label}: not a text file: byte {byte} is not {name}") from error
        size += len(data)
        # One letter such as an emoji makes the whole text take four bytes a letter.
        if wide == 1 and not part.isascii() and re.search("[\U00010000-\U0010ffff]", part):
            wide = 4
        if size > most or size * wide > max(2 * most, _CHUNK):
            raise _too_large(label, most)
        yield part
        if not data:
            return
        data = file.read(_CHUNK)


def _encoding(start: bytes) -> str:
    """The encoding of a text: UTF-8, or UTF-16, which has a mark or zeros in its first two letters."""
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    zeros = [byte == 0 for byte in start[:4]]
    if len(zeros) < 4 or zeros[0] == zeros[1] or zeros[:2] != zeros[2:]:
        return "utf-8-sig"
    return "utf-16-be" if zeros[0] else "utf-16-le"


def _too_large(label: str, most: int) -> InstanceError:
    return InstanceError(f"{label}: larger than {most // 2**20} MiB, the limit for such a file")


def refuse_same_file(output: str | Path, *sources: str | Path | None) -> None:
    """Raise InstanceError if an output file is also a source; sources may be None."""
    if any(source is not None and _is_same_file(source, output) for source in sources):
        raise InstanceError(f"{output}: is also the input file and would be overwritten; choose another output file")


def _is_same_file(source: str | Path, output: str | Path) -> bool:
    try:
        read = os.stat(0 if str(source) == "-" else source)
        return str(output) != "-" and stat.S_ISREG(read.st_mode) and os.path.samestat(read, os.stat(output))
    except (OSError, ValueError):  # one of them is not a file; opening it will raise
        return False


def is_stream(path: str | Path) -> bool:
    """Whether this is standard output, a device or a pipe, which is written to and has no earlier contents."""
    try:
        return str(path) == "-" or bool(_DESCRIPTOR.fullmatch(str(path))) or not stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


@contextmanager
def noting() -> Iterator[dict[str, None]]:
    """A context that gives the paths of the files that are written within it, in their order."""
    _NOTED.append({})
    try:
        yield _NOTED[-1]
    finally:
        _NOTED.pop()


def replacing(path: str | Path, *, noted: bool = True) -> AbstractContextManager[IO[str]]:
    """A text file that replaces `path` when everything has been written; ``-`` is standard output.

    If `path` is not a regular file (a device, a pipe), it is written to and not replaced.  Files of jigsat itself, such
    as those of its caches, are not `noted`.

    Raises InstanceError if it cannot be written.
    """
    return _standard_output() if str(path) == "-" else _replacing(path, "", "utf-8", noted)


def replacing_bytes(path: str | Path, *, noted: bool = True) -> AbstractContextManager[IO[bytes]]:
    """The same as `replacing` for a binary file."""
    return _standard_output_bytes() if str(path) == "-" else _replacing(path, "b", None, noted)


@contextmanager
def _replacing(path: str | Path, kind: str, encoding: str | None, noted: bool) -> Iterator[IO[Any]]:
    # The same bytes on every system.
    newline = "\n" if encoding else None
    with writing(path):
        mode = _mode(path)
        # The file of an open descriptor is appended to: replacing it would lose what others wrote there.
        descriptor = _DESCRIPTOR.fullmatch(str(path))
        if descriptor or (mode is not None and not stat.S_ISREG(mode)):
            with Path(path).open(("a" if descriptor else "w") + kind, encoding=encoding, newline=newline) as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        with temporary_beside(target) as temporary:
            with temporary.open("w" + kind, encoding=encoding, newline=newline) as file:
                yield file
                file.flush()
                # The new file must not take the place of an earlier one before its contents are on the disk.
                os.fsync(file.fileno())
            if mode is None:
                # Of a newly created file.
                os.umask(mask := os.umask(0))
                mode = 0o666 & ~mask
            os.chmod(temporary, stat.S_IMODE(mode))
            os.replace(temporary, target)
    for files in _NOTED if noted else ():
        files[str(path)] = None


def move_over(source: Path, target: Path) -> None:
    """Move a finished file, also over another one; raises InstanceError if that fails."""
    with writing(target):
        os.replace(source, target)
    for files in _NOTED:
        files.pop(str(source), None)
        files[str(target)] = None


@contextmanager
def temporary_beside(target: Path) -> Iterator[Path]:
    """An empty file in the folder of `target`, removed if the work in the context fails or the process ends."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.")
    os.close(handle)
    with unfinished(name):
        try:
            yield Path(name)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A folder that is removed at the end, also by `remove_unfinished`; raises InstanceError if it cannot be made."""
    try:
        made = tempfile.TemporaryDirectory()
    except OSError as error:
        why = f"no temporary folder can be made: {error.strerror}"
        raise InstanceError(f"{why}; set TMPDIR to a folder that has room") from error
    with made as folder, unfinished(folder):
        yield folder


@contextmanager
def unfinished(path: str) -> Iterator[None]:
    """A context in which `remove_unfinished` removes a temporary file or folder."""
    _UNFINISHED.add(path)
    try:
        yield
    finally:
        _UNFINISHED.discard(path)


def remove_unfinished() -> None:
    """Remove all temporary files and folders, since the process is about to end."""
    for path in list(_UNFINISHED):
        with suppress(OSError):
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


@contextmanager
def _standard_output() -> Iterator[IO[str]]:
    """Standard output in UTF-8, whatever the terminal's encoding, because the output is a file."""
    file = _open_output()
    if not isinstance(file, io.TextIOWrapper):
        yield file
        return
    encoding, errors = file.encoding, file.errors
    file.reconfigure(encoding="utf-8", errors="strict")
    try:
        yield file
    finally:
        file.reconfigure(encoding=encoding, errors=errors)


@contextmanager
def _standard_output_bytes() -> Iterator[IO[bytes]]:
    file = _open_output()
    file.flush()
    if hasattr(file, "buffer"):
        yield file.buffer
        file.buffer.flush()
        return
    # A notebook's output and `io.StringIO` take text only.
    content = io.BytesIO()
    yield content
    try:
        file.write(content.getvalue().decode())
    except UnicodeDecodeError:
        raise InstanceError("standard output: takes text only; name a file") from None


def _open_output() -> Any:
    if sys.stdout is None:
        raise InstanceError("standard output: cannot be written: it is closed")
    return sys.stdout


def _mode(path: str | Path) -> int | None:
    """Type and permissions of a file, None if it does not exist."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None
    except ValueError as error:  # a null character in the path
        raise OSError(errno.EINVAL, str(error)) from error


@contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """A context that reports errors of the system in one line, as InstanceError."""
    try:
        yield
    except BrokenPipeError:  # the reader has closed its end; the path is not at fault
        raise
    except OSError as error:
        raise InstanceError(f"{path}: cannot be written: {error.strerror}") from error


def refuse_unwritable(path: str | Path) -> None:
    """Raise InstanceError, before long work, if `path` is a folder or no file can be made in its folder."""
    if str(path) == "-":
        return
    with writing(path):
        mode = _mode(path)
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not is_stream(path):
            with temporary_beside(Path(os.path.realpath(path))) as temporary:
                temporary.unlink()


def lock(descriptor: int) -> None:
    """Lock a file or folder until it is closed; raises BlockingIOError if another process has locked it."""
    from filelock import lock_descriptor

    try:
        locked = lock_descriptor(descriptor, blocking=False)
    except OSError:  # some network file systems have no locks
        return
    if not locked:
        raise BlockingIOError


@contextmanager
def alone_with(path: str | Path) -> Iterator[None]:
    """A context in which one process at a time replaces a file; raises BlockingIOError if another one does."""
    # Windows can neither replace an open file nor remove it, but it removes one of this kind when it is closed.
    beside, itself = f"{path}.lock", getattr(os, "O_TEMPORARY", 0)
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | itself, 0o666)
    try:
        lock(descriptor)
        if not (os.path.exists(beside) and os.path.samestat(os.fstat(descriptor), os.stat(beside))):
            raise BlockingIOError  # the process that had locked it has just removed it
        with unfinished(beside):
            try:
                yield
            finally:
                if not itself:
                    os.unlink(beside)
    finally:
        os.close(descriptor)


def sync_folder(folder: str | Path) -> None:
    """Write the names of a folder's files to the disk, so that they last if power is lost; Windows does so itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
