"""Schemas: which groups a graph has, what their properties are, and how equal elements merge.

Layer ``schema``, above ``store`` and below ``layout``. The data form in ``model`` is what every
other layer uses; classes and Gaffer's JSON are ways to write it.
"""

from lexigraph.schema.model import Aggregate, Group, Property, Rule, Schema, ValueType

__all__ = ["Aggregate", "Group", "Property", "Rule", "Schema", "ValueType"]
