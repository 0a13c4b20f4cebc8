"""Key plans: cells to elements and back, as data says.

Layer ``store``. ``spec/scan.md`` section 6 is the contract, ``spec/plans/`` has worked examples.
"""

from lexigraph.keyplan.element import Element
from lexigraph.keyplan.key_plan import KeyPlan

__all__ = ["Element", "KeyPlan"]
