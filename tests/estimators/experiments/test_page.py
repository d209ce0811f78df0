import re
from html import unescape

import pytest

from experiments import counts, everything, failures
from jigsat.estimators.experiments import page as report
from jigsat.estimators.experiments.figures import CAPTIONS, FIGURES, FORMATS
from jigsat.estimators.experiments.page import write_report
from records import outcomes, record

HOSTILE = "</script><b onclick='x'>\" & <!-- ]]> {{data}} \u2028"


def written(folder, records, planned=None, name="an experiment", about="What does it ask?"):
    report = write_report(records, folder, source=name, name=name, about=about, planned=planned)
    return report.page.read_text(encoding="utf-8"), report


def rows_of(page, section):
    """The cells of the tables of a section, row by row."""
    body = page[page.index(f'<section id="{section}"') :].partition("</section>")[0]
    return [cells for row in body.split("<tr>") if (cells := re.findall(r"<td[^>]*>(.*?)</td>", row))]


def column(page, name):
    place = re.findall(r"<th [^>]*>(.*?)</th>", page.partition('id="all-runs"')[2]).index(name)
    return [unescape(row[place]) for row in rows_of(page, "all-runs")]


def sections(page):
    return re.findall(r'<section id="([\w-]+)"', page)


def dissection(engine):
    """A run on a puzzle that has no board."""
    facts = {"facts": {"pieces": 14}, "source": {"instance": "ostomachion"}, "family": "ostomachion"}
    return record(engine=engine, kind="dissection", predicted_by_depth=None, **facts) | {"options": {"motions": "any"}}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The page of an experiment with something for every section, and the files; without those of other formats."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(FORMATS, "pdf")
        patch.delitem(FORMATS, "png")
        return written(tmp_path_factory.mktemp("whole"), everything(), planned=200)


@pytest.fixture
def without_figures(monkeypatch):
    """What a reader without matplotlib gets, which is much faster."""
    monkeypatch.setattr(report, "find_spec", lambda name: None)


def test_every_figure_is_in_the_page_and_a_file(whole):
    page, files = whole
    folder = files.page.parent
    assert files.figures == tuple(folder / "figures" / f"{name}.svg" for name in FIGURES)
    assert all(file.read_text(encoding="utf-8").startswith("<?xml") for file in files.figures)
    names = {f"{name}.{ending}" for name in FIGURES for ending in ("svg", "txt")}
    assert {file.name for file in (folder / "figures").iterdir()} == names
    for name, caption in CAPTIONS.items():
        assert (folder / "figures" / f"{name}.txt").read_text(encoding="utf-8") == f"{caption}\n"
        assert f"<figcaption>{caption}</figcaption>" in page
    shown = re.findall(r'<figure id="figure-([\w-]+)">', page)
    assert shown == ["cactus", "predicted-actual"]


def test_the_page_refers_to_nothing_outside(whole):
    page = whole[0]
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.findall(r"<link|<iframe|<object|@import|src=", page)


def test_names_within_figures_are_used_once(whole):
    """Clip paths of equal names would cut one figure by the frame of another."""
    names = re.findall(r'\bid="([^"]+)"', whole[0])
    assert len(names) == len(set(names))
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', whole[0].partition("<section")[2]))
    assert {one or other for one, other in used} <= set(names)


def test_runs_that_are_not_solved_are_told_as_such(whole):
    """A time-out shown as a time would count as one."""
    times = column(whole[0], "time")
    assert times.count("> 10 s (time)") == 4
    assert times.count("> 10.5 s (memory)") == 1
    assert times.count("> 10.5 s (crash)") == 1
    assert times.count("refused") == 1
    assert "killed: 2143 MiB, limit 2000 MiB" in column(whole[0], "note")


@pytest.mark.usefixtures("without_figures")
def test_a_disagreement_is_shown(tmp_path):
    page, _ = written(tmp_path, [*counts(1), record(engine="most-constrained", count=5)])
    assert "Engines disagree: 1 contradiction." in page
    assert "counts differ" in page.partition('role="alert"')[2]


