"""The names of encodings."""

import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.models.base.encodings import (
    AT_MOST_ONE,
    CNF_NAMES,
    CP_NAMES,
    REDUNDANT,
    Encoding,
    cnf_encoding,
    cp_encoding,
)


def may_have(parse, name, option):
    """Whether an encoding is one with this option."""
    try:
        return parse(f"{name}+{option}") is not None
    except EngineError:
        return False


@pytest.mark.parametrize("parse", [cnf_encoding, cp_encoding])
def test_names_of_encodings(parse):
    """An encoding's text is read as that encoding again, whatever the order of its options."""
    names, how = (CNF_NAMES, "ladder+") if parse is cnf_encoding else (CP_NAMES, "")
    assert str(parse(None)) == "pairs"
    for name in names:
        options = [option for option in (*REDUNDANT, "unpruned") if may_have(parse, name, option)]
        assert parse(name) == Encoding(name)
        encoding = parse(f"{name}+{how}{'+'.join(reversed(options))}")
        assert str(encoding) == f"{name}+{how}{'+'.join(options)}"
        assert encoding.redundant == set(options) - {"unpruned"}
        assert not encoding.prune
        assert encoding.at_most_one == (how[:-1] or None)
        assert parse(str(encoding)) == encoding == parse(encoding)


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (cnf_encoding, "table", "unknown CNF encoding 'table', choose from direct, seams, pairs, diamond"),
        (cnf_encoding, "", "unknown CNF encoding '', choose from direct, seams, pairs, diamond"),
        (cnf_encoding, "x" * 100, f"unknown CNF encoding '{'x' * 37}...', choose from direct, seams, pairs, diamond"),
        (cp_encoding, "direct", "unknown CP-SAT encoding 'direct', choose from booleans, pairs, table, element"),
        (
            cnf_encoding,
            "pairs+chess",
            f"encoding pairs: unknown option 'chess', choose from {', '.join([*AT_MOST_ONE, *REDUNDANT])}, unpruned",
        ),
        (
            cp_encoding,
            "pairs+ladder",
            f"encoding pairs: unknown option 'ladder', choose from {', '.join(REDUNDANT)}, unpruned",
        ),
        (cp_encoding, "table+pieces", "encoding table: unknown option 'pieces', choose from unpruned"),
        (cnf_encoding, "seams+ladder+bitwise", "encoding seams: ladder and bitwise exclude each other"),
        (
            cnf_encoding,
            "direct+absent-colors",
            "encoding direct: absent-colors needs seam colours; choose seams, pairs or diamond",
        ),
        (
            cnf_encoding,
            "direct+color-counts",
            "encoding direct: color-counts needs seam colours; choose seams, pairs or diamond",
        ),
        (
            cp_encoding,
            Encoding("diamond"),
            "unknown CP-SAT encoding 'diamond', choose from booleans, pairs, table, element",
        ),
    ],
)
def test_what_is_no_encoding(parse, text, message):
    """One line that says what there is to choose from."""
    with pytest.raises(EngineError) as caught:
        parse(text)
    assert str(caught.value) == message
