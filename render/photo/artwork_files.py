"""The files for pictures: the jigsaw, its artwork, and the moves of its pieces from one picture to the others."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...csp.base.errors import InstanceError, UsageError
from ...csp.base.safe_files import writing
from ...csp.files.instances import save
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .arrays import write_picture
from .blend import Artwork, outlined
from .mapping import write_map, write_table
from .raster import Tabs, owners


def file_names(number: int) -> tuple[str, ...]:
    """The files that are written into the folder for that many pictures."""
    assemblies = [f"assembly-{each}.png" for each in range(1, number + 1)]
    maps = ["uv-map.png", *(f"uv-map-{each}.png" for each in range(3, number + 1))]
    return ("jigsaw.json", "artwork.png", *assemblies, "mapping.csv", *maps)


#: All files that may be written, and of which an earlier run may have left some.
ALL_FILES = file_names(3)


@contextmanager
def made_folder(name: str | Path) -> Iterator[Path]:
    """A context with the folder of that name, which is made if it does not exist, and removed if nothing comes into it.

    Raises UsageError or InstanceError if the name is not that of a folder, or the folder cannot be made.
    """
    if str(name) in ("", "-"):
        raise UsageError(f"{str(name)!r} is not the name of a folder; give one, because several files are written")
    folder = Path(name)
    try:
        new = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise InstanceError(f"{folder}: is not a folder; give an existing or a new folder") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InstanceError(f"{folder}: cannot be made: {reason}") from error
    try:
        yield folder
    finally:
        with suppress(OSError):  # one that is not empty, as it should be
            for each in new:
                each.rmdir()


def write_files(folder: Path, puzzle: EdgeMatchingPuzzle, artwork: Artwork, pixels: int, tabs: Tabs) -> None:
    """Write all files, with `pixels` pixels for the side of a piece; remove those of a third picture before."""
    number = len(artwork.shown)
    for name in ALL_FILES:
        if name not in file_names(number):
            with writing(folder / name):
                (folder / name).unlink(missing_ok=True)
    jigsaw, picture, *others = (folder / name for name in file_names(number))
    save(puzzle, jigsaw)
    write_picture(artwork.shown[0], picture)
    for shown, assembly, path in zip(artwork.shown, puzzle.assemblies, others, strict=False):
        write_picture(outlined(shown, owners(puzzle, assembly, pixels, tabs)), path)
    write_table(puzzle, others[number], number)
    for other, path in enumerate(others[number + 1 :], start=1):
        write_map(puzzle, artwork.there[other - 1], pixels, tabs, path, other)
