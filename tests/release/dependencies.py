"""Licences of what jigsat depends on, and a bill of materials (SBOM), from the metadata of what is installed.

python tests/release/dependencies.py --page       writes the page on licences
python tests/release/dependencies.py FILE.json    writes the SBOM of jigsat and all that it needs, in CycloneDX 1.5

The hashes in the SBOM are those of `test.txt`, one for each file of a release.
"""

import argparse
import json
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE, LOCK = ROOT / "docs/reference/licences.md", Path(__file__).with_name("test.txt")
UNKNOWN = "not declared"
#: What words in metadata stand for, as SPDX identifiers; BSD without a number is one of several.
SPDX = {
    "MIT License": "MIT", "Apache 2.0": "Apache-2.0", "Apache Software License": "Apache-2.0", "BSD License": "BSD",
    "BSD 2-Clause License": "BSD-2-Clause", "3-Clause BSD License": "BSD-3-Clause",
    "Python Software Foundation License": "PSF-2.0",
}  # fmt: skip
HEAD = """# Licences of dependencies

What jigsat installs, and what each extra adds, with the licences that their metadata declare. jigsat itself is under
the MIT licence. `python tests/release/dependencies.py --page` writes this page; the [SBOM](../contributing.md#releases)
also has what these packages need in turn.

| package | for | licence |
|---|---|---|
"""


def name_of(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    assert match is not None
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def direct() -> dict[str, list[str]]:
    """The direct dependencies of pyproject.toml, with the extras that need them; `jigsat` for all users."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found: dict[str, list[str]] = {}
    for extra, needed in {"jigsat": project["dependencies"], **project["optional-dependencies"]}.items():
        for requirement in needed:
            found.setdefault(name_of(requirement), []).append(extra)
    del found["jigsat"]
    return dict(sorted(found.items()))


def licence_of(package: str) -> str | None:
    """The licence that the metadata declare, as an SPDX expression where it is one; None if it is not installed."""
    try:
        about = metadata(package)
    except PackageNotFoundError:
        return None
    known = [line.rpartition(":: ")[2] for line in about.get_all("Classifier", []) if line.startswith("License ::")]
    word = about.get("License") or ""
    short = word if len(word) <= 60 and "\n" not in word else ""
    said = about.get("License-Expression") or (SPDX.get(short) or short) or " AND ".join(known)
    return SPDX.get(said, said) or UNKNOWN


def rows() -> dict[str, str]:
    """The lines of the page by package; those that no installed package declares stay as they are."""
    lines = PAGE.read_text().splitlines() if PAGE.exists() else []
    before = {line.split()[1]: line for line in lines if line.startswith("| ")}
    return {
        package: before.get(package, f"| {package} | {', '.join(extras)} | ? |")
        if (licence := licence_of(package)) in (None, UNKNOWN)
        else f"| {package} | {', '.join(extras)} | {licence} |"
        for package, extras in direct().items()
    }


def needed_by(package: str, found: dict[str, list[str]]) -> dict[str, list[str]]:
    """All that is installed and needed by a package, without extras: each with what it needs itself."""
    if package not in found:
        found[package] = []
        for requirement in requires(package) or []:
            other = name_of(requirement)
            if "extra ==" not in requirement and licence_of(other) is not None:
                found[package].append(other)
                needed_by(other, found)
    return found


def component(package: str, hashes: list[str]) -> dict[str, Any]:
    licence = licence_of(package) or ""
    purl = f"pkg:pypi/{package}@{version(package)}"
    is_spdx = licence != "BSD" and re.fullmatch(r"[\w.+-]+( (AND|OR|WITH) [\w.+-]+)*", licence) is not None
    return {
        "type": "library", "bom-ref": purl, "name": package, "version": version(package), "purl": purl,
        "licenses": [{"expression": licence}] if is_spdx else [{"license": {"name": licence}}],
        # One for each file of the release: which is installed depends on the system.
        **({"externalReferences": [{"type": "distribution", "url": purl, "hashes": [
            {"alg": "SHA-256", "content": one} for one in hashes]}]} if hashes else {}),
    }  # fmt: skip


def bill() -> dict[str, Any]:
    """The SBOM; it has no time and no random number, so it is the same for the same environment."""
    locked = re.split(r"\n(?=\S)", LOCK.read_text())
    hashes = {tuple(text.split()[0].split("==")): re.findall("sha256:([0-9a-f]{64})", text) for text in locked}
    needed = needed_by("jigsat", {})
    parts = {name: component(name, hashes.get((name, version(name)), [])) for name in sorted(needed)}
    root = parts.pop("jigsat")
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {**root, "type": "application"}},
        "components": [*parts.values()],
        "dependencies": [
            {"ref": {"jigsat": root, **parts}[name]["bom-ref"],
             "dependsOn": sorted({parts[other]["bom-ref"] for other in others})}
            for name, others in sorted(needed.items())
        ],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, help="the SBOM to write")
    parser.add_argument("--page", action="store_true", help="write the page on licences")
    asked = parser.parse_args()
    if asked.page:
        PAGE.write_text(HEAD + "\n".join(rows().values()) + "\n")
    if asked.file:
        asked.file.write_text(json.dumps(bill(), indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
