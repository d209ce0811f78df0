from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from jigsat.estimators.experiments.report.markup import joined, number_cell, table, tag

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"))


class Reader(HTMLParser):
    """What a browser would take for elements, attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


@given(TEXTS, TEXTS)
def test_texts_stay_texts_and_attributes_attributes(text, title):
    reader = Reader(tag("p", text, title=title))
    assert reader.tags == [("p", {"title": title})]
    assert reader.text == text


def test_what_is_markup_already_is_not_escaped_again():
    assert joined([tag("b", "<"), "<", None, [tag("br")]]) == "<b>&lt;</b>&lt;<br>"


def test_attributes_that_say_no_are_left_out():
    assert tag("p", hidden=False, title=None, open=True, aria_label="a") == '<p open aria-label="a"></p>'


def test_columns_of_numbers_are_told_apart():
    text = table("caption", ("name", "a", "b"), [["x", "1", number_cell("2", 2.25, "far")]])
    classes = [attributes.get("class") for name, attributes in Reader(text).tags if name in ("th", "td")]
    assert classes == [None, "number", "number", None, "number", "number far"]
    assert 'title="2.25"' in text


def test_an_exact_number_is_told_only_where_it_says_more():
    assert "title" not in number_cell("2", 2)
