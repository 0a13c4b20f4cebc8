"""Which rows of an edge count where both of them may be found.

Layer ``keyplan``.
"""

from __future__ import annotations

from lexigraph.codec import codec_for
from lexigraph.keyplan.columns.frames import FrameEnds
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.key_plan import KeyPlan
from lexigraph.keyplan.model import DESTINATION, EDGE, ENDS, SOURCE, fields_in


class EndCheck:
    """Leaves out the row of an edge that does not lead where it should, or counts by its other."""

    def __init__(self, plan: KeyPlan, ends: FrameEnds) -> None:
        model = plan.model
        parts = [part for shape in model.rows for part in fields_in(shape.parts)]
        parts += [part for group in model.groups for part in fields_in(group.qualifier)]
        self._encoders = {
            part.field: codec_for(part.codec).encode for part in parts if part.field in ENDS
        }
        self._turns = ends.turns
        self._far_in = None if ends.far_in is None else set(ends.far_in)
        self._far = None if ends.again_far is None else set(ends.again_far)
        self._ranges = ends.again_ranges
        self._near = None if ends.again_near is None else set(ends.again_near)

    def keep(self, element: StoredElement) -> bool:
        """Tell whether an element counts; vertices always do."""
        if element.kind != EDGE:
            return True
        near = self._encoders[SOURCE](element.source)
        far = self._encoders[DESTINATION](element.destination)
        if element.matched == DESTINATION:
            near, far = far, near
        if self._far_in is not None and far not in self._far_in:
            return False
        if self._far is None and self._ranges is None:
            return True
        if element.once or (element.directed and not self._turns) or not self._is_again(far):
            return True
        return self._near is not None and near not in self._near

    def _is_again(self, far: bytes) -> bool:
        if self._far is not None:
            return far in self._far
        return any(low <= far <= high for low, high in self._ranges or ())
