"""Build an SVG: elements, short texts for numbers, and safe texts."""

from xml.etree import ElementTree as ET

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
# Average width of a character and height of a digit, as fractions of the font size.
CHARACTER, DIGIT_HEIGHT = 0.55, 0.72


def drawing(title: str) -> ET.Element:
    """Start an SVG without a size, with its title and a white background, also on dark pages."""
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "font-family": FONT})
    element(root, "title", harmless(title))
    element(root, "rect", class_="ground", width="100%", height="100%", fill="#fff")
    return root


def finished(root: ET.Element, width: float, height: float, pixels: float) -> str:
    """The text of an SVG of that size, with `pixels` pixels per unit.

    The text is ASCII for any title, so that it is safe in all files and terminals.
    """
    root.set("viewBox", f"0 0 {short(width)} {short(height)}")
    root.set("width", short(round(width * pixels)))
    root.set("height", short(round(height * pixels)))
    ET.indent(root, space="")
    return ET.tostring(root, encoding="us-ascii").decode("ascii") + "\n"


def element(parent: ET.Element, tag: str, text: str | None = None, /, **attributes: str | float) -> ET.Element:
    """Append a child; ``class_`` and ``font_size`` become the attributes ``class`` and ``font-size``."""
    named = {
        name.rstrip("_").replace("_", "-"): value if isinstance(value, str) else short(value)
        for name, value in attributes.items()
    }
    child = ET.SubElement(parent, tag, named)
    child.text = text
    return child


def moved(x: float, y: float, turn: int = 0) -> str:
    """A transform that rotates by `turn` degrees and then moves to (x, y)."""
    return f"translate({short(x)} {short(y)})" + (f"rotate({turn})" if turn else "")


def short(number: float, decimals: int = 2) -> str:
    """Format a number with at most `decimals` decimals, which must be at least 1.

    Examples
    --------
    >>> short(12.5), short(3.0), short(-0.001), short(-0.001, 3)
    ('12.5', '3', '0', '-0.001')
    """
    return f"{round(number, decimals) + 0.0:.{decimals}f}".rstrip("0").rstrip(".")


def harmless(text: str) -> str:
    """Put text on one line, without characters that XML forbids or that disturb a line of text.

    Examples
    --------
    >>> harmless("two\\nlines\\x00")
    'two lines\ufffd'
    """
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(text.split()))


def fitting(text: str, width: float, size: float) -> str:
    """Cut text to a width, for a font of that size."""
    most = max(int(width / (size * CHARACTER)), 1)
    return text if len(text) <= most else text[: most - 1] + "…"
