"""The memory of the machine, and that of a container with less."""

import psutil
import pytest

from jigsat.csp.engines import memory


@pytest.mark.parametrize(
    ("text", "expected"), [("max\n", None), ("", None), (None, None), ("1073741824\n", 2**30), (f"{2**62}\n", None)]
)
def test_a_container_may_have_less_than_the_machine(monkeypatch, tmp_path, text, expected):
    limit = tmp_path / "memory.max"
    if text is not None:
        limit.write_text(text)
    monkeypatch.setattr(memory, "_CONTAINER", limit)
    assert memory.machine_memory() == (expected or psutil.virtual_memory().total)
