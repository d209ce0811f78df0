"""Draws eight pictures with the tones of photographs, in five pairs, to try `jigsat pictures` on.

python tests/benchmarks/photo_pairs.py FOLDER [SIZE]

With SIZE it makes a jigsaw of SIZE by SIZE pieces for each pair, with either blend, and prints what was foreseen and
what was reached.

Faces, landscapes, a still life, a skyline and a page of text: lit surfaces, soft shadows, skies, haze and film grain.
Every run draws the same pictures.
"""

import sys
from pathlib import Path
from time import process_time

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import gaussian_filter

import jigsat as js
from jigsat.render.photo.wishes import BLENDS

SIZE = 640
Y, X = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j]
LIGHT = np.array([-0.55, -0.6, 0.58])
PAIRS = (
    ("woman", "man"),
    ("mountains", "sea"),
    ("woman", "mountains"),
    ("page", "still-life"),
    ("cat", "skyline"),
)


def clouds(random, scale, octaves=5):
    """Noise from 0 to 1 with details of half the size and half the strength in each octave; `scale` in pixels."""
    found = np.zeros((SIZE, SIZE))
    for octave in range(octaves):
        layer = gaussian_filter(random.standard_normal((SIZE, SIZE)), max(scale / 2**octave, 0.6), mode="wrap")
        found += layer / layer.std() / 2**octave
    found -= found.min()
    return found / found.max()


def mix(picture, mask, color):
    return picture + np.clip(mask, 0, 1)[..., None] * (np.asarray(color) - picture)


def soft(distance, blur=0.008):
    """A mask: 1 where the distance is negative, with a soft edge."""
    return 1 / (1 + np.exp(np.clip(distance / blur, -40, 40)))


def oval(cx, cy, rx, ry, turn=0.0):
    """About the distance from an ellipse, and the height of the ellipsoid's surface."""
    dx, dy = X - cx, Y - cy
    u, v = (np.cos(turn) * dx + np.sin(turn) * dy) / rx, (-np.sin(turn) * dx + np.cos(turn) * dy) / ry
    r = np.hypot(u, v)
    return (r - 1) * min(rx, ry), np.sqrt(np.clip(1 - r**2, 0, 1)) * min(rx, ry)


