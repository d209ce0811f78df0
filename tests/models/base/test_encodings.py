"""The names of encodings."""

import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.models.base.encodings import CNF_NAMES, CP_NAMES, REDUNDANT, Encoding, cnf_encoding, cp_encoding


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