@pytest.mark.usefixtures("without_figures")
@pytest.mark.parametrize(
    ("records", "found"),
    [
        ([record(goal="solve", predicted_by_depth=None)], ["engines", "puzzles", "all-runs"]),
        (
            [record(seed=seed, predicted_by_depth=(1, 10)) for seed in (1, 2)],
            ["engines", "predictions", "puzzles", "all-runs"],
        ),
        (failures()[2:3], ["engines", "puzzles", "all-runs"]),
        ([dissection("backtrack"), dissection("cpsat")], ["engines", "puzzles", "all-runs"]),
    ],
    ids=["unpredicted", "predicted", "refused", "dissection"],
)
def test_sections_are_there_only_with_data(tmp_path, records, found):
    assert sections(written(tmp_path, records)[0]) == found


def test_a_figure_that_is_missing_has_its_reason(tmp_path, without_figures):
    why = "matplotlib is not installed: pip install 'jigsat[plots]'"
    page, files = written(tmp_path, counts(1))
    assert (files.figures, files.missing) == ((), dict.fromkeys(FIGURES, why))
    assert "<svg" not in page
    assert unescape(page).count(why) == len(FIGURES)


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"outcome": "time"}, {"cactus": "no run was solved, so there are no times to show"}),
        ({"predicted_by_depth": None}, {"predicted-actual": "there is no prediction for these runs"}),
        ({"nodes_by_depth": (), "outcome": "time", "count": 0},
         {"cactus": "no run was solved, so there are no times to show",
          "predicted-actual": "there is no prediction for these runs"}),
    ],
)  # fmt: skip
def test_reasons_are_those_of_the_runs(changes, missing):
    found = {name: draw(outcomes(record(**changes))) for name, draw in FIGURES.items()}
    assert {name: why for name, why in found.items() if isinstance(why, str)} == missing


def test_hostile_names_stay_texts(tmp_path):
    """What a puzzle is called must not become part of the page."""
    names = {"instance": HOSTILE, "family": HOSTILE, "part": HOSTILE, "message": HOSTILE, "engine": HOSTILE}
    machine = {"processor": HOSTILE, "cores": 1, "system": HOSTILE}
    runs = [record(seed=seed, machine=machine, versions={HOSTILE: HOSTILE}, **names) for seed in (1, 2)]
    page, _ = written(tmp_path, [*runs, record(count=5, **names)], name=HOSTILE, about=HOSTILE)
    assert "<b " not in page
    assert "<b>" not in page
    assert page.count("</script>") == 2
    assert column(page, "family")[0] == HOSTILE
    assert unescape(page).count(HOSTILE) > 5


def test_nothing_of_an_earlier_report_is_left(tmp_path):
    """A figure of other runs beside the page would be taken for one of these."""
    written(tmp_path, [record(seed=seed, predicted_by_depth=(1, 10)) for seed in (1, 2)])
    page, files = written(tmp_path, [record(goal="solve", predicted_by_depth=None)])
    assert len(rows_of(page, "all-runs")) == 1
    figure = [tmp_path / "figures" / f"cactus.{ending}" for ending in ("pdf", "png", "svg", "txt")]
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(
        [*figure, *files.tables, tmp_path / "report.html"]
    )
    assert (files.page, files.figures) == (tmp_path / "report.html", (figure[2],))


@pytest.mark.usefixtures("without_figures")
def test_a_depth_limit_is_held_against_the_nodes_down_to_it(tmp_path):
    """Held against the whole tree, every such run would seem cheap."""
    run = record(outcome="depth", limits={"depth": 3}, nodes_by_depth=(1, 20, 321, 0))
    page, _ = written(tmp_path, [run])
    assert column(page, "predicted nodes") == ["321"]
    assert column(page, "actual / predicted") == ["1.07"]
    assert column(page, "outcome") == ["depth 3"]
