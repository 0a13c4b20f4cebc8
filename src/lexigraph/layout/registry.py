"""Layouts by name, as graphs remember theirs.

Layer ``layout``. The names are stored: never rename one. Users add theirs with ``register``, or
hand them to ``open`` each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.errors import InvalidName, InvalidOption, UnsupportedError, nearest, show
from lexigraph.layout.byte_entity import ByteEntity
from lexigraph.layout.classic import Classic
from lexigraph.layout.spi import Layout

_LAYOUTS: dict[str, type[Layout]] = {cls.name: cls for cls in (ByteEntity, Classic)}


def register(layout: type[Layout]) -> None:
    """Add a class of layouts under its name; a taken name is refused."""
    if not (isinstance(layout, type) and issubclass(layout, Layout)):
        raise InvalidOption(f"a layout is a subclass of Layout, not {show(layout)}")
    if _LAYOUTS.get(layout.name, layout) is not layout:
        raise InvalidName(f"there is already a layout named {layout.name!r}")
    _LAYOUTS[layout.name] = layout


def layout_for(name: str, options: Mapping[str, Any] | None = None) -> Layout:
    """Make a layout by name.

    >>> layout_for("byte-entity", {"shards": 4}).options
    {'shards': 4}
    """
    found = _LAYOUTS.get(name) if isinstance(name, str) else None
    if found is None:
        raise UnsupportedError(
            f"there is no layout {show(name)}; available: {', '.join(names())}",
            near=nearest(name, _LAYOUTS),
            hint="Use one of these, or register your own layout first.",
        )
    return found(**(options or {}))


def names() -> list[str]:
    """List the names of all layouts, sorted."""
    return sorted(_LAYOUTS)
