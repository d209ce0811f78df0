"""The version of the program, which long work depends on in addition to the puzzle and the options."""

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

_CSP = Path(__file__).parents[1]


@cache
def code_version(root: Path = _CSP) -> str:
    """The package's version and a digest of the sources that counts depend on, as in ``0.1.0+3f8a0c61b2d4``.

    These are all modules below `root`, the layer of the searches, which imports nothing from the layers above it. Two
    processes with the same version number the parts of a count in the same way and find the same in each of them.
    """
    digest = sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in root.rglob("*.py")):
        text = path.read_bytes()
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return f"{version('jigsat')}+{digest.hexdigest()[:12]}"
