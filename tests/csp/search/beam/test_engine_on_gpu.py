"""The engine `beam` with a device: records, limits and refusals; the searches run in Numba's simulator."""

import json
import subprocess
import sys

import pytest

from jigsat.csp.base.errors import JigsatError
from jigsat.csp.files.instances import format_instance
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search import gpu
from simulated_gpu import environment

PUZZLE = deal_edge_matching(3, 3, 2, 2, seed=1).puzzle


def jigsat(*arguments, status=0):
    """The output of a command that runs in the simulator."""
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-m", "jigsat", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


@pytest.fixture(scope="module")
def instance(tmp_path_factory):
    path = tmp_path_factory.mktemp("gpu") / "puzzle.json"
    path.write_text(format_instance(PUZZLE))
    return path


def test_the_same_seed_finds_the_same_board(instance):
    asked = ("--engine", "beam", "--best", "--device", "cuda", "--width", 12, "--seed", 5, "--quiet", "--json")
    first, second = (json.loads(jigsat("solve", instance, *asked, "--node-limit", 200)) for _ in range(2))
    same = ("best_score", "best_board", "nodes", "nodes_by_depth")
    assert [first[name] for name in same] == [second[name] for name in same]
    assert (first["best_score"], first["max_score"], first["status"]) == (12, 12, "optimal")
    assert first["options"]["device"] == "cuda:0 simulator"
    assert first["options"]["width"] == 12


def test_a_node_limit_holds(instance):
    asked = ("--engine", "beam", "--best", "--device", "cuda", "--width", 5, "--quiet", "--json")
    assert json.loads(jigsat("solve", instance, *asked, "--node-limit", 17))["nodes"] <= 17


def test_too_wide_for_the_memory(instance):
    asked = ("--engine", "beam", "--best", "--device", "cuda", "--width", "1e9")
    assert "width 1000000000: at most" in jigsat("solve", instance, *asked, status=2)


RACES = """
import sys
from dataclasses import replace
from pathlib import Path
import jigsat as js
from jigsat.csp.search import gpu

puzzle, free = js.read(sys.argv[1]), 1 << 26
gpu.Gpu.free_bytes = property(lambda _: free)
begun = js.race(puzzle, sys.argv[2], device="cuda", trials=1)
free = free * 97 // 100
print(begun.options["width"], js.race(puzzle, sys.argv[2], device="cuda:1", trials=2).options["width"])
"""


def test_a_race_goes_on_with_less_memory_and_on_another_gpu(instance, tmp_path):
    """It keeps the width that it chose, which took most of the memory that was free then."""
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", RACES, str(instance), str(tmp_path / "race")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    chosen, kept = map(int, done.stdout.split())
    assert chosen == kept > 100_000


def test_no_library_and_no_driver(monkeypatch):
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    monkeypatch.setattr("jigsat.csp.base.errors.find_spec", lambda name: None)
    with pytest.raises(
        JigsatError, match=r"device cuda:1 needs numba_cuda: install it with pip install 'jigsat\[gpu\]'"
    ):
        gpu.find_gpu("cuda:1")
    monkeypatch.setattr("jigsat.csp.base.errors.find_spec", lambda name: name)
    monkeypatch.setattr(gpu.cuda, "is_available", lambda: False)
    with pytest.raises(JigsatError, match="device: cuda: there is no NVIDIA GPU with a driver here; omit it"):
        gpu.find_gpu("cuda")


def test_a_memory_that_is_full(monkeypatch):
    def fail(shape, dtype):
        raise RuntimeError("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")

    monkeypatch.setattr(gpu.cuda, "device_array", fail)
    with pytest.raises(JigsatError, match="device: the memory of the GPU is full; close other programs that use it"):
        gpu.room_on_gpu(1 << 40, int)


def test_a_gpu_that_cannot_be_used(monkeypatch):
    """Another program may have it for itself, or all of its memory."""

    class Busy:
        def __enter__(self):
            raise RuntimeError(f"[2] Call to cuDevicePrimaryCtxRetain results in {refusal}")

        def __exit__(self, *_):
            raise AssertionError

    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    monkeypatch.setattr(gpu, "need_extra", lambda *_, **__: None)
    monkeypatch.setattr(gpu.cuda, "is_available", lambda: True)
    monkeypatch.setattr(gpu.cuda, "gpus", [Busy()], raising=False)
    refusal = "CUDA_ERROR_OUT_OF_MEMORY"
    with pytest.raises(JigsatError, match="device: the memory of the GPU is full; close other programs that use it"):
        gpu.find_gpu("cuda")
    refusal = "CUDA_ERROR_DEVICE_UNAVAILABLE"
    with pytest.raises(
        JigsatError, match="device: another program has the GPU for itself; close other programs that use it"
    ):
        gpu.find_gpu("cuda")
    # A fault in a kernel is our own.
    refusal = "CUDA_ERROR_ILLEGAL_ADDRESS"
    with pytest.raises(RuntimeError, match="ILLEGAL_ADDRESS"):
        gpu.find_gpu("cuda")


#: Along some orders of this puzzle, more sides are open at a time than along others.
UNEVEN = """
import json, sys
from jigsat.csp.base.stop import Stop
from jigsat.csp.engines.request import Options
from jigsat.csp.engines.request import Limits
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.beam.engine import _BeamRace
made = deal_edge_matching(6, 6, 3, 4, seed=1)
some = [placed if i in (4, 7, 16) else None for i, placed in enumerate(made.solution)]
race = _BeamRace(made.puzzle.with_fixed(some), Limits(), Options(device="cuda", width=4), Stop())
rooms = set()
for order in range(len(race.ways)):
    beam = race.begun(order, order, 4)
    while beam.number and not beam.is_full:
        beam.extend()
    rooms.add(id(race.on_gpu._room))
words = {-(-race.setting(order)[0].route.slots // 8) for order in range(len(race.ways))}
print(json.dumps([len(words), len(rooms)]))
"""


@pytest.mark.slow
def test_boards_along_all_orders_share_one_room():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", UNEVEN], capture_output=True, text=True, env=environment()
    )
    assert done.returncode == 0, done.stderr
    words, rooms = json.loads(done.stdout)
    assert words > 1
    assert rooms == 1
