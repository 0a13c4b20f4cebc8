"""Key plans: what the bytes of cells mean, as data.

Layer ``keyplan``. ``spec/scan.md`` section 6 is the contract, ``spec/plans/`` has worked examples.
:class:`Decoder` turns columns of cells into columns of elements, :class:`Encoder` columns of
elements into columns of cells.
"""

from lexigraph.keyplan.columns.decoder import Decoder
from lexigraph.keyplan.columns.encoder import Encoder
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.key_plan import KeyPlan

__all__ = ["Decoder", "Encoder", "KeyPlan", "StoredElement"]
