"""A small picture of a neighbourhood, as SVG.

Layer ``display``. Vertices stand on circles around the busiest one. Edges of one group between the
same two vertices are one line, wider the more they are; other lines between the two are bent apart.
The same elements always give the same picture.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from html import escape
from math import cos, hypot, log2, pi, sin
from typing import NamedTuple

from lexigraph.plan import Element
from lexigraph.tables import shown_value

WIDTH, HEIGHT, MAX_VERTICES = 680, 440, 40
RADIUS = 5
_BEND = 22
_COLOURS = ("#4269d0", "#c98a00", "#e0533d", "#2f9e85", "#3ca951", "#d6568e", "#8a4bd8", "#5b8fd6")
# White behind the letters keeps them readable above lines.
_HALO = 'paint-order="stroke" stroke="#fff" stroke-width="3" stroke-linejoin="round"'

Point = tuple[float, float]


class _Bundle(NamedTuple):
    """Edges that are drawn as one line."""

    source: Hashable
    destination: Hashable
    directed: bool
    group: str


def svg_picture(elements: Iterable[Element]) -> str:
    """Draw the edges among some elements; nothing if there are none."""
    edges = [one for one in elements if one.kind == "edge"]
    degree: Counter[Hashable] = Counter()
    for edge in edges:
        degree[edge.source] += 1
        degree[edge.destination] += 1
    if not degree:
        return ""
    ranked = sorted(degree, key=lambda one: (-degree[one], repr(one)))[:MAX_VERTICES]
    places = _places(ranked)
    colours = {
        group: _COLOURS[at % len(_COLOURS)]
        for at, group in enumerate(sorted({edge.group for edge in edges}))
    }
    bundles = Counter(
        _Bundle(edge.source, edge.destination, bool(edge.directed), edge.group)
        for edge in edges
        if edge.source in places and edge.destination in places
    )
    lines, counts = _lines(bundles, places, colours)
    parts = [*lines, *(_dot(places[one]) for one in ranked), *counts]
    parts += [_label(one, places[one], at) for at, one in enumerate(ranked)]
    parts += [_legend(at, group, colour) for at, (group, colour) in enumerate(colours.items())]
    if len(degree) > len(ranked):
        parts.append(f'<text x="8" y="{HEIGHT - 8}">{len(degree) - len(ranked)} more</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" fill="#222">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _places(ranked: list[Hashable]) -> dict[Hashable, Point]:
    middle = (WIDTH / 2, HEIGHT / 2)
    places = {ranked[0]: middle}
    others = ranked[1:]
    inner = len(others) // 3 if len(others) > 14 else 0
    for ring, reach in ((others[:inner], 0.5), (others[inner:], 1.0 if inner else 0.9)):
        for at, one in enumerate(ring):
            # Nobody stands to the right of the middle: there is its name.
            angle = 2 * pi * (at + 0.5) / len(ring)
            x = middle[0] + cos(angle) * reach * (WIDTH / 2 - 110)
            y = middle[1] + sin(angle) * reach * (HEIGHT / 2 - 35)
            places[one] = (x, y)
    return places


def _lines(
    bundles: Counter[_Bundle], places: dict[Hashable, Point], colours: dict[str, str]
) -> tuple[list[str], list[str]]:
    """Return the lines, and the counts beside those that stand for several edges."""
    between: dict[tuple[Hashable, ...], list[_Bundle]] = defaultdict(list)
    for one in sorted(bundles, key=repr):
        between[tuple(sorted((one.source, one.destination), key=repr))].append(one)
    lines, counts = [], []
    for (first, _), here in between.items():
        for at, one in enumerate(here):
            # Bends are measured from one end, so that lines there and back lie apart.
            bend = (at - (len(here) - 1) / 2) * _BEND * (1 if one.source == first else -1)
            number = bundles[one]
            width = 1.5 + min(4.0, log2(number))
            a, b = places[one.source], places[one.destination]
            arrow = one.directed
            line = (
                _loop(a, at, colours[one.group], width, arrow=arrow)
                if a == b
                else _curve(a, b, bend, colours[one.group], width, arrow=arrow)
            )
            lines.append(line)
            if number > 1:
                counts.append(_count(_loop_top(a, at) if a == b else _middle(a, b, bend), number))
    return lines, counts


def _bent(a: Point, b: Point, bend: float) -> Point:
    length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    side = (-(b[1] - a[1]) / length, (b[0] - a[0]) / length)
    return ((a[0] + b[0]) / 2 + side[0] * bend, (a[1] + b[1]) / 2 + side[1] * bend)


def _middle(a: Point, b: Point, bend: float) -> Point:
    # A little towards the end, where lines of one hub lie further apart.
    on = _bent(a, b, bend)
    return (on[0] + (b[0] - a[0]) * 0.08, on[1] + (b[1] - a[1]) * 0.08)


def _towards(start: Point, end: Point, distance: float) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    share = distance / length
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def _curve(a: Point, b: Point, bend: float, colour: str, width: float, *, arrow: bool) -> str:
    control = _bent(a, b, 2 * bend)
    tip = _towards(b, control, RADIUS + 2)
    start = _towards(a, control, RADIUS + 1)
    end = _towards(b, control, RADIUS + 2 + _head(width) - 1) if arrow else tip
    path = f"M{_xy(start)}Q{_xy(control)} {_xy(end)}"
    return _stroke(path, colour, width) + (_arrow(control, tip, colour, width) if arrow else "")


def _loop_top(at: Point, number: int) -> Point:
    return (at[0], at[1] - 31 - 10 * number)


def _loop(at: Point, number: int, colour: str, width: float, *, arrow: bool) -> str:
    reach, (x, y) = 20 + 7 * number, at
    left, right = (x - reach, y - 40 - 13 * number), (x + reach, y - 40 - 13 * number)
    start, tip = _towards(at, left, RADIUS + 1), _towards(at, right, RADIUS + 2)
    end = _towards(at, right, RADIUS + 2 + _head(width) - 1) if arrow else tip
    path = f"M{_xy(start)}C{_xy(left)} {_xy(right)} {_xy(end)}"
    return _stroke(path, colour, width) + (_arrow(right, tip, colour, width) if arrow else "")


def _head(width: float) -> float:
    return 8 + 1.5 * width


def _stroke(path: str, colour: str, width: float) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:.1f}" '
        'stroke-opacity="0.8"/>'
    )


def _arrow(come_from: Point, tip: Point, colour: str, width: float) -> str:
    base = _towards(tip, come_from, _head(width))
    half = 3.5 + width
    length = hypot(tip[0] - base[0], tip[1] - base[1]) or 1.0
    side = (-(tip[1] - base[1]) / length * half, (tip[0] - base[0]) / length * half)
    corners = [tip, (base[0] + side[0], base[1] + side[1]), (base[0] - side[0], base[1] - side[1])]
    return f'<polygon points="{" ".join(map(_xy, corners))}" fill="{colour}"/>'


def _xy(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"


def _dot(place: Point) -> str:
    return f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{RADIUS}" fill="#333"/>'


def _label(vertex: Hashable, place: Point, at: int) -> str:
    """Write the name outside of the circle, so that lines do not cross it."""
    name = escape(shown_value(vertex, 18))
    across, down = place[0] - WIDTH / 2, place[1] - HEIGHT / 2
    if at and abs(across) < 0.3 * abs(down):
        x, y, anchor = place[0], place[1] + (18 if down > 0 else -10), "middle"
    elif across < 0:
        x, y, anchor = place[0] - 9, place[1] + 4, "end"
    else:
        x, y, anchor = place[0] + 9, place[1] + 4, "start"
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {_HALO}>{name}</text>'


def _count(place: Point, number: int) -> str:
    return (
        f'<text x="{place[0]:.1f}" y="{place[1] + 4:.1f}" text-anchor="middle" font-size="11" '
        f'font-weight="bold" {_HALO}>\N{MULTIPLICATION SIGN}{number}</text>'
    )


def _legend(at: int, group: str, colour: str) -> str:
    y = 18 + 17 * at
    return (
        f'<rect x="8" y="{y - 7}" width="16" height="4" fill="{colour}"/>'
        f'<text x="30" y="{y}" {_HALO}>{escape(shown_value(group, 40))}</text>'
    )
