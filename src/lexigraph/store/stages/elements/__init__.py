"""Element stages: filter, aggregate, roll-up, decode and summarise, by a key plan.

Layer ``store``. ``spec/scan.md`` section 7 is the contract. They know elements only through the
plan that their options name.
"""

from lexigraph.store.stages.elements.aggregate import AggregateStage
from lexigraph.store.stages.elements.decode import Decode
from lexigraph.store.stages.elements.element_filter import ElementFilter
from lexigraph.store.stages.elements.roll_up import RollUp
from lexigraph.store.stages.elements.summarise import SummariseStage

ELEMENT_STAGES = (ElementFilter, AggregateStage, RollUp, Decode, SummariseStage)

__all__ = [
    "ELEMENT_STAGES",
    "AggregateStage",
    "Decode",
    "ElementFilter",
    "RollUp",
    "SummariseStage",
]
