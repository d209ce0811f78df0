"""The files for two pictures: the jigsaw, its artwork, and the moves of its pieces from one picture to the other."""

from pathlib import Path

from ...csp.base.errors import InstanceError, UsageError
from ...csp.files.instances import save
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .arrays import write_picture
from .blend import Artwork, outlined
from .mapping import write_map, write_table
from .raster import Tabs, owners

#: The files that are written into the folder.
FILES = ("jigsaw.json", "artwork.png", "assembly-1.png", "assembly-2.png", "mapping.csv", "uv-map.png")


def made_folder(name: str | Path) -> Path:
    """Return the folder of that name; make it if it does not exist.

    Raises
    ------
    UsageError, InstanceError
        If the name is not that of a folder, or the folder cannot be made.
    """
    if str(name) in ("", "-"):
        raise UsageError(f"{str(name)!r} is not the name of a folder; give one, because several files are written")
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise InstanceError(f"{folder}: is not a folder; give an existing or a new folder") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InstanceError(f"{folder}: cannot be made: {reason}") from error
    return folder


def write_files(folder: Path, puzzle: EdgeMatchingPuzzle, artwork: Artwork, pixels: int, tabs: Tabs) -> None:
    """Write all of `FILES`, with `pixels` pixels for the side of a piece."""
    jigsaw, picture, *assemblies, table, uv_map = (folder / name for name in FILES)
    save(puzzle, jigsaw)
    write_picture(artwork.first, picture)
    for number, shown in enumerate((artwork.first, artwork.second)):
        owner = owners(puzzle, puzzle.assemblies[number], pixels, tabs)
        write_picture(outlined(shown, owner), assemblies[number])
    write_table(puzzle, table)
    write_map(puzzle, artwork.there, pixels, tabs, uv_map)
