"""Draws the pictures that `jigsat pictures` knows by name, a cup and a ring, which are one thing to a topologist.

python docs/draw_pictures.py

Both are scenes of surfaces that are given by distance functions, lit and seen alike; rays are followed through them
step by step (sphere tracing, Hart 1996).
"""

from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image

SIZE, FINE = 512, 2
FOLDER = Path(__file__).resolve().parents[1] / "instances" / "pictures"

EYE, AIM = np.array([0.0, 4.3, -5.2]), np.array([0.0, 0.42, 0.0])
WIDTH = 0.56  # of the picture, at distance 1
LIGHT = np.array([-0.55, 0.75, -0.37])
TABLE, CHINA, COFFEE, DOUGH, ICING = range(5)
COLORS = np.array([[0.62, 0.36, 0.19], [0.97, 0.88, 0.74], [0.22, 0.11, 0.06], [0.87, 0.58, 0.27], [0.36, 0.17, 0.1]])
SPRINKLES = np.array([[0.98, 0.9, 0.75], [0.85, 0.3, 0.22], [0.95, 0.72, 0.2], [0.55, 0.7, 0.55]])


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def profile(p, points, thickness):
    """A vessel: the lines between points (radius, height), turned about the axis."""
    r, y = np.hypot(p[:, 0], p[:, 2]), p[:, 1]
    nearest = np.full(len(p), np.inf)
    for (from_r, from_y), (to_r, to_y) in pairwise(points):
        along_r, along_y = to_r - from_r, to_y - from_y
        part = ((r - from_r) * along_r + (y - from_y) * along_y) / (along_r**2 + along_y**2)
        part = np.clip(part, 0, 1)
        nearest = np.minimum(nearest, np.hypot(r - from_r - part * along_r, y - from_y - part * along_y))
    return nearest - thickness


def saucer(p):
    return profile(p, [(0, 0.06), (0.75, 0.06), (1.5, 0.2), (1.62, 0.21)], 0.045)


def cup_radius(height):
    return 0.44 + 0.5 * np.clip((height - 0.16) / 1.06, 0, 1) ** 0.6


def cup(p):
    r = np.hypot(p[:, 0], p[:, 2])
    wall = profile(p, [(0, 0.16), *((cup_radius(y), y) for y in 0.16 + 1.06 * np.linspace(0, 1, 12) ** 1.7)], 0.045)
    ring = np.hypot((p[:, 0] - 0.98) / 1.05, p[:, 1] - 0.75) - 0.33
    handle = np.maximum(np.hypot(ring, p[:, 2]) - 0.085, (cup_radius(p[:, 1]) - r) * 0.6)
    coffee = np.maximum(abs(p[:, 1] - 1.0) - 0.02, r - 0.87)
    return [(p[:, 1], TABLE), (np.minimum(saucer(p), np.minimum(wall, handle)), CHINA), (coffee, COFFEE)]


def doughnut(p):
    angle = np.arctan2(p[:, 2], p[:, 0])
    round_axis = np.hypot(p[:, 0], p[:, 2]) - 0.74
    up = (p[:, 1] - 0.5) / 0.9
    wave = 0.05 * np.sin(5 * angle + 1) + 0.035 * np.sin(12 * angle)
    edge = 0.02 + wave * np.clip((round_axis + 0.3) / 0.5, 0.15, 1)
    dough = np.hypot(round_axis, up) - 0.4
    icing = np.maximum(dough - 0.025, (edge - up) * 0.7)
    return [(p[:, 1], TABLE), (saucer(p), CHINA), (dough * 0.85, DOUGH), (icing * 0.85, ICING)]


def distance(scene, p):
    return np.minimum.reduce([far for far, _ in scene(p)])


def follow(scene, start, rays, steps):
    """How far rays go until they meet something."""
    gone = np.full(len(start), 0.02)
    for _ in range(steps):
        gone += 0.9 * distance(scene, start + gone[:, None] * rays)
    return gone


def shade(scene, start, rays):
    """The share of light that comes through, with soft edges."""
    share, gone = np.ones(len(start)), np.full(len(start), 0.04)
    for _ in range(36):
        free = distance(scene, start + gone[:, None] * rays)
        share = np.minimum(share, np.clip(0.5 + 0.5 * free * 9 / gone, 0, 1))
        gone += np.clip(free, 0.015, 0.25)
    return share * share * (3 - 2 * share)


