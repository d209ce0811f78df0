"""The pages of certificates: the claim, the puzzle, how the formula was built, and the names of the other files."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from ...csp.base.errors import InstanceError, shortened
from ...csp.base.safe_files import text_parts
from ...csp.base.strict_json import block, header_lines
from ...csp.files.instances import Puzzle, files_of, fingerprint
from ...csp.files.streams import JsonList

MOST_PAGE = 2**28
# The most characters of one of several claims.
_MOST_CLAIM = 2**24
_SEVERAL = "jigsat-certificate/2"
_IS_SEVERAL = re.compile(rf'\s*\{{\s*"format"\s*:\s*"{_SEVERAL}"')


class Page(BaseModel):
    """The common fields of the pages of all certificates."""

    model_config = ConfigDict(extra="ignore")

    class File(BaseModel):
        """One of the other files: its name in the same folder, and the SHA-256 of its bytes."""

        model_config = ConfigDict(extra="forbid")
        file: StrictStr
        sha256: Annotated[StrictStr, Field(pattern="^[0-9a-f]{64}$")]

    format: Literal["jigsat-certificate/1"]
    states: StrictStr
    instance: Annotated[StrictStr, Field(min_length=1, max_length=200)]
    sha256: Annotated[StrictStr, Field(pattern="^[0-9a-f]{64}$")]
    jigsat: StrictStr
    encoding: StrictStr
    symmetry: StrictBool
    formula: File
    proof: File
    solver: StrictStr
    checked: dict[str, Any]

    def is_of(self, folder: Path) -> bool:
        """Whether the formula and the proof in a folder are those that were written with the page.

        Raises InstanceError if one of them cannot be read.
        """
        return all(digest_of(folder / file.file) == file.sha256 for file in (self.formula, self.proof))


class OnBoard(BaseModel):
    """What each of several claims has besides its page: the board, and the pieces that are on no solution."""

    model_config = ConfigDict(extra="ignore")

    rows: Annotated[StrictInt, Field(ge=1)]
    columns: Annotated[StrictInt, Field(ge=1)]
    left_over: list[StrictInt]


class Pages(BaseModel):
    """The page of a certificate of several claims: the same pieces on several boards."""

    model_config = ConfigDict(extra="forbid")

    format: Literal["jigsat-certificate/2"]
    states: StrictStr
    instance: Annotated[StrictStr, Field(min_length=1, max_length=200)]
    claims: Annotated[list[dict[str, Any]], Field(min_length=2)]


def read_pages(path: str | Path) -> tuple[Pages | None, Iterator[str]]:
    """The page of a certificate, if it has several claims; and the text of one that has not.

    Raises InstanceError if the file cannot be read, or is no certificate though its format is that of several claims.
    """
    parts = text_parts(path, MOST_PAGE)
    first = next(parts, "")
    parts = chain([first], parts)
    if not _IS_SEVERAL.match(first):
        return None, parts
    listed = JsonList(parts, f"{path}: not a certificate", "claims", _MOST_CLAIM)
    claims = [entry for entry, _ in listed.entries()]
    try:
        return Pages.model_validate({**listed.fields, "claims": claims}), iter(())
    except ValidationError as error:
        raise not_a_certificate(path, error) from error


def pages_in(text: str) -> list[Page]:
    """The pages of the claims in the text of a certificate; raises ValueError if it has no such text."""
    if not _IS_SEVERAL.match(text):
        return [Page.model_validate_json(text)]
    return [Page.model_validate(each) for each in Pages.model_validate_json(text).claims]


def format_pages(states: str, claims: Iterable[tuple[OnBoard, Mapping[str, Any]]]) -> str:
    """The text of the page of a certificate of several claims, each with the fields of its page, a claim per line."""
    entries = [{**board.model_dump(), **page} for board, page in claims]
    head = {"format": _SEVERAL, "states": states, "instance": entries[0]["instance"]}
    return "\n".join(["{", *header_lines(head), block("claims", [json.dumps(each) for each in entries]), "}\n"])


def digest_of(path: Path) -> str:
    """The SHA-256 of a file; raises InstanceError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InstanceError(f"{path}: cannot be read: {error.strerror}") from error


_Page = TypeVar("_Page", bound=Page)


def read_page(
    path: str | Path,
    parts: Iterable[str],
    puzzle: Puzzle,
    schema: type[_Page],
    name: str,
    read: Callable[[Any, int], Any],
) -> _Page:
    """The page of a certificate of this puzzle.

    - `path`, `parts`: the file, or what error messages call it, and its text.
    - `schema`: the fields of the page.
    - `name`: the field with the list of solutions.
    - `read`: a function that reads one of them, given its number.

    Raises InstanceError if the file is not a certificate, or is for another puzzle.
    """
    most = files_of(puzzle.kind).most_of_entry(puzzle)
    listed = JsonList(parts, f"{path}: not a certificate", name, most)
    solutions: list[Any] = []
    place: tuple[int | str, ...] = ()
    try:
        for number, (entry, _) in enumerate(listed.entries(), start=1):
            if number == 1:
                _refuse_other(path, puzzle, listed.fields)
            place = name, number - 1
            solutions.append(read(entry, number))
        place = ()
        _refuse_other(path, puzzle, listed.fields)
        is_list = listed.fields.get(name) == []  # else the schema refuses it
        page = schema.model_validate({**listed.fields, name: solutions} if is_list else listed.fields)
    except ValidationError as error:
        raise not_a_certificate(path, error, place) from error
    if any(Path(file.file).name != file.file or "\0" in file.file for file in (page.formula, page.proof)):
        raise InstanceError(f"{path}: the formula and the proof must be in the same folder")
    return page


def not_a_certificate(path: str | Path, error: ValidationError, place: tuple[int | str, ...] = ()) -> InstanceError:
    """The error about a field, in one line."""
    first = error.errors()[0]
    where = [shortened(".".join(map(str, (*place, *first["loc"]))))] if place or first["loc"] else []
    return InstanceError(": ".join([f"{path}: not a certificate", *where, first["msg"]]))


def _refuse_other(path: str | Path, puzzle: Puzzle, fields: Mapping[str, Any]) -> None:
    """Refuse fields, perhaps not all, that are not of a certificate of this puzzle."""
    try:
        Page.model_validate(fields)
    except ValidationError as error:
        if any(fault["type"] != "missing" for fault in error.errors()):
            raise
    if fields.get("sha256", fingerprint(puzzle)) != fingerprint(puzzle):
        other = shortened(str(fields.get("instance")))
        raise InstanceError(f"{path}: sha256: the certificate is of another puzzle ({other})")
