"""Guarantees about the pieces of a jigsaw; lengths are rounded down."""

from math import ceil, floor

from ..curves.tab import LEAD, SIDE
from ..paper.sizes import LEAST_NECK
from .cutting_job import CuttingJob


def statement(job: CuttingJob) -> list[str]:
    """Sentences on the differences of the curves, the distances between cuts, and omitted pieces and numbers."""
    types = len(job.cut.tabs)
    if types == 0:
        return ["no connectors: there is nothing to cut inside"]
    sentences = [_difference(job, types), _gaps(job)]
    left_out = sorted(set(range(len(job.puzzle.pieces))) - {lies.piece for lies in job.board if lies is not None})
    if left_out:
        numbers = ", ".join(str(piece + 1) for piece in left_out)
        sentences.append(f"pieces that are not on this board and are not cut: {numbers}")
    if job.numbered and job.label_height is None:
        sentences.append("numbers: omitted, because there is no room for digits 1 mm high; larger pieces have room")
    elif job.numbered and None in job.label_spots:
        bare = zip(job.board, job.label_spots, strict=True)
        pieces = sorted(lies.piece + 1 for lies, spot in bare if lies is not None and spot is None)
        numbers = ", ".join(map(str, pieces))
        sentences.append(f"numbers: omitted on pieces without room for them within the outline: {numbers}")
    return sentences


def _difference(job: CuttingJob, types: int) -> str:
    measures, distance = job.measures, job.cut.family.distance * job.measures.size
    loose = f"the {'kerf' if measures.fit is None else 'gap'} of {measures.gap:g} mm"
    if types == 1:
        what = f"1 type of connector; its curve differs by at least {_down(distance)} mm from its mirror image"
    else:
        what = f"{types} types of connectors; any two differ by at least {_down(distance)} mm"
    what += ", also when mirrored or rotated" if types > 1 else " and its rotations"
    if distance <= measures.gap:
        least = ceil(10 * measures.gap / job.cut.family.distance + 1e-9) / 10
        wrong = f"wrong pieces may fit together; sides of {least:g} mm or more prevent this"
        return f"{what}: no more than {loose}, so {wrong}"
    return what if measures.gap <= 0 else f"{what}: {_down(distance / measures.gap, 1)} times {loose}"


def _gaps(job: CuttingJob) -> str:
    size, family = job.measures.size, job.cut.family
    lead = f"except along the straight {LEAD * size / SIDE:g} mm at its corners"
    neck = f"the narrowest neck is {_down(family.neck * size)} mm wide"
    said = f"no two cuts of a piece come closer than {_down(family.gap * size)} mm, {lead}; {neck}"
    if job.rim is None:
        return said
    trimmed = f"a neck between parts {LEAST_NECK:g} mm wide or more is at least {LEAST_NECK:g} mm wide"
    return f"away from the outline {said}; along it, cuts may come closer, and {trimmed}"


def _down(number: float, decimals: int = 2) -> str:
    """Format a number, rounded down."""
    return f"{floor(number * 10**decimals) / 10**decimals:.{decimals}f}"
