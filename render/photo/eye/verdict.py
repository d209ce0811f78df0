"""How well two pictures suit each other, foreseen before a jigsaw is chosen."""

from dataclasses import dataclass
from typing import Any

from ....csp.base.words import listed

# The similarity from which a picture is clear, and below which it may be lost.
_CLEAR, _LOST = 0.72, 0.6
_WORDS = {how: f"these two suit each other {how}" for how in ("well", "fairly", "badly")}


@dataclass(frozen=True)
class Foresight:
    """The errors of the best assignment of pieces to squares, which no jigsaw is expected to beat by much."""

    #: For each picture the mean colour difference (CIEDE2000) and the structural similarity (SSIM, at most 1), in
    #: which pixels count by the mask, or by how much they stand out.
    color_differences: tuple[float, ...]
    similarities: tuple[float, ...]
    #: The visible error of the best assignment as part of that of a random scramble.
    ratio: float
    #: What else was tried, and its similarities: pairs of an option and these numbers; only what is better.
    better: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @property
    def verdict(self) -> str:
        """``well``, ``fairly`` or ``badly``, by the less similar picture."""
        least = min(self.similarities)
        return "well" if least >= _CLEAR else "fairly" if least >= _LOST else "badly"

    def record(self) -> dict[str, Any]:
        """The verdict as a record."""
        return {
            "suit": self.verdict,
            "color_differences": list(self.color_differences),
            "similarities": list(self.similarities),
            "ratio": self.ratio,
            "better": [{"with": option, "similarities": list(pair)} for option, pair in self.better],
        }

    def summary(self) -> str:
        """The verdict as text of one line."""
        words = _WORDS[self.verdict].replace("two", "three") if len(self.similarities) > 2 else _WORDS[self.verdict]
        similar = listed([f"{each:.2f}" for each in self.similarities])
        text = (
            f"{words}: similarity {similar}, colour difference {listed([f'{d:.1f}' for d in self.color_differences])}"
        )
        better = [f"; with {option}: {listed([f'{each:.2f}' for each in found])}" for option, found in self.better]
        return text + "".join(better)
