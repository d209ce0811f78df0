"""Certificates in the long agreement run: right ones are accepted, and of forged ones only those that are true."""

import random
import tempfile
from pathlib import Path

import jigsat
from forgeries import Files, accepts, forge, is_true
from soak_judges import expect, expect_true


def certificate_run(puzzle, truth, run):
    """A claim about the number of solutions is proved if it is true, and its false forgeries are not accepted.

    Returns, as figures, how many were forged, and how many of these were true all the same, and accepted.
    """
    orbits = len(set(truth.orbit_of.values() if puzzle.kind == "dissection" else truth.boards().orbits))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        if puzzle.kind == "dissection":
            _prove_tilings(puzzle, path, run)
        elif not _prove_boards(puzzle, orbits, path, run):
            return {}
        page = path.with_name("proof.json")
        verdict = jigsat.verify(puzzle, page)
        expect_true(f"the certificate is not accepted: {verdict.reason}", verdict.holds)
        files = Files.read(page)
        expect("the claim of an honest certificate is true", is_true(puzzle, files), True)
        chance = random.Random(run.others["seed"])
        accepted = 0
        for number in range(run.others["forgeries"]):
            forged = forge(chance, files, puzzle)
            if accepts(puzzle, forged, folder):
                accepted += 1
                expect(f"the claim of the accepted forgery {number} is true", is_true(puzzle, forged), True)
    return {
        "forged certificates": run.others["forgeries"],
        "forged certificates that were true, and accepted": accepted,
    }


def _prove_boards(puzzle, orbits, path, run):
    """Have a number of boards certified; whether there is a certificate."""
    wanted = max(orbits + run.others["more"], 0)
    made = jigsat.certify(puzzle, wanted, proof=path, **run.options)
    right = {-1: "more", 0: "exactly", 1: "fewer"}[(wanted > orbits) - (wanted < orbits)]
    expect("the answer", str(made.answer), right)
    expect("proved", made.proved, right == "exactly")
    return made.proved


def _prove_tilings(puzzle, path, run):
    """Have all tilings counted, with a proof that there are no others."""
    encoding, engine = run.options.get("encoding"), f"sat:{run.options.get('solver', 'cadical195')}"
    found = jigsat.count(puzzle, engine=engine, encoding=encoding, proof=str(path))
    expect("a checked proof", bool(found.proof and found.proof["checked"]), True)
