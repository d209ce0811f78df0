"""`jigsat race`: what it prints, that a kill loses nothing, that Ctrl-C ends it at once, what it refuses."""

import json
import os
import signal

import pytest

import jigsat as js
from command_line import run
from jigsat.cli.main import main
from jigsat.csp.files.solutions import read_solutions
from jigsat.estimators.races.race_book import RaceBook, read_race

PAGE = "jigsat.estimators.races.race_page.write_page"


@pytest.mark.usefixtures("no_thread_is_left")
def test_an_interrupt_ends_a_race_and_keeps_everything(tmp_path, capsys, monkeypatch):
    """Ctrl-C after the third beam; the race goes on with the same command."""
    record, folder = RaceBook.record, tmp_path / "race"

    def record_and_press(book, trial):
        record(book, trial)
        if len(book.trials) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(RaceBook, "record", record_and_press)
    command = ["race", "eternity2", "-o", str(folder), "--width=100", "--threads=2"]
    status, out, errors = run(capsys, *command)
    number = len(read_race(folder).trials)
    assert (status, errors) == (130, "interrupted; repeat the command to go on\n")
    assert f" after {number} beams in " in out
    best = read_solutions(folder / "best.json", js.read("eternity2"))
    assert {js.read("eternity2").score(board) for board in best} == {read_race(folder).best}
    monkeypatch.setattr(PAGE, lambda book, folder: None)
    assert run(capsys, *command, f"--trials={number + 2}")[0] == 0
    assert sorted(read_race(folder).trials) == [*range(number + 2)]


@pytest.mark.slow
def test_the_page_has_the_figures_and_the_best_boards(tmp_path, capsys):
    folder = str(tmp_path / "race")
    assert main(["race", "eternity2", "-o", folder, "--width=100", "--trials=6", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    page = (tmp_path / "race" / "race.html").read_text()
    assert record["page"] == str(tmp_path / "race" / "race.html")
    assert f"best score {record['best_score']} of 480</h1>" in page
    assert page.count("<svg") == 2
    assert 1 <= page.count('<img src="data:image/svg+xml;base64,') <= 4
    assert page.count("https://e2.bucas.name/#puzzle=eternity2&amp;board_w=16") >= 2
    assert all(word not in page for word in (" style=", "{{", "None", "nan"))
    assert main(["race", "-o", folder, "--report"]) == 0
    assert "; open " in capsys.readouterr().out
    assert (tmp_path / "race" / "race.html").read_text() == page
