"""A folder that the user chose: the only one in which a server reads and writes files."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from .errors import InstanceError, shortened
from .safe_files import replacing_bytes

# The longest name of a file without its ending.
_LONGEST = 60


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

    def names(self, *endings: str) -> list[str]:
        """The files in the folder itself with one of these endings, the latest first."""
        if not self.path.is_dir():
            return []
        found = [path for path in self.path.iterdir() if path.suffix.lower() in endings and self._is_plain(path)]
        return [path.name for path in sorted(found, key=lambda path: -path.stat().st_mtime)]

    def experiments(self) -> list[str]:
        """The folders with the report of an experiment, the latest first."""
        found = [path for path in self.path.glob("[!.]*/report.html") if self._is_plain(path)]
        return [path.parent.name for path in sorted(found, key=lambda path: -path.stat().st_mtime)]

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

    def _is_plain(self, path: Path) -> bool:
        return path.is_file() and path.resolve().is_relative_to(self.path) and not path.name.startswith(".")

    @staticmethod
    def safe(wish: str) -> str:
        """A name as near to the wish as is safe."""
        plain = unicodedata.normalize("NFKC", wish)
        return re.sub(r"[^\w.-]+", "-", plain).strip("-.")[:_LONGEST].strip("-.") or "puzzle"
