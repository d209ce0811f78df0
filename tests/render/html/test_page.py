"""Pages that need nothing else: what is written where, and that no text can become part of them."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest
from markupsafe import Markup

from jigsat.render.html import page
from jigsat.render.html.page import embedded, resource, self_contained

TEMPLATE = (
    '<meta content="{{policy}}"><title>{{title}}</title><style>{{style}}</style>{{body}}'
    '<script id="data">{{data}}</script><script>{{script}}</script><h1>{{title}}</h1>'
)
HOSTILE = "</script><script>alert(1)</script><!-- {{body}} & \u2028 \U0001f600"


def made(**changes):
    given = {
        "title": "t",
        "styles": ["a{}", "b{}"],
        "scripts": ["f()", "g()"],
        "data": [1],
        "body": Markup("<p>text</p>"),
    }
    return self_contained(TEMPLATE, **{**given, **changes})


@pytest.mark.parametrize("text", [HOSTILE, "</SCRIPT >", "<!--", "]]>", '"\\', "\0\n"])
def test_data_come_back_and_end_no_element(text):
    """Catches data that end their script element, or come back changed."""
    assert json.loads(embedded({"a": [text]})) == {"a": [text]}
    assert "<" not in embedded({text: text})


def test_the_policy_allows_these_scripts_and_styles_alone():
    """Catches a policy that forbids the page's own script, or allows others, or the network."""
    policy = unescape(re.search('<meta content="(.*?)">', made())[1])
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    for kind, text in (("script-src", "f()\ng()"), ("style-src", "a{}\nb{}")):
        assert rules.pop(kind) == f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
    assert rules == {"default-src": "'none'", "img-src": "data:", "base-uri": "'none'", "form-action": "'none'"}


@pytest.mark.parametrize("changes", [{"scripts": ["'</Script>'"]}, {"styles": ["/* <!-- */"]}])
def test_scripts_that_would_end_their_elements_are_refused(changes):
    """Catches a script whose second half would be shown as text."""
    with pytest.raises(ValueError, match="which would end it"):
        made(**changes)


def test_resources_name_no_other_place_and_need_nothing_that_the_policy_forbids():
    """Catches fonts, styles or scripts from elsewhere, and handlers within elements, which a browser leaves out."""
    names = [path.name for path in Path(page.__file__).parent.iterdir() if path.suffix in (".html", ".css", ".js")]
    assert len(names) > 20
    for name in names:
        text = resource(name)
        assert not re.search(
            r"""(src|href)=["'](?!data:|\$|{{)|url\((?!#)|@import|https?://(?!www\.w3\.org)""", text
        ), name
        wrong = {".html": r"\son\w+=|\sstyle=", ".js": r'"style"|innerHTML|\beval\b'}.get(Path(name).suffix)
        assert wrong is None or not re.search(wrong, text), name
