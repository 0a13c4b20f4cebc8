"""What changes of records did, in numbers.

Layer ``layout``. Counted over what the caller can read: the numbers say nothing about the rest.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class RecordReport:
    """How many elements and values were changed.

    An element counts as added if the caller could not see it before, else as updated.
    ``second_visibility`` counts those that it could see under other visibilities only. ``deleted``
    are the elements that existed for the caller, those of a cascade too. ``deleted_rows`` are
    the rows of tables of which it could see something that went.
    """

    added_vertices: int = 0
    added_edges: int = 0
    updated: int = 0
    second_visibility: int = 0
    deleted: int = 0
    deleted_values: int = 0
    moved: int = 0
    hidden: int = 0
    shown: int = 0
    added_rows: int = 0
    deleted_rows: int = 0
