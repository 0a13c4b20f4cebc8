"""Layouts, or key packages: how elements become cells and seeds become ranges.

Layer ``layout``, above ``schema`` and below ``plan``.
"""

from lexigraph.layout.byte_entity import ByteEntity
from lexigraph.layout.classic import Classic
from lexigraph.layout.options import KeyOptions
from lexigraph.layout.registry import layout_for, register
from lexigraph.layout.spi import BoundLayout, Layout, Place, Span
from lexigraph.layout.wanted import EdgeBound, Wanted

__all__ = [
    "BoundLayout",
    "ByteEntity",
    "Classic",
    "EdgeBound",
    "KeyOptions",
    "Layout",
    "Place",
    "Span",
    "Wanted",
    "layout_for",
    "register",
]
