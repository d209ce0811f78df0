"""Texts in figures of matplotlib: names are shown as they are, whatever they contain."""

from typing import Any

# The digits of exponents.
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NARROW = "\u202f"
# The longest line of a text; a name may have 200 characters.
_MOST = 80


def power_of_ten(exponent: float, _: object = None) -> str:
    """A power of ten, for a formatter of axes.

    Examples
    --------
    >>> power_of_ten(-3.0)
    '10⁻³'
    """
    return "10" + f"{exponent:.0f}".translate(_RAISED)


def show_as_they_are(figure: Any) -> None:
    """Let no text of a figure be read as a formula, be too long, or have characters that its font lacks.

    The labels of ticks are made later; see `drawable`.
    """
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)
        text.set_text(drawable(text.get_text()))


def drawable(text: str) -> str:
    """A text of one or more lines without control characters and characters that the font of figures lacks."""
    from matplotlib.font_manager import findfont, get_font

    font = get_font(findfont("DejaVu Sans"))

    def letter(one: str) -> str:
        visible = one.isprintable() or one == _NARROW
        return one if visible and font.get_char_index(ord(one)) else "\ufffd"

    lines = ("".join(map(letter, line)) for line in text.split("\n"))
    return "\n".join(line if len(line) <= _MOST else line[: _MOST - 1] + "…" for line in lines)
