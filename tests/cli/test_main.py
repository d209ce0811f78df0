"""The messages of the command line, as the table of messages has them."""

import re

import pytest

from wording import message_of, rows


def test_the_table_has_sixty_messages():
    assert len(rows()) >= 60


@pytest.mark.parametrize(("line", "before", "after"), rows(), ids=[line for line, _, _ in rows()])
def test_messages(line, before, after):
    """One line, without words that the glossary of the documentation replaces."""
    assert message_of(line) == after
    assert not re.search(r"\b(so many|is none|tells?|told|whoever|nobody|says so|anew|argument -)\b", after)
