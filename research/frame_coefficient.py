"""The number of frames of a puzzle as one coefficient of a polynomial, a second way to the counts of `frames`.

All edge pieces with the same two frame colours, in the order of the walk around the frame, are a class with a variable.
A power of the matrix of the variables lists the sides of a frame; the coefficient of the monomial with the number of
pieces of each class counts those that share out all pieces.  It is the mean of the polynomial's values over roots of
unity, by a C program, modulo primes below 2^47; the Chinese remainder theorem puts the number together.

Classes that lead to one colour, and one that leads from a colour to itself, keep the value 1: every frame leaves a
colour as often as it comes to it, so that their numbers follow from the others (`without_alias` checks it).  This is
true only if each colour begins as many pieces as it ends; otherwise there are no frames, and the program ends with a
message.

Only the pieces are read, from a JSON file of the project: no fixed or spare pieces, colours that match where equal.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations_with_replacement, permutations
from math import factorial, gcd, lcm, prod
from pathlib import Path

from sympy import isprime

_SOURCE = Path(__file__).with_suffix(".c")
_LANES_FIRST = 4


def frame_of(pieces):
    """The classes of edge pieces with their numbers, and the two colours of each corner piece."""
    edges, corners = Counter(), []
    for sides in pieces:
        borders = sides.count(0)
        if borders == 1:
            at = sides.index(0)
            edges[sides[at - 1], sides[(at + 1) % 4]] += 1
        elif borders == 2:
            # Walking clockwise, the border lies on the left: the piece begins before its first border side.
            at = next(i for i in range(4) if sides[i] == 0 == sides[(i + 1) % 4])
            corners.append((sides[at - 1], sides[(at + 2) % 4]))
    return edges, corners


def balanced(classes, corners):
    """Whether each colour begins as many pieces as it ends; if not, there are no frames."""
    arcs = [*classes.elements(), *corners]
    return Counter(begin for begin, _ in arcs) == Counter(end for _, end in arcs)


def without_alias(classes, star, loop):
    """Whether no other monomial has the same exponents modulo the orders of the roots.

    The pieces are balanced, so that the difference of the exponents is a circulation of total 0.  Classes that are not
    kept at 1 have differences that are not negative and multiples of their orders.  As much comes to the colour of the
    star as leaves it, so that the star's classes add up to at least 0: all others have at most the number of pieces of
    the loop together.
    """
    orders = {c: n + 1 for c, n in classes.items() if c not in star and c != loop}
    most = 0 if loop is None else classes[loop]
    small = [c for c, order in orders.items() if order <= most]
    hub = star[0][1]
    colors = {color for c in classes for color in c} - {hub}
    for size in range(1, most + 1):
        for chosen in combinations_with_replacement(small, size):
            k = Counter()
            for c in chosen:
                k[c] += orders[c]
            # What balances each other colour, by the star alone.
            star_needs = {(x, hub): sum(v * ((c[1] == x) - (c[0] == x)) for c, v in k.items()) for x in colors}
            possible = all(n >= -classes.get(c, 0) and (c in classes or not n) for c, n in star_needs.items())
            if possible and 0 < k.total() + sum(star_needs.values()) <= most:
                return False
    return True


def kept_at_one(classes):
    """The star and the loop that save the most points."""
    best = None
    colors = sorted({color for c in classes for color in c})
    for hub in colors:
        star = [c for c in classes if c[1] == hub != c[0]]
        if not star:
            continue
        for loop in (None, *(c for c in classes if c[0] == c[1])):
            if loop is None or without_alias(classes, star, loop):
                saved = prod(classes[c] + 1 for c in star) * (1 if loop is None else classes[loop] + 1)
                if best is None or saved > best[0]:
                    best = saved, star, loop
    return [] if best is None else [*best[1], *([] if best[2] is None else [best[2]])]


def primes(step):
    """Primes below 2^47 that leave the remainder 1 when divided by `step`."""
    number = 2**47 // step * step + 1
    while True:
        number -= step
        if isprime(number):
            yield number


def root_of(prime, order):
    """A primitive root of unity."""
    chance = random.Random(order)
    while True:
        root = pow(chance.randrange(2, prime), (prime - 1) // order, prime)
        if all(pow(root, i, prime) != 1 for i in range(1, order)):
            return root


class FramePolynomial:
    """The polynomial of a frame."""

    def __init__(self, rows, columns, pieces):
        self.classes, self.corners = frame_of(pieces)
        self.lengths = (columns - 2, rows - 2, columns - 2, rows - 2)
        if self.classes.total() != sum(self.lengths) or len(self.corners) != 4:
            raise SystemExit("the frame has spare pieces, or too few")
        if not balanced(self.classes, self.corners):
            raise SystemExit("there are no frames: a colour begins more pieces than it ends")
        self.kept = kept_at_one(self.classes)
        colors = {color for c in (*self.classes, *self.corners) for color in c}
        self.colors = {color: i for i, color in enumerate(sorted(colors))}
        orders = {c: 1 if c in self.kept else n + 1 for c, n in self.classes.items()}
        # Vectors of 8 values vary in the first classes.
        self.orders = sorted(orders.items(), key=lambda item: (item[1] != _LANES_FIRST, item[1] == 1, item))
        self.points = prod(orders.values())
        self.step = lcm(*orders.values())
        self.factor = prod(factorial(n) for n in self.classes.values())

    def closings(self):
        """For each way to lay the corners (one of those that turns of a square board make equal): the sides' ends."""
        square = len(set(self.lengths)) == 1
        found = Counter()
        for laid in permutations(range(4)):
            if not square or laid[0] == 0:
                at = [self.corners[i] for i in laid]
                found[tuple((at[i][1], at[(i + 1) % 4][0]) for i in range(4))] += 4 if square else 1
        return found

    def largest(self):
        """A bound on the number: a frame follows from the corners and the classes with which it leaves each colour."""
        leaving = Counter()
        for (color, _), n in self.classes.items():
            leaving[color] += n
        return self.closings().total() * prod(map(factorial, leaving.values())) // self.factor

    def input(self, prime, first, last):
        """The input of the C program for some outer points."""
        step = 2**52
        closings = [
            (weight, *(self.colors[color] for side in sides for color in side))
            for sides, weight in self.closings().items()
        ]
        rows = [
            (self.colors[c[0]], self.colors[c[1]], order, root_of(prime, order), -self.classes[c] % order)
            for c, order in self.orders
        ]
        lines = [
            (prime, -pow(prime, -1, step) % step, step % prime, step * step % prime),
            (len(self.colors), *self.lengths), (len(closings),), *closings, (len(rows),), *rows, (first, last),
        ]  # fmt: skip
        return "\n".join(" ".join(map(str, line)) for line in lines)

    def modulo(self, program, prime, threads, parts, tell):
        """The number of class sequences modulo a prime."""

        def run(first, last):
            text = self.input(prime, first, last)
            done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
            return tuple(map(int, done.stdout.split()))

        outer = run(0, 0)[0]
        bounds = [outer * i // parts for i in range(parts + 1)]
        total = 0
        with ThreadPoolExecutor(threads) as pool:
            for done, (_, value) in enumerate(pool.map(run, bounds, bounds[1:]), start=1):
                total += value
                tell(done, parts)
        return total * pow(self.points, -1, prime) % prime


def count(rows, columns, pieces, *, primes_used=0, threads=1, parts=1, tell=lambda *_: None):
    """The number of frames: (number, modulus); exact if the modulus is larger than it can be."""
    frame = FramePolynomial(rows, columns, pieces)
    number, modulus = 0, 1
    # The number is a multiple of the turns.
    turns = gcd(*frame.closings().values())
    with tempfile.TemporaryDirectory() as folder:
        program, colors = Path(folder) / "frame_coefficient", f"-DK={len(frame.colors)}"
        subprocess.run(["gcc", "-O3", "-march=native", colors, "-o", program, _SOURCE], check=True)
        for used, prime in enumerate(primes(frame.step)):
            if used == primes_used if primes_used else modulus > frame.largest() // turns:
                break
            value = frame.modulo(program, prime, threads, parts, lambda *at, p=prime: tell(p, *at))
            value = value * pow(turns, -1, prime) % prime
            number += (value - number) * pow(modulus, -1, prime) % prime * modulus
            modulus *= prime
            tell(prime, number, modulus)
    return number * turns * frame.factor, modulus * turns * frame.factor


def main():
    parser = argparse.ArgumentParser(description="The number of frames of a puzzle as a coefficient.")
    parser.add_argument("file", help="an instance file, such as instances/edge-matching/eternity2.json")
    parser.add_argument("--primes", type=int, default=0, help="how many (default: as many as the largest number needs)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--parts", type=int, default=100, help="how many calls of the C program for each prime")
    arguments = parser.parse_args()
    puzzle = json.loads(Path(arguments.file).read_text())
    frame = FramePolynomial(puzzle["rows"], puzzle["columns"], puzzle["pieces"])
    print(f"{len(frame.classes)} classes, {frame.points} points for each prime", file=sys.stderr)
    started = time.perf_counter()

    def tell(prime, *at):
        print(f"{time.perf_counter() - started:.0f} s, prime {prime}: {at}", file=sys.stderr, flush=True)

    number, modulus = count(
        puzzle["rows"], puzzle["columns"], puzzle["pieces"],
        primes_used=arguments.primes, threads=arguments.threads, parts=arguments.parts, tell=tell,
    )  # fmt: skip
    print(f"{number} modulo {modulus}")


if __name__ == "__main__":
    main()
