"""Files that are replaced as a whole, and standard output in their place."""

import io
import os
import sys

import pytest

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.base.safe_files import refuse_unwritable, replacing_bytes


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


def test_where_no_file_can_be_made_is_refused(tmp_path):
    """The place was found to take no file only after the work."""
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for path in ("file", "link"):
        refuse_unwritable(tmp_path / path)
    assert os.listdir(tmp_path) == ["link"]
    (tmp_path / "file").write_text("earlier")
    for path in (tmp_path / "file", tmp_path / "link", "/dev/null", "-"):
        refuse_unwritable(path)
    assert (tmp_path / "file").read_text() == "earlier"
    assert len(os.listdir(tmp_path)) == 2
    (tmp_path / "away").symlink_to("/proc/file")
    for path in ("/proc/file", tmp_path / "away", tmp_path / "no" / "file", tmp_path, tmp_path / ("n" * 256)):
        with pytest.raises(InstanceError, match=f"^{path}: cannot be written: "):
            refuse_unwritable(path)
