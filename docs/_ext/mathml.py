"""Formulas as MathML, which browsers show without a script from elsewhere."""

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util.logging import getLogger
from sphinx.writers.html5 import HTML5Translator


def in_text(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(mathml_of(node, as_block=False))
    raise nodes.SkipNode


def apart(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div style="margin: 1em 0; overflow-x: auto">{mathml_of(node, as_block=True)}</div>')
    raise nodes.SkipNode


def mathml_of(node: nodes.Element, *, as_block: bool) -> str:
    """The formula; one that docutils cannot convert is a warning, which fails the build."""
    try:
        return tex2mathml(node.astext(), as_block=as_block)
    except MathError as error:
        getLogger(__name__).warning("%s", error, location=node)
        return ""


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (in_text, None), (apart, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
