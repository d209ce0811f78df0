"""What experiment files say, and where their puzzles are looked for; cli/test_bad_input has what they must not say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiment_texts import TINY, part, written
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.engines.request import Goal
from jigsat.estimators.experiments.files import (
    EdgeMatchingFamily,
    JigsawFamily,
    NamedInstance,
    load_experiment,
)


def family(**changes):
    return EdgeMatchingFamily.model_validate({**TINY, **changes})


def test_everything_that_a_file_can_say_is_read(tmp_path):
    """A field that is read and forgotten, or put elsewhere, would run another experiment than was asked for."""
    engine = {
        "engine": "cpsat", "order": ["rowscan", None], "slips": "5x2", "encoding": "pairs", "symmetry": False,
        "motions": None, "threads": [1, 2], "seed": 7,
    }  # fmt: skip
    limits = {"seconds": 3, "memory_mib": 100, "nodes": 1e9, "depth": 5, "predicted_nodes": 10}
    jigsaw = {"family": "jigsaw", "rows": 5, "solutions": [1, 2], "max_use": 3, "no_stay": True, "seeds": "1..3"}
    instances = [{"instance": "clue1"}, TINY, jigsaw]
    path = written(
        tmp_path,
        part(engine, instances=instances, goal="best", limits=limits, name="all of it", repetitions=4),
        part(),
        about="Why?",
    )
    read = load_experiment(str(path))
    assert (read.name, read.about, read.folder) == ("trial", "Why?", tmp_path)
    first, second = read.parts
    assert (first.name, first.goal, first.repetitions) == ("all of it", Goal.BEST, 4)
    assert first.place == f"{path}: part 1"
    (entry,) = first.engines
    assert {name: value for name, value in entry.model_dump().items() if value != [None]} == {
        "engine": "cpsat", "order": ["rowscan", None], "slips": ["5x2"], "encoding": ["pairs"], "symmetry": [False],
        "threads": [1, 2], "seed": [7],
    }  # fmt: skip
    assert first.limits.model_dump() == limits
    assert first.instances == [
        NamedInstance(instance="clue1"),
        family(),
        JigsawFamily(family="jigsaw", rows=[5], solutions=[1, 2], max_use=3, no_stay=True, seeds=[1, 2, 3]),
    ]
    assert (second.name, second.repetitions) == ("part 2", 1)


@given(st.integers(-50, 50), st.integers(0, 30))
def test_ranges_hold_both_of_their_ends(first, more):
    numbers = list(range(first, first + more + 1))
    assert family(seeds=f"{first}..{first + more}").seeds == family(seeds=numbers).seeds == numbers


@pytest.mark.parametrize("text", ["9..3", "1..10001", "1...3", "..3", "1..", "1..2..3", " 1..2", "a..b", "1..٣"])
def test_what_is_no_range_is_refused(text, tmp_path):
    """A range the wrong way round would be an experiment without runs; one too long would fill the memory."""
    path = written(tmp_path, part(instances=[{**TINY, "seeds": text}]))
    with pytest.raises(InstanceError, match="part 1, instance 1: seeds"):
        load_experiment(str(path))


def test_colors_are_numbers_or_words(tmp_path):
    assert family(inner_colors="3..5").inner_colors == [3, 4, 5]
    assert family(inner_colors=["hardest-1", 4, "hardest", "hardest+12"]).inner_colors[1] == 4
    for bad in ("hard", "hardest+", "hardest2", "hardest+1000", ["hardest", "easy"], 3.5, True, [None]):
        with pytest.raises(InstanceError, match=r"instance 1: inner_colors: .*hardest, or hardest\+1 and the like"):
            load_experiment(str(written(tmp_path, part(instances=[{**TINY, "inner_colors": bad}]))))