def normals(scene, p):
    steps = 1e-3 * np.eye(3)
    return unit(np.stack([distance(scene, p + s) - distance(scene, p - s) for s in steps], axis=-1))


def crevice(scene, p, out):
    """How little of the surroundings is seen."""
    near = [(far, distance(scene, p + far * out)) for far in (0.06, 0.15, 0.3, 0.5)]
    return np.clip(1 - 0.55 * sum((far - free) / (1 + 2 * far) for far, free in near), 0.25, 1)


def sprinkled(p, paint):
    """Sprinkles on what is painted like icing."""
    angle, tilt = np.arctan2(p[:, 2], p[:, 0]), np.arctan2(p[:, 1] - 0.5, np.hypot(p[:, 0], p[:, 2]) - 0.74)
    dealt = Random(6)
    found = paint.copy()
    for number in range(110):
        at, height, turn = dealt.uniform(-np.pi, np.pi), dealt.uniform(0.35, 2.7), dealt.uniform(0, np.pi)
        u = (np.mod(angle - at + np.pi, 2 * np.pi) - np.pi) * (0.74 + 0.4 * np.cos(height))
        v = (tilt - height) * 0.4
        along, across = u * np.cos(turn) + v * np.sin(turn), v * np.cos(turn) - u * np.sin(turn)
        inside = np.hypot(np.maximum(abs(along) - 0.045, 0), across) < 0.018
        found[inside] = SPRINKLES[number % len(SPRINKLES)]
    return found


def paint(p, kinds):
    """The colours of points on surfaces."""
    found = COLORS[kinds]
    grain = np.sin(3 * p[:, 2] + 1.2 * np.sin(0.9 * p[:, 0])) + 0.5 * np.sin(9 * p[:, 2] + 2 * np.sin(0.7 * p[:, 0]))
    wood = kinds == TABLE
    found[wood] *= (1 + 0.05 * grain[wood])[:, None]
    icing = kinds == ICING
    found[icing] = sprinkled(p[icing], found[icing])
    return found


def seen(scene, rays):
    """The colours that rays from the eye see."""
    start = np.broadcast_to(EYE, rays.shape)
    p = start + follow(scene, start, rays, 70)[:, None] * rays
    fars, kinds = zip(*scene(p), strict=True)
    kinds = np.array(kinds)[np.argmin(fars, axis=0)]
    out, to_light = normals(scene, p), np.broadcast_to(unit(LIGHT), rays.shape)
    direct = np.clip((out * to_light).sum(axis=1), 0, 1) * shade(scene, p + 0.01 * out, to_light)
    ambient = crevice(scene, p, out) * (0.75 + 0.25 * out[:, 1])
    shine = np.clip((unit(to_light - rays) * out).sum(axis=1), 0, 1) ** 60 * direct
    gloss = np.array([0.03, 0.5, 0.25, 0.12, 0.4])[kinds]
    warm, cool = np.array([1.0, 0.94, 0.84]), np.array([0.5, 0.5, 0.53])
    light = direct[:, None] * warm * 0.78 + ambient[:, None] * cool
    fade = np.clip(1.12 - 0.09 * np.hypot(p[:, 0], p[:, 2]) ** 1.5, 0.5, 1.1)
    return (paint(p, kinds) * light * fade[:, None] + (gloss * shine)[:, None]) ** 0.9


def draw(scene):
    across = (np.arange(SIZE * FINE) + 0.5) / (SIZE * FINE) * 2 - 1
    x, y = np.meshgrid(across, -across)
    ahead = unit(AIM - EYE)
    right = unit(np.cross([0.0, 1.0, 0.0], ahead))
    up = np.cross(ahead, right)
    rays = unit(ahead + WIDTH / 2 * (x[..., None] * right + y[..., None] * up))
    rows = [seen(scene, part) for part in rays]
    fine = np.clip(np.array(rows), 0, 1).reshape(SIZE, FINE, SIZE, FINE, 3).mean(axis=(1, 3))
    return Image.fromarray(np.rint(255 * fine).astype(np.uint8))


for name, scene in (("cup", cup), ("ring", doughnut)):
    draw(scene).save(FOLDER / f"{name}.png", optimize=True)
