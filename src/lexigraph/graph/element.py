"""Elements of an answer as people get them: instances of their classes, or plain elements.

Layer ``graph``. A graph that was opened with classes gives instances of them; what an answer does
not have (a group-by property that was rolled up, say) is ``None`` there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.plan import Element, FoundRecord
from lexigraph.schema import ClassElement, Schema, class_defaults
from lexigraph.schema.fields import FOUND, PLAN_NAMES

Classes = Mapping[str, type[ClassElement]]


def classes_in(schema: Any) -> dict[str, type[ClassElement]]:
    """Return the classes among what is given as a schema, by group."""
    if schema is None or isinstance(schema, Schema):
        return {}
    given = [schema] if isinstance(schema, type) else list(schema)
    return {
        one.group: one for one in given if isinstance(one, type) and issubclass(one, ClassElement)
    }


def read_defaults(classes: Classes, schema: Schema) -> dict[str, dict[str, Any]]:
    """Return the defaults, by group, that elements show for properties that they do not have.

    Those of records, and of properties that are younger than their group.
    """
    found = {}
    for name, cls in classes.items():
        if name in schema.groups:
            group = schema.groups[name]
            # Defaults of records are never stored; other elements may be older than a property.
            always = group.record is not None
            later = {one.name for one in group.values if one.later or always}
            held = class_defaults(cls).items()
            given = {one: value for one, value in held if one in later and value is not None}
            if given:
                found[name] = given
    return found


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
    if isinstance(element, FoundRecord):
        if element.asked_as != element.group:
            # A label of its own that a class happens to be called by.
            return element
        held[FOUND] = element
    for attribute, field in cls._fields.items():
        if field.role in PLAN_NAMES:
            held[attribute] = getattr(element, field.name)
        else:
            held[attribute] = element.properties.get(field.name)
    return instance
