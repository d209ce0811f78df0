"""`jigsat race`: what it prints, that a kill loses nothing, that Ctrl-C ends it at once, what it refuses."""

import json
import signal
import subprocess
from time import monotonic, sleep

import pytest

from command_line import COMMAND
from jigsat.cli.main import main
from jigsat.csp.base.errors import InstanceError
from jigsat.estimators.races.race_book import read_race

PAGE = "jigsat.estimators.races.race_page.write_page"


def numbers(folder):
    """The numbers of the recorded beams; none while there is no book."""
    try:
        return sorted(read_race(folder).trials)
    except InstanceError:
        return []


def boards(folder):
    return list(read_race(folder).kept())


def started(folder, *options):
    """The process of a race that has recorded some beams."""
    process = subprocess.Popen(
        [*COMMAND, "race", "eternity2", "-o", str(folder), "--width", "1500", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    known, end = len(numbers(folder)), monotonic() + 60
    while len(numbers(folder)) < known + 3 and process.poll() is None:
        assert monotonic() < end
        sleep(0.01)
    return process


@pytest.mark.slow
def test_a_killed_race_goes_on(tmp_path, capsys, monkeypatch):
    """Killed, ended by Ctrl-C, then to its end: the boards are those of a race in one go."""
    process = started(tmp_path / "race", "--threads", "2")
    process.kill()
    process.communicate()
    killed = numbers(tmp_path / "race")
    process = started(tmp_path / "race")
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate()
    ended = numbers(tmp_path / "race")
    assert (process.returncode, errors) == (130, "interrupted; repeat the command to go on\n")
    assert set(killed) < set(ended)
    assert f"eternity2: {len(ended)} beams in " in out
    monkeypatch.setattr(PAGE, lambda book, folder: None)
    trials = max(ended) + 2
    for folder in ("race", "whole"):
        assert main(["race", "eternity2", "-o", str(tmp_path / folder), "--width=1500", f"--trials={trials}"]) == 0
    assert numbers(tmp_path / "race") == numbers(tmp_path / "whole") == [*range(trials)]
    assert boards(tmp_path / "race") == boards(tmp_path / "whole")
    capsys.readouterr()


@pytest.mark.slow
def test_the_page_has_the_figures_and_the_best_boards(tmp_path, capsys):
    folder = str(tmp_path / "race")
    assert main(["race", "eternity2", "-o", folder, "--width=100", "--trials=6", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    page = (tmp_path / "race" / "race.html").read_text()
    assert record["page"] == str(tmp_path / "race" / "race.html")
    assert f"best score {record['best_score']} of 480</h1>" in page
    assert page.count("<svg") == 3
    assert 1 <= page.count('<img src="data:image/svg+xml;base64,') <= 4
    assert page.count("https://e2.bucas.name/#puzzle=eternity2&amp;board_w=16") >= 2
    assert all(word not in page for word in (" style=", "{{", "None", "nan"))
    before = numbers(tmp_path / "race")
    assert main(["race", "-o", folder, "--report"]) == 0
    assert numbers(tmp_path / "race") == before
    assert "with a page" in capsys.readouterr().out
    assert (tmp_path / "race" / "race.html").read_text() == page
