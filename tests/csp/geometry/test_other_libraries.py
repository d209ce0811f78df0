"""Polygons in sympy, exactly, and in shapely."""

from fractions import Fraction

import pytest
import sympy

import jigsat as js
from jigsat.csp.geometry.exact_numbers import format_number, parse, quotient, symbol
from jigsat.csp.geometry.polygons import area


@pytest.mark.parametrize("text", ["7/2", "-3", "1/2+1/2*sqrt(5)", "sqrt(2)-sqrt(3)", "1/3-2*sqrt(6)+sqrt(15)"])
def test_numbers_are_the_same_in_sympy(text):
    number = parse(text)
    assert sympy.simplify(symbol(number) - sympy.sympify(text)) == 0
    assert sympy.simplify(sympy.Integer(2) * number - 2 * sympy.sympify(text)) == 0
    inverse = quotient(1, number)
    assert number * inverse == 1
    assert sympy.simplify(symbol(inverse) - 1 / sympy.sympify(text)) == 0, format_number(inverse)


@pytest.mark.parametrize("name", ["calissons", "perigal"])
def test_areas_are_the_same(name):
    puzzle = js.read(name)
    assert js.to_sympy(puzzle.target).area == symbol(area(puzzle.target))
    assert sum(polygon.area for polygon in js.to_sympy(puzzle.pieces)) == symbol(area(puzzle.target))
    outlines = js.to_shapely(puzzle.pieces)
    assert len(outlines) == len(puzzle.pieces)
    assert sum(outline.area for outline in outlines) == pytest.approx(float(area(puzzle.target)))


@pytest.mark.parametrize("convert", [js.to_sympy, js.to_shapely])
def test_points_may_be_lists(convert):
    triangle = [[0, 0], [1, 0], [0, 1]]
    one = convert(triangle)
    assert convert([triangle]) == [one]
    assert convert((tuple(map(tuple, triangle)),)) == [one]


def test_a_division_by_nothing():
    with pytest.raises(ZeroDivisionError):
        quotient(parse("sqrt(2)"), Fraction(0))
