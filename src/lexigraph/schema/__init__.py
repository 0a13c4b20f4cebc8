"""Schemas: which groups a graph has, what their properties are, and how equal elements merge.

Layer ``schema``, above ``store`` and below ``layout``. The data form in ``model`` is what every
other layer uses; classes and Gaffer's JSON are ways to write it.
"""

from lexigraph.schema.classes import (
    ClassElement,
    Edge,
    Vertex,
    class_defaults,
    class_names,
    group_of,
    schema_of,
)
from lexigraph.schema.conditions import FieldCondition, as_condition
from lexigraph.schema.evolve import difference, merge_stored
from lexigraph.schema.fields import Field, field, this
from lexigraph.schema.gaffer.json import schema_from_gaffer, schema_to_gaffer
from lexigraph.schema.json import schema_from_json, schema_to_json
from lexigraph.schema.keys import key_form, plan_field
from lexigraph.schema.model import Aggregate, Group, Property, Rule, Schema, ValueType
from lexigraph.schema.rule_effects import Effect, effect_of
from lexigraph.schema.rules import DeclaredRule, rule
from lexigraph.schema.validate import Validator

__all__ = [
    "Aggregate",
    "ClassElement",
    "DeclaredRule",
    "Edge",
    "Effect",
    "Field",
    "FieldCondition",
    "Group",
    "Property",
    "Rule",
    "Schema",
    "Validator",
    "ValueType",
    "Vertex",
    "as_condition",
    "class_defaults",
    "class_names",
    "difference",
    "effect_of",
    "field",
    "group_of",
    "key_form",
    "merge_stored",
    "plan_field",
    "rule",
    "schema_from_gaffer",
    "schema_from_json",
    "schema_of",
    "schema_to_gaffer",
    "schema_to_json",
    "this",
]
