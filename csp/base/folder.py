"""A folder that the user chose: the only one in which a server reads and writes files."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from .errors import InstanceError, shortened
from .safe_files import replacing_bytes

# The longest name of a file without its ending.
_LONGEST = 60
# The most files that a zip file may have, and their bytes.
_MOST_FILES, _MOST_BYTES = 100, 2**28


class Folder:
    """A folder, made with its first file, and the files below it.

    Parameters
    ----------
    path
        Where it is.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).resolve()

    def file(self, name: str) -> Path:
        """The file with a name, such as ``"two/laser.svg"``; it need not exist.

        Raises InstanceError if that is not a place in the folder, also by way of a link.
        """
        parts = name.split("/")
        found = self.path.joinpath(*parts)
        hidden = any(part in ("", "..") or part.startswith(".") or re.search(r"[\\:\x00-\x1f]", part) for part in parts)
        if hidden or not found.resolve().is_relative_to(self.path):
            raise InstanceError(f"{shortened(repr(name))}: is not a file in the folder")
        return found

    def names(self, *endings: str, below: str = "") -> list[str]:
        """The files in the folder itself with one of these endings, the latest first.

        With `below` also the files of that name in the folders in it.
        """
        if not self.path.is_dir():
            return []
        found = [path for path in self.path.iterdir() if path.suffix.lower() in endings]
        found += self.path.glob(f"[!.]*/{below}") if below else []
        plain = sorted(filter(self._is_plain, found), key=lambda path: -path.stat().st_mtime)
        return [path.relative_to(self.path).as_posix() for path in plain]

    def experiments(self) -> list[str]:
        """The folders with the report of an experiment, the latest first."""
        return [name.partition("/")[0] for name in self.names(below="report.html")]

    def free_name(self, wish: str, ending: str = "") -> str:
        """A name for a new file or folder, as near to the wish as is safe; none has it yet."""
        stem = self.safe(wish)
        names = (f"{stem}{f'-{number}' if number > 1 else ''}{ending}" for number in count(1))
        return next(name for name in names if not (self.path / name).exists())

    def save(self, wish: str, content: bytes) -> str:
        """Write a new file whose name is like that of an uploaded one; return its name."""
        stem, dot, ending = wish.replace("\\", "/").rpartition("/")[2].rpartition(".")
        name = self.free_name(stem or ending, dot and f".{self.safe(ending).lower()}" if stem else "")
        self.path.mkdir(parents=True, exist_ok=True)
        with replacing_bytes(self.path / name, noted=False) as file:
            file.write(content)
        return name

    def below(self, name: str) -> Iterator[str]:
        """A file, or all files below a folder."""
        path = self.file(name)
        for found in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if found.is_file() and self._is_plain(found):
                yield found.relative_to(self.path).as_posix()

    def pack(self, output: str, names: Iterable[str], words: Mapping[str, str]) -> None:
        """Write a zip file with files of the folder, without the folders that they are in, and with texts by names."""
        with replacing_bytes(self.file(output), noted=False) as file, ZipFile(file, "w", ZIP_DEFLATED) as packed:
            for name in names:
                packed.write(self.file(name), PurePosixPath(name).name)
            for name, text in words.items():
                packed.writestr(name, text)

    def unpack(self, source: str, needed: str) -> str:
        """Write the files of a zip file in the folder into a new one, of which the name is returned.

        - `needed`: a file that it must have; those beside it are written, and no others.

        Raises InstanceError if the file is no zip file, is too large, or lacks what is needed.
        """
        wrong = f"{source}: is not a zip file with {needed}, as the studio makes them"
        try:
            with ZipFile(self.file(source)) as packed:
                whole = next((one for one in packed.namelist() if PurePosixPath(one).name == needed), None)
                parent = PurePosixPath(whole or "").parent
                beside = [one for one in packed.infolist() if PurePosixPath(one.filename).parent == parent]
                files = [one for one in beside if not one.is_dir() and PurePosixPath(one.filename).name[0] != "."]
                size = sum(one.file_size for one in files)
                if whole is None or len(files) > _MOST_FILES or size > _MOST_BYTES:
                    raise InstanceError(wrong)
                made = self.free_name(PurePosixPath(source).stem)
                contents = {self.file(f"{made}/{PurePosixPath(one.filename).name}"): packed.read(one) for one in files}
        except (BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
            raise InstanceError(wrong) from error
        for path, content in contents.items():
            path.parent.mkdir(exist_ok=True)
            with replacing_bytes(path, noted=False) as file:
                file.write(content)
        return made

    def _is_plain(self, path: Path) -> bool:
        return path.is_file() and path.resolve().is_relative_to(self.path) and not path.name.startswith(".")

    @staticmethod
    def safe(wish: str) -> str:
        """A name as near to the wish as is safe."""
        plain = unicodedata.normalize("NFKC", wish)
        return re.sub(r"[^\w.-]+", "-", plain).strip("-.")[:_LONGEST].strip("-.") or "puzzle"
