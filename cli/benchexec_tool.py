"""The tool-info module for BenchExec, which measures the commands of jigsat on many puzzles.

In the definition of a benchmark: ``<benchmark tool="jigsat.cli.benchexec_tool" ...>``, with the command as the first
option, ``<option name="count"/>``.  Keys of the record are columns: ``<column title="nodes">nodes</column>``.
"""

import json
from typing import Any

from benchexec.tools import template  # pyright: ignore[reportMissingImports]

# BenchExec has no types for these methods.
_Base: Any = template.BaseTool2


class Tool(_Base):
    """How BenchExec calls jigsat, and reads its answers."""

    def executable(self, tool_locator: Any) -> str:
        return tool_locator.find_executable("jigsat")

    def name(self) -> str:
        return "jigsat"

    def project_url(self) -> str:
        return "https://github.com/jigsat/jigsat"

    def version(self, executable: str) -> str:
        return self._version_from_tool(executable, line_prefix="jigsat")

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        command, *others = options or ["solve"]
        return [executable, command, task.single_input_file, *others, "--json"]

    def determine_result(self, run: Any) -> str:
        if run.exit_code.signal or run.exit_code.value:
            last = next(reversed(list(run.output)), "").strip()
            return f"ERROR ({last.removeprefix('jigsat: ')})"
        return str(_record(run.output).get("status", "done"))

    def get_value_from_output(self, output: Any, identifier: str) -> str | None:
        value = _record(output).get(identifier)
        return None if value is None else str(value)


def _record(output: Any) -> dict[str, Any]:
    """What the command printed; a progress bar is on lines of its own."""
    text = "".join(output)
    try:
        return json.JSONDecoder().raw_decode(text[text.index("{") :])[0]
    except ValueError:
        return {}
