"""Layouts, or key packages: how elements become cells and seeds become ranges.

Layer ``layout``, above ``schema`` and below ``plan``.
"""

from lexigraph.layout.spi import BoundLayout, Layout, Place, Wanted

__all__ = ["BoundLayout", "Layout", "Place", "Wanted"]
