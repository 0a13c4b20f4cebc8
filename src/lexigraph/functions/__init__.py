"""Functions over values, by name: aggregators and predicates.

Layer ``functions``, above ``codec`` and below ``store``: knows values and their bytes, but neither
cells nor plans. The built-in ones are listed in ``built_in``; users register more.
"""

from lexigraph.functions.aggregators import Aggregator, as_plain
from lexigraph.functions.built_in import AGGREGATORS, PREDICATES, aggregator_for
from lexigraph.functions.comparisons import AnyOf, Exists, compare
from lexigraph.functions.connectives import Both, Either, Negation
from lexigraph.functions.predicate_json import parse_predicate
from lexigraph.functions.predicates import Predicate
from lexigraph.functions.registry import Registry

__all__ = [
    "AGGREGATORS",
    "PREDICATES",
    "Aggregator",
    "AnyOf",
    "Both",
    "Either",
    "Exists",
    "Negation",
    "Predicate",
    "Registry",
    "aggregator_for",
    "as_plain",
    "compare",
    "parse_predicate",
]
