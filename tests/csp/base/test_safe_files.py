"""Files that are replaced as a whole, and standard output in their place."""

import io
import sys

import pytest

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.base.safe_files import replacing_bytes


def test_a_standard_output_of_text_alone_takes_text(monkeypatch):
    """A notebook's output has no `buffer`."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with replacing_bytes("-") as file:
        file.write("jägsat".encode())
    assert sys.stdout.getvalue() == "jägsat"
    with (
        pytest.raises(InstanceError, match=r"^standard output: takes text only; name a file$"),
        replacing_bytes("-") as file,
    ):
        file.write(b"\x89PNG")
    assert sys.stdout.getvalue() == "jägsat"
