"""The options of cut sheets, and which sheets they ask for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ....csp.base.errors import UsageError, shortened

#: The sheets that show the solution.
TELLING = frozenset(("legend", "assemblies"))


@dataclass(frozen=True)
class SheetOptions:
    """The options of cut sheets other than sizes."""

    numbers: bool
    name: str | None
    apart: bool
    curves: int
    sheets: str | Sequence[str] | None
    test_strip: bool
    image: str | Path | None
    crop: bool
    crop_at: str | None
    outline: str | Path | None
    give_away: bool
    seed: int | None

    def kinds(self, known: Sequence[str]) -> list[str]:
        """The kinds of sheets to make, in their order.

        Raises UsageError if one of them is not known, or is not made with the other options.
        """
        if self.sheets is None:
            with_back = self.image is not None and self.numbers and not self.apart
            out = {"print", *(() if with_back else ("back",)), *(() if self.test_strip else ("strip",))}
            made = [kind for kind in known if kind not in (out | TELLING if self.give_away else out)]
            self._refuse(set(made))
            return made
        wanted = self.listed
        if not wanted:
            raise UsageError(f"give at least one of {', '.join(known)}", "sheets")
        for kind in wanted:
            if kind not in known:
                raise UsageError(f"unknown kind {shortened(kind)!r}, choose from {', '.join(known)}", "sheets")
        self._refuse(set(wanted))
        return [kind for kind in known if kind in wanted or (kind == "strip" and self.test_strip)]

    @property
    def listed(self) -> list[str]:
        """The kinds of sheets as they are asked for by name."""
        listed = self.sheets.split(",") if isinstance(self.sheets, str) else self.sheets or ()
        return list(dict.fromkeys(kind.strip().lower() for kind in listed))

    def _refuse(self, wanted: set[str]) -> None:
        if self.apart and {"back", "print"} & wanted:
            raise UsageError("back and print are for pieces that lie together; omit them, or omit apart", "sheets")
        if self.image is not None and not {"cut", "assemblies", "print"} & wanted:
            where = "it is drawn on the sheets cut, print and assemblies; add one of them, or omit the image"
            raise UsageError(where, "image")
        if self.image is not None and self.apart and "assemblies" not in wanted:
            raise UsageError("it is not drawn on pieces laid apart; omit the image, or omit apart", "image")
        if "print" in wanted and self.image is None:
            raise UsageError("print is the sheet of a picture; give an image, too", "sheets")
        if self.give_away and TELLING & wanted:
            raise UsageError("legend and assemblies show the solution; omit them, or omit give_away", "sheets")
