"""How well two pictures suit each other, foreseen before a jigsaw is chosen."""

from dataclasses import dataclass
from typing import Any

# The similarity from which a picture is clear, and below which it may be lost.
_CLEAR, _LOST = 0.72, 0.6
_WORDS = {"well": "these two suit each other well", "fairly": "these two suit each other fairly"}
_BADLY = "these two suit each other badly"


@dataclass(frozen=True)
class Foresight:
    """The errors of the best assignment of pieces to squares, which no jigsaw is expected to beat by much.

    Parameters
    ----------
    color_differences, similarities
        For both pictures the mean colour difference (CIEDE2000) and the structural similarity (SSIM, at most 1).
    ratio
        The visible error of the best assignment as part of that of a random scramble.
    better
        What else was tried, and its similarities: pairs of an option and these two numbers; only what is better.
    """

    color_differences: tuple[float, float]
    similarities: tuple[float, float]
    ratio: float
    better: tuple[tuple[str, tuple[float, float]], ...] = ()

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
        (a, b), (c, d) = self.similarities, self.color_differences
        text = (
            f"{_WORDS.get(self.verdict, _BADLY)}: similarity {a:.2f} and {b:.2f}, colour difference {c:.1f} and {d:.1f}"
        )
        if self.better:
            text += "; " + "; ".join(f"with {option}: {e:.2f} and {f:.2f}" for option, (e, f) in self.better)
        return text
