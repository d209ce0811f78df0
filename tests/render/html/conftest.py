"""What the tests of this folder share: pages by the command line."""

import pytest

from command_line import run


@pytest.fixture
def written(tmp_path, capsys):
    """Writes a page by the command line."""

    def write(*arguments):
        path = tmp_path / "page.html"
        assert run(capsys, *map(str, arguments), "-o", str(path), "--quiet") == (0, "", "")
        return path

    return write
