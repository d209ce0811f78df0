"""What is installed beside jigsat, found without `importlib.metadata`, which takes longer to load than to answer."""

import os
import sys


def _records() -> tuple[str, ...] | None:
    """The folders in which installers record packages; None if some packages may be elsewhere."""
    if any(hasattr(finder, "find_distributions") for finder in sys.meta_path if not _is_usual(finder)):
        return None
    found = []
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except NotADirectoryError:  # an archive
            return None
        except OSError:
            continue
        found += [os.path.join(folder, name) for name in names if name.endswith((".dist-info", ".egg-info"))]
    return tuple(found)


def _is_usual(finder: object) -> bool:
    return getattr(finder, "__module__", "").startswith("_frozen_importlib")


def version_of(package: str) -> str:
    """The version of a package whose name has no hyphens; raises PackageNotFoundError if it is not installed."""
    for path in _records() or ():
        name, _, version = os.path.basename(path).removesuffix(".dist-info").partition("-")
        if name == package and path.endswith(".dist-info"):
            return version
    from importlib.metadata import version as version_of_record

    return version_of_record(package)


def may_offer(group: str) -> bool:
    """Whether an installed package may have entry points in a group."""
    records = _records()
    if records is None:
        return True
    for path in records:
        try:
            with open(os.path.join(path, "entry_points.txt"), encoding="utf-8", errors="replace") as file:
                if group in file.read():
                    return True
        except OSError:
            continue
    return False
