"""The puzzles of an experiment: how many, in which order, what they are called, and that they are those promised."""

from pathlib import Path

import pytest

from jigsat import read
from jigsat.csp.base.errors import InstanceError, JigsatError
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.estimators.experiments import families
from jigsat.estimators.experiments.families import make_puzzle, sources
from jigsat.estimators.experiments.files import EdgeMatchingFamily, InstanceFiles, JigsawFamily, NamedInstance


def edge_matching(**numbers):
    return list(sources(EdgeMatchingFamily.model_validate({"family": "edge-matching", **numbers}), Path()))


def jigsaws(**numbers):
    return list(sources(JigsawFamily.model_validate({"family": "jigsaw", **numbers}), Path()))


def test_seeds_are_outermost():
    """So what has run when an experiment is broken off is a fair sample of it."""
    found = edge_matching(rows=[3, 4], inner_colors=[2, 3], seeds=[7, 8])
    numbers = [(s.recipe["seed"], s.recipe["rows"], s.recipe["inner_colors"]) for s in found]
    assert numbers == [(seed, rows, inner) for seed in (7, 8) for rows in (3, 4) for inner in (2, 3)]


def test_a_recipe_makes_the_puzzle_that_the_command_makes(tmp_path):
    """Each parameter has to arrive: a flag that gets lost would make all puzzles of a family plain ones."""
    entry = {"rows": 4, "columns": 5, "frame_colors": 3, "inner_colors": 4, "seeds": 3}
    for chosen in ({}, {"clues": 2}, {"unique": True}, {"asymmetric": True}, {"distribution": "skewed"}):
        (source,) = edge_matching(**entry, **chosen)
        made = deal_edge_matching(4, 5, 3, 4, seed=3, **chosen).puzzle
        assert make_puzzle(source.recipe, tmp_path) == made
    (source,) = edge_matching(**entry, random=True)
    made = deal_edge_matching(4, 5, 3, 4, seed=3, random=True).puzzle
    assert make_puzzle(source.recipe, tmp_path) == made
    (source,) = jigsaws(rows=5, seeds=2)
    assert make_puzzle(source.recipe, tmp_path) == search_jigsaw(JigsawWishes(5, 5, seed=2)).puzzle
    (source,) = jigsaws(rows=7, columns=8, seeds=2)
    assert make_puzzle(source.recipe, tmp_path) == search_jigsaw(JigsawWishes(7, 8, seed=2)).puzzle
    (source,) = jigsaws(rows=3, solutions=1, max_use=3)
    assert make_puzzle(source.recipe, tmp_path) == search_jigsaw(JigsawWishes(3, 3, solutions=1, max_use=3)).puzzle


def test_a_family_is_what_differs_in_its_seeds_alone():
    """Reports take means over a family: puzzles of two kinds under one name would spoil them."""
    found = edge_matching(
        rows=[4, 5], columns=[4, 5], frame_colors=[2, 3], inner_colors=[3, 4], clues=[0, 1, 2], seeds="1..3"
    )
    for flag in ({"unique": True}, {"asymmetric": True}, {"random": True}, {"distribution": "skewed"}):
        found += edge_matching(rows=4, frame_colors=2, inner_colors=[3, 4], seeds="1..3", **flag)
    for flag in ({}, {"max_use": 3}, {"types": 5}, {"no_stay": True}):
        found += jigsaws(rows=[5, 6], columns=[5, 6], solutions=[1, 2], seeds="1..3", **flag)
    kinds = {tuple((k, v) for k, v in source.recipe.items() if k != "seed") for source in found}
    assert len(kinds) == len({source.family for source in found}) == len(found) / 3
    assert edge_matching(rows=4, inner_colors=3, clues=1)[0].family == "4x4, 2+3 colours, 1 clue"


def test_a_file_beside_the_experiment_comes_before_a_bundled_puzzle(tmp_path):
    (tmp_path / "sub").mkdir()
    save(read("clue3"), tmp_path / "sub" / "Rätsel \u202e.json")
    save(read("clue3"), tmp_path / "puzzle-a")
    (source,) = sources(NamedInstance(instance="sub/Rätsel \u202e.json"), tmp_path)
    assert source.family == "Rätsel \u202e"
    assert make_puzzle(source.recipe, tmp_path) == read("clue3")
    assert make_puzzle({"instance": str(tmp_path / "sub" / "Rätsel \u202e.json")}, tmp_path / "no") == read("clue3")
    assert make_puzzle({"instance": "puzzle-a"}, tmp_path) == read("clue3")
    assert make_puzzle({"instance": "puzzle-a"}, tmp_path / "sub") == read("puzzle-a")


def test_files_are_all_that_match_sorted_by_name(tmp_path):
    """Folders are no puzzles, and every pattern is a family."""
    for name in ("mine/b.json", "mine/a.json", "mine/deep/er/c.json", "other/d.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        save(read("clue3"), tmp_path / name)
    (tmp_path / "mine" / "folder.json").mkdir()

    def found(*files):
        listed = sources(InstanceFiles(files=list(files)), tmp_path)
        return [(source.recipe["instance"], source.family) for source in listed]

    assert found("mine/*.json") == [("mine/a.json", "mine/*.json"), ("mine/b.json", "mine/*.json")]
    assert [name for name, _ in found("**/*.json")] == [
        "mine/a.json",
        "mine/b.json",
        "mine/deep/er/c.json",
        "other/d.json",
    ]
    assert found("other/?.json", "mine/[b].json") == [
        ("other/d.json", "other/?.json"),
        ("mine/b.json", "mine/[b].json"),
    ]
    absolute = str(tmp_path / "mine" / "a*")
    assert found(absolute) == [(str(tmp_path / "mine" / "a.json"), absolute)]
    (source,) = sources(InstanceFiles(files=["mine/a.json"]), tmp_path)
    assert make_puzzle(source.recipe, tmp_path) == read("clue3")


def test_a_jigsaw_that_is_not_found_is_given_up(tmp_path, monkeypatch):
    """No 5x5 jigsaw with seven solutions is known; the search for one goes on until it is stopped."""
    monkeypatch.setattr(families, "_PATIENCE", 0)
    (source,) = jigsaws(rows=5, solutions=7)
    with pytest.raises(JigsatError, match="7 solutions, seed 0: none was found in 0 s, the nearest has "):
        make_puzzle(source.recipe, tmp_path)


def test_a_path_starts_at_the_folder_of_the_experiment_only(tmp_path, monkeypatch):
    """Otherwise a run would depend on the current folder."""
    (tmp_path / "here").mkdir()
    bundled = read("clue1")
    monkeypatch.chdir(tmp_path / "here")
    save(read("meta10"), "p.json")
    with pytest.raises(InstanceError, match="there is no such file"):
        make_puzzle({"instance": "p.json"}, tmp_path)
    assert make_puzzle({"instance": "p.json"}, tmp_path / "here") == read("meta10")
    save(read("meta10"), "clue1")
    assert make_puzzle({"instance": "clue1"}, tmp_path) == bundled != read("clue1")
