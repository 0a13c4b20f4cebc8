"""Stages by name: the built-in ones and those that users add.

Layer ``store``. The built-in ones are listed in ``builtin``; importing a module never registers
anything. A name, once taken, keeps its meaning for the life of the process.
"""

from __future__ import annotations

import re
from functools import cache
from inspect import isabstract
from typing import TypeVar

from lexigraph.errors import InvalidName, InvalidOption, nearest
from lexigraph.store.stages.base import Stage

StageType = TypeVar("StageType", bound=type[Stage])

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_added: dict[str, type[Stage]] = {}


def register_stage(cls: StageType) -> StageType:
    """Add a stage of one's own; also a class decorator.

    Its ``scan`` is a generator over ``self.source.scan(range, families)``: sorted cells in, sorted
    cells out, no state between calls, and the same group of cells from wherever it is entered. An
    engine that cannot push the stage down runs it in the client, behind the scan: same answer, more
    cells on the way.

    >>> class Loud(Stage):
    ...     name = "loud"
    ...     def scan(self, range, families):
    ...         for cell in self.source.scan(range, families):
    ...             yield cell._replace(value=cell.value.upper())
    >>> register_stage(Loud) is stage_class("loud")
    True
    """
    name = getattr(cls, "name", None)
    if not (isinstance(cls, type) and issubclass(cls, Stage)):
        raise InvalidName(f"{cls!r} is not a subclass of Stage")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidName(f"{cls.__name__} needs a class attribute 'name', not {name!r}")
    if isabstract(cls):
        missing = ", ".join(sorted(cls.__abstractmethods__))
        raise InvalidName(
            f"{cls.__name__} does not define {missing}, so it cannot run as stage {name!r}",
            hint="Define it in the class, then register the class.",
        )
    taken = _known().get(name)
    if taken is not None and taken is not cls:
        raise InvalidName(f"the stage name {name!r} is taken by {taken.__qualname__}")
    _added[name] = cls
    return cls


def stage_class(name: str) -> type[Stage]:
    """Return the stage of that name.

    >>> stage_class("versoins")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: there is no stage 'versoins' (did you mean: versions?)
    """
    known = _known()
    if name not in known:
        raise InvalidOption(f"there is no stage {name!r}", near=nearest(name, known))
    return known[name]


def stage_names() -> list[str]:
    """Return every name that a spec may use, sorted."""
    return sorted(_known())


def _known() -> dict[str, type[Stage]]:
    return {**_built_in(), **_added}


@cache
def _built_in() -> dict[str, type[Stage]]:
    # Imported here: stages import the base layer that this module belongs to.
    from lexigraph.store.stages.builtin import BUILT_IN

    return {cls.name: cls for cls in BUILT_IN}
