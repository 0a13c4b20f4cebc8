"""Elements of an answer as people get them: instances of their classes, or plain elements.

Layer ``graph``. A graph that was opened with classes gives instances of them; what an answer does
not have (a group-by property that was rolled up, say) is ``None`` there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.plan import Element
from lexigraph.schema import ClassElement
from lexigraph.schema.fields import PLAN_NAMES

Classes = Mapping[str, type[ClassElement]]


def as_instance(element: Element, classes: Classes) -> Any:
    """Give an element as an instance of its class, where it has one.

    >>> from lexigraph.schema import Vertex, declare
    >>> class Person(Vertex, summary=True):
    ...     id: str
    ...     age: int | None = declare.last()
    >>> as_instance(Element("vertex", "Person", {"age": 41}, vertex="ann"), {"Person": Person})
    Person('ann', age=41)
    """
    cls = classes.get(element.group)
    if cls is None:
        return element
    instance = cls.__new__(cls)
    held = instance.__dict__
    for attribute, field in cls._fields.items():
        if field.role in PLAN_NAMES:
            held[attribute] = getattr(element, field.name)
        else:
            held[attribute] = element.properties.get(field.name)
    return instance
