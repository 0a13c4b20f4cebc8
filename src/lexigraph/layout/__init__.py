"""Layouts, or key packages: how elements become cells and seeds become ranges.

Layer ``layout``, above ``schema`` and below ``plan``.
"""

from lexigraph.layout.byte_entity import ByteEntity
from lexigraph.layout.classic import Classic
from lexigraph.layout.options import RowOptions
from lexigraph.layout.registry import layout_for, register
from lexigraph.layout.spi import BoundLayout, EdgeBound, Layout, Place, Span, Wanted

__all__ = [
    "BoundLayout",
    "ByteEntity",
    "Classic",
    "EdgeBound",
    "Layout",
    "Place",
    "RowOptions",
    "Span",
    "Wanted",
    "layout_for",
    "register",
]
