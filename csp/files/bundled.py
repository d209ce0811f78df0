"""The bundled puzzles, by name."""

import re
from pathlib import Path

BUNDLED = Path(__file__).resolve().parents[2] / "instances"


def bundled_names(*kinds: str) -> list[str]:
    """The names of the bundled puzzles, of all or of the given kinds, by kind and then in alphabetical order."""
    return [path.stem for path in bundled_paths(*kinds)]


def bundled_paths(*kinds: str) -> list[Path]:
    kinds = kinds or ("edge-matching", "jigsaw", "dissection")
    return [path for kind in kinds for path in sorted((BUNDLED / kind).glob("*.json"))]


def bundled_certificate(name: str) -> Path | None:
    """The page of the certificate that is bundled with a puzzle of that name; None if there is no certificate."""
    found = BUNDLED / "jigsaw" / "certificates" / f"{name}.drat.json"
    return found if re.fullmatch("[a-z0-9-]+", name) and found.is_file() else None
