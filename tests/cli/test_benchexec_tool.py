"""The tool-info module of BenchExec: the command that it runs, and how it reads what that prints."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from command_line import run


@pytest.fixture
def tool(monkeypatch):
    """The module with a stand-in for BenchExec, which need not be installed."""
    template = ModuleType("benchexec.tools.template")
    template.BaseTool2 = object
    tools = ModuleType("benchexec.tools")
    tools.template = template
    for module in (ModuleType("benchexec"), tools, template):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "jigsat.cli.benchexec_tool", raising=False)
    from jigsat.cli import benchexec_tool

    return benchexec_tool.Tool()


def test_a_count_and_an_error(tool, capsys):
    task = SimpleNamespace(single_input_file="perfect-5x5")
    program, *words = tool.cmdline("jigsat", ["count", "--engine", "backtrack"], task, None)
    assert program == "jigsat"
    status, out, _ = run(capsys, *words)
    ended = SimpleNamespace(output=out.splitlines(keepends=True), exit_code=SimpleNamespace(signal=None, value=status))
    assert tool.determine_result(ended) == "satisfiable"
    assert tool.get_value_from_output(ended.output, "count") == "8"
    assert tool.get_value_from_output(ended.output, "nothing") is None
    status, out, err = run(capsys, *words, "--engine", "none")
    ended = SimpleNamespace(output=err.splitlines(keepends=True), exit_code=SimpleNamespace(signal=None, value=status))
    assert tool.determine_result(ended).startswith("ERROR (unknown engine 'none'")
