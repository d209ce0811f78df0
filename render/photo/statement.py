"""The page that says in plain words that a jigsaw has exactly two solutions, and how that can be checked: a PDF."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any
from xml.sax.saxutils import escape

from PIL import Image

from ...csp.base.errors import need_extra, plural
from ...csp.files.picture_files import Picture

# The standard fonts of PDF have no other letters.
_LETTERS = "cp1252"
# The width of the text in points, and of each picture; the longer side of a picture in pixels.
_WIDTH, _SHOWN, _PIXELS = 451.0, 215.0, 900


@dataclass(frozen=True)
class Statement:
    """What the page says."""

    name: str  #: The title of the jigsaw
    boards: Sequence[tuple[int, int]]  #: The rows and columns of the board, or of both
    spare: int | None  #: The piece, from 1, that is left over on the second board
    pictures: tuple[Picture, Picture]  #: Both solutions
    lemmas: int  #: The steps of the proof, or of both
    checkers: Sequence[str]  #: The programs that checked it
    command: str  #: The command that checks it again
    hashes: Mapping[str, str]  #: The SHA-256 of each file


def statement_pdf(statement: Statement) -> bytes:
    """The page, of size A4; the same statement always gives the same file."""
    need_extra("reportlab")
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import KeepInFrame, SimpleDocTemplate

    file = io.BytesIO()
    document = SimpleDocTemplate(
        file, pagesize=A4, leftMargin=72, rightMargin=72, topMargin=54, bottomMargin=54, invariant=1,
        title=_plain(f"{statement.name}: {_claim(statement)}"), creator="jigsat",
    )  # fmt: skip
    # All of it stays on one page, however long the names are.
    document.build([KeepInFrame(_WIDTH, A4[1] - 120, list(_content(statement)), mode="shrink")])
    return file.getvalue()


def _content(statement: Statement) -> Iterator[Any]:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, Spacer, Table

    styles = getSampleStyleSheet()
    pieces = prod(statement.boards[0])
    yield Paragraph(f"This jigsaw has {_claim(statement)}", styles["Title"])
    sizes = [f"{rows} rows, {columns} columns" for rows, columns in statement.boards]
    size = f"{' and '.join(sizes)}, {pieces} pieces"
    yield Paragraph(escape(_plain(f"{statement.name}: {size}")), styles["Italic"])
    yield Spacer(0, 10)
    captions = [Paragraph(f"Solution {number}", styles["Italic"]) for number in (1, 2)]
    yield Table([[_small(picture) for picture in statement.pictures], captions], [_WIDTH / 2] * 2)
    for title, text in _sentences(statement, pieces):
        yield Paragraph(title, styles["Heading3"])
        yield Paragraph(escape(_plain(text)), styles["BodyText"])
    yield Paragraph(escape(_plain(statement.command)), styles["Code"])
    yield Spacer(0, 6)
    yield Paragraph("The files belong together if they have these SHA-256 sums:", styles["BodyText"])
    for name, digest in statement.hashes.items():
        yield Paragraph(f"{escape(_plain(name))}<br/>{digest}", styles["Code"])


def _sentences(statement: Statement, pieces: int) -> Iterator[tuple[str, str]]:
    if len(statement.boards) == 1:
        stated = (
            f"The same {pieces} pieces fill the board in exactly two ways, which show the two pictures above. There is "
            "no third way: if all pieces are used and every tab lies in a hole of its shape, it is one of the two."
        )
        sought, proof, checked = "a third one, and proved that no third one exists", "proof", "proof"
    else:
        first, second = (f"{rows} x {columns}" for rows, columns in statement.boards)
        stated = (
            f"The {pieces} pieces fill the board of {first} in exactly one way. All of them but one fill the board of "
            f"{second} in exactly one way, whichever piece is left over: it is piece {statement.spare}. The pictures "
            "above show both. Every tab lies in a hole of its shape, and straight sides make the border."
        )
        sought, proof = "another one on each board, and proved that none exists", "proofs"
        checked = "proofs for both boards"
    turned = "Turning the finished board as a whole is not counted as another way."
    yield "What is stated", f"{stated} {turned}"
    yield (
        "How it was proved",
        f"Both solutions were checked, piece by piece. Then a program looked for {sought}. It wrote its {proof} down, "
        f"in {plural(statement.lemmas, 'step')}. Another program ({' and '.join(statement.checkers)}), which shares "
        "nothing with the first one, has checked every step.",
    )
    yield (
        "How to check it yourself",
        "Install jigsat, as its page https://github.com/jigsat/jigsat says, and run this command in the folder of the "
        f"jigsaw. It starts again from the pieces, and checks the {checked}.",
    )


def _claim(statement: Statement) -> str:
    return "exactly two solutions" if len(statement.boards) == 1 else "exactly one solution on each of two boards"


def _small(picture: Picture) -> Any:
    from reportlab.platypus import Image as Placed

    image = Image.fromarray(picture[..., 0] if picture.shape[2] == 1 else picture)
    image.thumbnail((_PIXELS, _PIXELS))
    file = io.BytesIO()
    image.save(file, "JPEG", quality=88)
    scale = _SHOWN / max(image.size)
    file.seek(0)
    return Placed(file, image.width * scale, image.height * scale)


def _plain(text: str) -> str:
    """A text in the letters of the fonts."""
    return text.encode(_LETTERS, "replace").decode(_LETTERS)
