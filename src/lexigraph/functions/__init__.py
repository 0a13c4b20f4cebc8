"""Functions over values, by name: aggregators, predicates and transforms.

Layer ``functions``, above ``codec`` and below ``store``: knows values and their bytes, but neither
cells nor plans. The built-in ones are listed in ``built_in``; users register more.
"""

from lexigraph.functions.aggregators.base import Aggregator, as_plain
from lexigraph.functions.built_in import AGGREGATORS, PREDICATES, aggregator_for, traits_of
from lexigraph.functions.predicates.base import Predicate
from lexigraph.functions.predicates.comparisons import AnyOf, Exists, compare
from lexigraph.functions.predicates.connectives import Both, Either, Negation
from lexigraph.functions.predicates.json import parse_predicate
from lexigraph.functions.registry import Registry
from lexigraph.functions.transforms.base import Transform
from lexigraph.functions.transforms.registry import TRANSFORMS, transform_for

__all__ = [
    "AGGREGATORS",
    "PREDICATES",
    "TRANSFORMS",
    "Aggregator",
    "AnyOf",
    "Both",
    "Either",
    "Exists",
    "Negation",
    "Predicate",
    "Registry",
    "Transform",
    "aggregator_for",
    "as_plain",
    "compare",
    "parse_predicate",
    "traits_of",
    "transform_for",
]
