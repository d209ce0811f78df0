"""Polygons with exact coordinates as those of shapely, in floats, and of sympy, exactly."""

from collections.abc import Callable, Sequence
from typing import Any

from ..base.errors import need_extra
from .exact_numbers import symbol
from .polygons import Polygon


def to_shapely(shape: Polygon | Sequence[Polygon]) -> Any:
    """A polygon, or each polygon of a tiling, as ``shapely.Polygon``, with its coordinates rounded to floats.

    Parameters
    ----------
    shape : polygon or sequence of polygons
        A polygon, such as ``puzzle.target``; or polygons, such as ``puzzle.pieces`` or a tiling.

    Returns
    -------
    shapely.Polygon or list of shapely.Polygon
        The same in shapely.

    Raises
    ------
    JigsatError
        If shapely is not installed.

    Examples
    --------
    >>> from jigsat import read
    >>> to_shapely(read("ostomachion").target).area
    144.0
    """
    need_extra("shapely", extra="workshop", what="polygons of shapely need")
    import shapely

    return _each(shape, lambda polygon: shapely.Polygon([(float(x), float(y)) for x, y in polygon]))


def to_sympy(shape: Polygon | Sequence[Polygon]) -> Any:
    """A polygon, or each polygon of a tiling, as ``sympy.Polygon``, with the same exact coordinates.

    Parameters
    ----------
    shape : polygon or sequence of polygons
        A polygon, such as ``puzzle.target``; or polygons, such as ``puzzle.pieces`` or a tiling.

    Returns
    -------
    sympy.Polygon or list of sympy.Polygon
        The same in sympy; a triangle is a ``sympy.Triangle``.

    Examples
    --------
    >>> from jigsat import read
    >>> to_sympy(read("calissons").target).area
    6*sqrt(3)
    """
    import sympy

    return _each(shape, lambda polygon: sympy.Polygon(*((symbol(x), symbol(y)) for x, y in polygon)))


def _each(shape: Any, make: Callable[[Polygon], Any]) -> Any:
    """What is made of a polygon, or a list of what is made of several."""
    is_polygon = isinstance(shape[0][0], str) or not hasattr(shape[0][0], "__len__")
    return make(shape) if is_polygon else [make(polygon) for polygon in shape]
