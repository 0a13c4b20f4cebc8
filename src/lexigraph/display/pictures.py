"""A small picture of a neighbourhood, as SVG.

Layer ``display``. Vertices stand on circles around the busiest one; edges between the same two
vertices are one line. The same elements always give the same picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from html import escape
from math import cos, pi, sin

from lexigraph.display.tables import shown_value
from lexigraph.plan import Element

WIDTH, HEIGHT, MAX_VERTICES = 560, 360, 40
_COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5")


def svg_picture(elements: Iterable[Element]) -> str:
    """Draw the edges among some elements; nothing where there is none."""
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
    lines = dict.fromkeys(
        (edge.source, edge.destination, bool(edge.directed), edge.group)
        for edge in edges
        if edge.source in places and edge.destination in places
    )
    parts = [_line(places[a], places[b], colours[g], arrow=d) for a, b, d, g in lines]
    parts += [_dot(one, places[one]) for one in ranked]
    parts += [_legend(at, group, colour) for at, (group, colour) in enumerate(colours.items())]
    if len(degree) > len(ranked):
        parts.append(f'<text x="8" y="{HEIGHT - 8}">{len(degree) - len(ranked)} more</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">'
        f"{_ARROW}{''.join(parts)}</svg>"
    )


_ARROW = (
    '<defs><marker id="to" viewBox="0 0 8 8" refX="14" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M0 0L8 4L0 8z" fill="#888"/></marker></defs>'
)


def _places(ranked: list[Hashable]) -> dict[Hashable, tuple[float, float]]:
    middle = (WIDTH / 2, HEIGHT / 2)
    places = {ranked[0]: middle}
    others, ring, size = ranked[1:], 1, 12
    while others:
        here, others = others[:size], others[size:]
        for at, one in enumerate(here):
            angle = 2 * pi * (at + ring / 2) / len(here)
            reach = min(1.0, 0.45 + 0.275 * (ring - 1) + (0.3 if not others and ring == 1 else 0))
            x = middle[0] + cos(angle) * reach * (WIDTH / 2 - 50)
            y = middle[1] + sin(angle) * reach * (HEIGHT / 2 - 25)
            places[one] = (x, y)
        ring, size = ring + 1, size + 8
    return places


def _line(a: tuple[float, float], b: tuple[float, float], colour: str, *, arrow: bool) -> str:
    if a == b:
        return f'<circle cx="{a[0]:.0f}" cy="{a[1] - 12:.0f}" r="9" fill="none" stroke="{colour}"/>'
    end = ' marker-end="url(#to)"' if arrow else ""
    return (
        f'<line x1="{a[0]:.0f}" y1="{a[1]:.0f}" x2="{b[0]:.0f}" y2="{b[1]:.0f}" '
        f'stroke="{colour}" stroke-width="1.5"{end}/>'
    )


def _dot(vertex: Hashable, place: tuple[float, float]) -> str:
    name = escape(shown_value(vertex, 18))
    x, y = place
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="5" fill="#333"/>'
        f'<text x="{x + 7:.0f}" y="{y + 4:.0f}">{name}</text>'
    )


def _legend(at: int, group: str, colour: str) -> str:
    y = 14 + 15 * at
    return (
        f'<rect x="8" y="{y - 8}" width="10" height="3" fill="{colour}"/>'
        f'<text x="24" y="{y - 2}">{escape(group)}</text>'
    )