def lit(height, ambient=0.35, strength=1.0):
    """The brightness of a surface with that height."""
    gy, gx = np.gradient(height * SIZE / 2)
    normal = np.stack([-gx * strength, -gy * strength, np.ones_like(gx)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return ambient + (1 - ambient) * np.clip(normal @ (LIGHT / np.linalg.norm(LIGHT)), 0, 1) * 1.25


def gradient(*stops):
    """Colours that change from top to bottom; stops are (height, colour)."""
    heights, colors = zip(*stops, strict=True)
    return np.stack([np.interp(Y, heights, channel) for channel in np.array(colors).T], axis=-1)


def finished(picture, random, grain=0.018, vignette=0.25):
    picture = picture * (1 - vignette * (X**2 + Y**2) / 2)[..., None]
    picture = picture + gaussian_filter(random.standard_normal((SIZE, SIZE)), 0.7)[..., None] * grain * 2
    return Image.fromarray((np.clip(picture, 0, 1) * 255).astype(np.uint8))


def face(picture, skin, *, cx=0.0, cy=-0.05, wide=0.42, high=0.56, eye=(0.25, 0.16, 0.1), lips=(0.66, 0.3, 0.28)):
    """A head that is lit from the upper left."""
    neck, bulge = oval(cx, cy + 0.65, wide * 0.52, 0.5)
    picture = mix(picture, soft(neck), np.array(skin) * lit(gaussian_filter(bulge, 4), 0.25)[..., None] * 0.75)
    edge, height = oval(cx, cy, wide, high)
    _, bridge = oval(cx, cy + 0.08, 0.065, 0.19)
    height = height + 0.5 * bridge + 0.25 * oval(cx - 0.2, cy + 0.2, 0.15, 0.13)[1]
    height = height + 0.25 * oval(cx + 0.2, cy + 0.2, 0.15, 0.13)[1]
    for side in (-1, 1):
        height = height - 0.5 * gaussian_filter(oval(cx + 0.19 * side, cy - 0.1, 0.13, 0.07)[1], 6)
    shade = lit(gaussian_filter(height, 5), 0.3, 0.9)[..., None]
    picture = mix(picture, soft(edge, 0.012), np.array(skin) * shade)
    for side in (-1, 1):
        white, _ = oval(cx + 0.19 * side, cy - 0.1, 0.1, 0.045)
        picture = mix(picture, soft(white, 0.006), (0.88, 0.86, 0.84))
        iris, _ = oval(cx + 0.19 * side, cy - 0.1, 0.042, 0.045)
        picture = mix(picture, soft(iris, 0.005), eye)
        picture = mix(picture, soft(oval(cx + 0.19 * side, cy - 0.1, 0.02, 0.021)[0], 0.004), (0.02, 0.02, 0.02))
        picture = mix(picture, soft(oval(cx + 0.19 * side - 0.015, cy - 0.115, 0.009, 0.009)[0], 0.003), (1, 1, 1))
        lid, _ = oval(cx + 0.19 * side, cy - 0.13, 0.11, 0.022, 0.06 * side)
        picture = mix(picture, 0.8 * soft(lid, 0.006), (0.2, 0.12, 0.08))
        brow, _ = oval(cx + 0.2 * side, cy - 0.23, 0.13, 0.022, 0.12 * side)
        picture = mix(picture, 0.85 * soft(brow, 0.01), (0.18, 0.11, 0.07))
        picture = mix(picture, soft(oval(cx + 0.035 * side, cy + 0.255, 0.02, 0.012)[0], 0.006), (0.3, 0.15, 0.1))
    for dy, thick, color in ((0.36, 0.028, np.array(lips) * 0.8), (0.393, 0.03, np.array(lips))):
        picture = mix(picture, soft(oval(cx, cy + dy, 0.135, thick)[0], 0.006), color)
    return mix(picture, soft(oval(cx, cy + 0.374, 0.13, 0.005)[0], 0.004), (0.25, 0.08, 0.08))


def strands(random, along=16):
    """Streaks like hair."""
    noise = random.standard_normal((SIZE, SIZE))
    found = gaussian_filter(noise, (along, 1.1))
    return 0.75 + 0.25 * found / found.std() / 2


def woman(random):
    picture = gradient((-1, (0.62, 0.68, 0.66)), (1, (0.36, 0.42, 0.42)))
    picture = picture * (0.85 + 0.3 * clouds(random, 60, 2))[..., None]
    hair = np.array([0.42, 0.22, 0.1]) * strands(random)[..., None]
    body, bulge = oval(0, 1.15, 0.85, 0.6)
    back, volume = oval(0, 0.05, 0.62, 0.85)
    picture = mix(picture, soft(back, 0.02), hair * lit(gaussian_filter(volume, 8), 0.3)[..., None])
    picture = mix(picture, soft(body), np.array([0.72, 0.2, 0.24]) * lit(gaussian_filter(bulge, 5), 0.35)[..., None])
    picture = face(picture, (0.93, 0.72, 0.6))
    fringe = np.maximum(oval(0, -0.12, 0.55, 0.65)[0], -oval(0.12, 0.12, 0.42, 0.58)[0])
    return finished(mix(picture, soft(np.maximum(fringe, Y - 0.1), 0.02), hair * 0.9), random)


def man(random):
    picture = gradient((-1, (0.16, 0.2, 0.27)), (1, (0.3, 0.3, 0.33))) * (0.8 + 0.4 * clouds(random, 80, 3))[..., None]
    body, bulge = oval(-0.05, 1.25, 1.0, 0.62)
    picture = mix(picture, soft(body), np.array([0.2, 0.26, 0.36]) * lit(gaussian_filter(bulge, 5), 0.3)[..., None])
    collar = np.maximum(oval(-0.05, 0.9, 0.3, 0.35)[0], 0.62 - Y)
    picture = mix(picture, soft(collar), (0.86, 0.86, 0.84))
    picture = face(picture, (0.8, 0.58, 0.44), cx=-0.05, wide=0.45, eye=(0.2, 0.3, 0.35), lips=(0.6, 0.36, 0.32))
    streaks = np.array([0.12, 0.1, 0.09]) * (1.6 * strands(random, 5) - 0.4)[..., None]
    beard = np.maximum(oval(-0.05, 0.28, 0.42, 0.34)[0], -oval(-0.05, 0.05, 0.4, 0.25)[0])
    beard = np.maximum(beard, -oval(-0.05, 0.325, 0.15, 0.055)[0])
    picture = mix(picture, 0.9 * soft(beard, 0.03), streaks * 1.5)
    top = np.maximum(oval(-0.05, -0.3, 0.5, 0.42)[0], -oval(-0.03, -0.02, 0.47, 0.42)[0])
    picture = mix(picture, soft(np.maximum(top, Y + 0.22), 0.02), streaks)
    for side in (-1, 1):
        ring = abs(oval(-0.05 + 0.19 * side, -0.13, 0.15, 0.125)[0]) - 0.012
        picture = mix(picture, soft(ring, 0.005), (0.05, 0.05, 0.06))
    return finished(picture, random)


def ridge(random, level, rough, seed_scale):
    line = gaussian_filter(random.standard_normal(SIZE), seed_scale, mode="wrap")
    fine = gaussian_filter(random.standard_normal(SIZE), seed_scale / 5, mode="wrap")
    return level + rough * (line / line.std() + 0.22 * fine / fine.std())


def mountains(random):
    picture = gradient((-1, (0.28, 0.48, 0.78)), (-0.1, (0.82, 0.88, 0.92)), (1, (0.9, 0.9, 0.88)))
    white = clouds(random, 70)
    picture = mix(picture, np.clip((white - 0.52) * 3.5, 0, 0.9) * (Y < 0), (0.97, 0.96, 0.95))
    for level, rough, scale, color, snow in (
        (-0.25, 0.16, 45, (0.47, 0.53, 0.63), True),
        (0.08, 0.08, 60, (0.3, 0.4, 0.4), False),
        (0.3, 0.05, 35, (0.16, 0.26, 0.15), False),
    ):
        top = ridge(random, level, rough, scale)
        rock = clouds(random, 40, 6)
        shade = lit(rock * 0.5, 0.3, 1.2)
        body = np.array(color) * shade[..., None] * 1.25
        if snow:
            white = np.clip((0.32 - (Y - top) + 0.4 * (rock - 0.5)) * 9, 0, 1)
            body = mix(body, white, np.array([0.95, 0.96, 1.0]) * np.clip(shade * 1.15, 0, 1.05)[..., None])
        picture = mix(picture, soft(top - Y, 0.004), body)
    lake = soft(0.5 - Y, 0.004)
    mirror = gaussian_filter(picture[::-1], (2, 6, 0))
    mirror = np.roll(mirror, SIZE // 2, axis=0) * np.array([0.6, 0.7, 0.78])
    picture = mix(picture, lake, mirror * (0.9 + 0.2 * gaussian_filter(clouds(random, 8, 3), (0.5, 6)))[..., None])
    shore = ridge(random, 0.86, 0.03, 30) - 0.12 * X
    grass = np.array([0.33, 0.4, 0.14]) * (0.5 + 0.9 * clouds(random, 6, 3))[..., None]
    return finished(mix(picture, soft(shore - Y, 0.01), grass), random)


def sea(random):
    picture = gradient(
        (-1, (0.2, 0.26, 0.46)), (-0.35, (0.72, 0.5, 0.5)), (0.05, (0.99, 0.76, 0.42)), (1, (0.9, 0.6, 0.3))
    )
    bank = gaussian_filter(clouds(random, 60), (0, 25))
    picture = mix(picture, np.clip((bank - 0.5) * 4, 0, 0.7) * (Y < 0), (0.42, 0.27, 0.36))
    distance = np.hypot(X - 0.25, Y + 0.08)
    picture = picture + (np.exp(-((distance / 0.35) ** 2)) * 0.3)[..., None] * np.array([1, 0.8, 0.4])
    picture = mix(picture, soft(distance - 0.1, 0.006), (1.0, 0.95, 0.75))
    water = gradient((0.1, (0.72, 0.5, 0.36)), (0.3, (0.28, 0.3, 0.4)), (1, (0.06, 0.12, 0.2)))
    waves = clouds(random, 5, 3)
    for stretch in (8, 20):
        waves = gaussian_filter(waves, (0, stretch))
    waves = (waves - waves.mean()) / waves.std()
    glitter = np.exp(-(((X - 0.25) / (0.08 + 0.25 * (Y - 0.1))) ** 2)) * (waves > 0.2) * 0.8
    water = mix(water * (1 + 0.18 * waves)[..., None], glitter, (1.0, 0.82, 0.5))
    picture = mix(picture, soft(0.1 - Y, 0.003), water)
    rock = ridge(random, 0.42, 0.05, 25) + 1.1 * (X + 0.55)
    stone = np.array([0.14, 0.11, 0.11]) * (0.5 + 1.3 * lit(clouds(random, 25, 6) * 0.4))[..., None]
    picture = mix(picture, soft(np.maximum(rock - Y, Y - 0.97 + 0.1 * X), 0.006) * (X < 0.1), stone)
    hull = np.maximum(np.maximum(abs(X - 0.62) - 0.13 + (Y - 0.1) * 0.8, Y - 0.16), 0.1 - Y)
    sail = np.maximum(np.maximum(0.6 - X, X - 0.62 - 0.36 * (Y + 0.28)), Y - 0.07)
    picture = mix(picture, soft(hull, 0.004), (0.1, 0.07, 0.08))
    return finished(mix(picture, soft(sail, 0.004), (0.93, 0.86, 0.76)), random)


def page(random):
    paper = np.array([0.93, 0.9, 0.83]) * (0.9 + 0.12 * clouds(random, 90, 4))[..., None]
    sheet = Image.new("L", (SIZE, SIZE), 0)
    draw = ImageDraw.Draw(sheet)
    for text, size, top in (("TWO WAYS", 108, 30), ("A puzzle of one mind", 44, 150)):
        font = ImageFont.load_default(size)
        draw.text((SIZE / 2, top), text, 255, font, anchor="ma")
    font = ImageFont.load_default(40)
    lines = (
        "Turn each piece and try",
        "again: what was a sail",
        "becomes a tree, and one",
        "road has two ends. Both",
        "of them are yours, said",
        "the maker of the board.",
    )
    for number, line in enumerate(lines):
        draw.text((60, 250 + 60 * number), line, 255, font)
    ink = gaussian_filter(np.asarray(sheet) / 255, 0.8)
    shadow = 1 - 0.35 * soft(0.9 - X * 0.8 - Y * 0.35, 0.25)
    return finished(mix(paper, ink * 0.92, (0.1, 0.08, 0.1)) * shadow[..., None], random)


def still_life(random):
    wall = gradient((-1, (0.3, 0.27, 0.22)), (0.2, (0.56, 0.5, 0.4)), (1, (0.5, 0.45, 0.36)))
    picture = wall * (0.85 + 0.3 * clouds(random, 70, 3))[..., None] * (1.1 - 0.35 * X)[..., None]
    grain = gaussian_filter(random.standard_normal((SIZE, SIZE)), (1.2, 30))
    wood = np.array([0.5, 0.3, 0.16]) * (1 + 0.18 * grain / grain.std())[..., None]
    picture = mix(picture, soft(0.3 - Y, 0.006), wood)
    picture = picture * (1 - 0.55 * soft(oval(0.15, 0.72, 0.85, 0.13)[0], 0.06))[..., None]
    for cx, cy, radius, color in (
        (-0.3, 0.1, 0.24, (0.85, 0.16, 0.1)),
        (0.32, 0.08, 0.26, (0.95, 0.58, 0.1)),
        (0.02, -0.03, 0.25, (0.55, 0.7, 0.16)),
        (0.0, 0.16, 0.2, (0.92, 0.8, 0.22)),
    ):
        edge, height = oval(cx, cy, radius, radius)
        shade = lit(height, 0.22)
        picture = mix(picture, soft(edge), np.array(color) * shade[..., None])
        shine = np.exp(-(((X - cx + 0.4 * radius) ** 2 + (Y - cy + 0.45 * radius) ** 2) / (0.2 * radius) ** 2))
        picture = mix(picture, 0.75 * shine, (1, 1, 1))
    edge, height = oval(0, 0.22, 0.66, 0.5)
    bowl = np.maximum(edge, 0.2 + 0.05 * np.cos(X * 3) - Y)
    china = np.array([0.75, 0.82, 0.92]) * lit(gaussian_filter(height, 3), 0.25)[..., None]
    stripe = (abs(Y - 0.34 - 0.05 * np.cos(X * 3)) < 0.035) | (abs(Y - 0.44 - 0.05 * np.cos(X * 3)) < 0.012)
    picture = mix(picture, soft(bowl, 0.006), np.where(stripe[..., None], china * np.array([0.3, 0.42, 0.8]), china))
    neck = np.minimum(oval(0.74, 0.1, 0.19, 0.5)[0], np.maximum(abs(X - 0.74) - 0.065, abs(Y + 0.5) - 0.3))
    glass = np.array([0.1, 0.26, 0.15]) * (0.6 + 2.2 * np.exp(-(((X - 0.66) / 0.03) ** 2)))[..., None]
    return finished(mix(picture, soft(neck, 0.008), glass), random)


def cat(random):
    picture = gradient((-1, (0.5, 0.52, 0.42)), (1, (0.66, 0.62, 0.5))) * (0.7 + 0.6 * clouds(random, 60, 3))[..., None]
    fur = 0.8 + 0.2 * clouds(random, 6, 4) + 0.12 * strands(random, 6)
    stripes = 0.5 + 0.5 * np.sin(26 * np.hypot(X, Y * 0.7 + 0.9) + 5 * clouds(random, 50, 2))
    coat = np.array([0.86, 0.55, 0.26]) * (fur * (0.72 + 0.36 * stripes))[..., None]
    body, bulge = oval(0, 1.1, 0.75, 0.75)
    picture = mix(picture, soft(body, 0.02), coat * lit(gaussian_filter(bulge, 6), 0.35)[..., None])
    for side in (-1, 1):
        for size, color in ((1, coat), (0.6, np.array([0.85, 0.55, 0.5]))):
            ear = np.maximum(abs(X - 0.4 * side) - size * 0.2 * np.clip((Y + 0.78) / 0.36, 0, 1.3), Y + 0.3)
            picture = mix(picture, soft(np.maximum(ear, -0.85 - Y), 0.012), color)
    edge, height = oval(0, -0.02, 0.62, 0.54)
    for side in (-1, 1):
        height = height + 0.5 * oval(0.13 * side, 0.2, 0.2, 0.16)[1]
    head = coat * lit(gaussian_filter(height, 7), 0.35)[..., None]
    muzzle = np.minimum(oval(-0.13, 0.2, 0.19, 0.15)[0], oval(0.13, 0.2, 0.19, 0.15)[0])
    head = mix(head, soft(np.minimum(muzzle, oval(0, 0.38, 0.16, 0.12)[0]), 0.03), (0.95, 0.9, 0.84))
    picture = mix(picture, soft(edge, 0.02), head)
    for side in (-1, 1):
        for (rx, ry), color in (
            ((0.15, 0.12), (0.1, 0.07, 0.05)),
            ((0.13, 0.105), (0.66, 0.76, 0.25)),
            ((0.04, 0.1), (0.02, 0.02, 0.02)),
        ):
            picture = mix(picture, soft(oval(0.26 * side, -0.1, rx, ry)[0], 0.007), color)
        picture = mix(picture, soft(oval(0.26 * side - 0.04, -0.14, 0.022, 0.022)[0], 0.005), (1, 1, 1))
        for slope in (-0.15, 0.02, 0.2):
            whisker = abs(Y - 0.2 - slope * (abs(X) - 0.2)) - 0.004
            picture = mix(picture, 0.8 * soft(whisker, 0.003) * (X * side > 0.2) * (X * side < 0.85), (1, 1, 1))
        picture = mix(
            picture, soft(abs(oval(0.07 * side, 0.19, 0.08, 0.09)[0]) - 0.008, 0.005) * (Y > 0.2), (0.25, 0.12, 0.1)
        )
    nose = np.maximum(abs(X) - 0.09 * (0.19 - Y) / 0.1, 0.08 - Y)
    return finished(mix(picture, soft(nose, 0.008), (0.78, 0.4, 0.4)), random)


def skyline(random):
    picture = gradient(
        (-1, (0.12, 0.16, 0.36)), (-0.2, (0.55, 0.42, 0.55)), (0.3, (0.96, 0.68, 0.45)), (1, (0.9, 0.6, 0.4))
    )
    picture = mix(
        picture, np.clip((gaussian_filter(clouds(random, 50), (0, 18)) - 0.55) * 3, 0, 0.5) * (Y < 0.2), (0.8, 0.5, 0.5)
    )
    for depth, color in ((0, (0.44, 0.36, 0.46)), (1, (0.25, 0.22, 0.32)), (2, (0.1, 0.1, 0.17))):
        x = -1.05
        while x < 1:
            wide = random.uniform(0.1, 0.24)
            top = random.uniform(-0.5, 0.1) + 0.16 * depth + 0.2 * abs(x)
            tower = np.maximum(np.maximum(x - X, X - x - wide), np.maximum(top - Y, Y - 0.55))
            body = np.array(color) * (1.25 - 0.5 * (X - x) / wide)[..., None]
            if depth:
                grid = ((X - x) % 0.034 > 0.014) & ((Y - top) % 0.05 > 0.024) & (top + 0.04 < Y)
                on = random.random((60, 60)) < 0.45
                lamps = grid & on[((Y - top) / 0.05).astype(int) % 60, ((X - x) / 0.034).astype(int) % 60]
                body = mix(body, 0.85 * lamps, (1.0, 0.85, 0.5))
            picture = mix(picture, soft(tower, 0.003), body)
            x += wide + random.uniform(-0.02, 0.06)
    water = gaussian_filter(picture[::-1], (5, 2, 0))
    water = np.roll(water, round(SIZE * 0.52), axis=0) * np.array([0.55, 0.58, 0.7])
    ripple = gaussian_filter(random.standard_normal((SIZE, SIZE)), (1, 10))
    picture = mix(picture, soft(0.53 - Y, 0.003), water * (1 + 0.2 * ripple / ripple.std())[..., None])
    return finished(picture, random)


DRAWN = (woman, man, mountains, sea, page, still_life, cat, skyline)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, draw in enumerate(DRAWN):
        name = draw.__name__.replace("_", "-")
        draw(np.random.default_rng(number)).save(folder / f"{name}.png")
        print(folder / f"{name}.png")
    if len(sys.argv) > 2:
        compare(folder, int(sys.argv[2]))


def compare(folder, size):
    """Print a table: similarities and colour differences foreseen and reached, and mean squared errors."""
    print("| A, B | blend | verdict | similarity foreseen | reached | colours foreseen | reached | squared | seconds |")
    print("|---|---|---|---|---|---|---|---|---:|")
    for one, other in PAIRS:
        for blend in BLENDS[::-1]:
            start = process_time()
            files = folder / f"{one}.png", folder / f"{other}.png", folder / f"{one}-{other}-{blend}"
            options = {"rows": size, "columns": size, "scrambles": 1, "pixels": 32, "time_limit": None}
            told = js.pictures(*files, blend=blend, **options).record()
            seen = told["verdict"]
            errors = [
                pair(seen["similarities"], ".2f"),
                pair(told["similarities"]["as_cut"], ".2f"),
                pair(seen["color_differences"], ".1f"),
                pair(told["color_differences"]["as_cut"], ".1f"),
                pair(told["mean_squared_errors"]["as_cut"], ".0f"),
            ]
            cells = f"{one}, {other}", blend, seen["suit"], *errors, f"{process_time() - start:.0f}"
            print(f"| {' | '.join(cells)} |", flush=True)


def pair(numbers, form):
    return ", ".join(format(number, form) for number in numbers)


if __name__ == "__main__":
    main()
