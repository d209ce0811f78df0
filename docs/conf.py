"""How the site is built: `sphinx-build -W -b html docs OUT`."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = author = "jigsat"
project_copyright = "the authors of jigsat, MIT licence"
version = release = version_of("jigsat")

extensions = [
    "myst_nb",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_design",
    "command_line",
    "mathml",
    "packages",
    "playable",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_ext", "_templates"]

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
smartquotes = False  # options begin with two hyphens
# A tutorial starts in an empty folder, and an error in one of its cells fails the build.
nb_execution_mode = "cache"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 180

default_role = "code"
autosummary_generate = True
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "jigsat"
html_show_sourcelink = False
html_static_path, html_extra_path, html_css_files = ["_static"], [], ["site.css"]
html_math_renderer = "mathml"
html_theme_options = {
    "secondary_sidebar_items": ["page-toc"],
    "navigation_with_keys": False,
    "header_links_before_dropdown": 8,
    "navbar_persistent": ["search-button"],
    "navbar_align": "left",
}
# Pages of no section need no list of its pages.
html_sidebars = {page: [] for page in ("index", "start", "gallery")}
