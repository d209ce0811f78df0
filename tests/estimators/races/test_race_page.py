"""The page of a race that has just begun, and one without full boards; its figures are tested with the command."""

import json
import re
from dataclasses import replace

from jigsat.csp.files.instances import format_instance, read_squares
from jigsat.csp.search.best_score_race import Trial
from jigsat.estimators.races.race_book import OF_ENGINES, RaceHead, open_race
from jigsat.estimators.races.race_page import write_page

OPTIONS, TEXT = {**dict.fromkeys(OF_ENGINES), "width": 5}, format_instance(read_squares("eternity2"))
HEAD = RaceHead(instance="eternity2", puzzle=TEXT, engine="beam", options=OPTIONS, seed=0)


def page_of(folder, *trials):
    with open_race(folder, HEAD) as book:
        book.begin_session(1)
        for trial in trials:
            book.record(trial)
        # As if it had taken a second.
        book.sessions = {name: replace(one, seconds=float(len(trials) > 0)) for name, one in book.sessions.items()}
        return write_page(book, folder).read_text()


def test_a_race_without_full_boards_has_a_page(tmp_path):
    page = page_of(tmp_path / "new")
    assert "eternity2: no full board yet</h1>" in page
    assert "too early to say, after 0 beams" in page
    data = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])
    assert data["trials"] == {"number": 0, "an_hour": 0.0, "low": 0.0, "high": None}
    page = page_of(tmp_path / "other", *(Trial(number, "rowscan", None, 9) for number in range(3)))
    assert "no full board yet" in page
    assert "<svg" not in page
    assert "<dd>3, 10 800 an hour</dd>" in page
