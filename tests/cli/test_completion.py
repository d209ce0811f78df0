"""Shell completion: what the script completes."""

import shutil
import subprocess

import pytest

from command_line import run


def completed(script, *words):
    """What bash offers for the last of these words."""
    ask = f'COMP_WORDS=({" ".join(words)} ""); COMP_CWORD={len(words)}; _shtab_jigsat; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_puzzles_and_engines(capsys, here):
    (here / "mine.json").touch()
    status, script, err = run(capsys, "--print-completion", "bash")
    assert (status, err) == (0, "")
    assert {"count", "warm-up", "cut"} <= completed(script, "jigsat")
    assert {"clue1", "ostomachion", "mine.json"} <= completed(script, "jigsat", "count")
    assert {"backtrack", "sat", "dive"} <= completed(script, "jigsat", "count", "clue1", "--engine")
