"""Elements by column in, cells by column out.

Layer ``keyplan``. The cells are those that the plan writes element by element, equal elements
merged. That is the meaning; by column only the native core encodes, and what it does not know is
declined with the reason, for the caller to write one by one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lexigraph.cells.encoded import EncodedBatch
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.native import ABSENT, find_native
from lexigraph.keyplan.key_plan import KeyPlan
from lexigraph.keyplan.model import FieldPart
from lexigraph.keyplan.program import PieceList, describe_keys, describe_value


@dataclass(frozen=True, slots=True)
class ShardOf:
    """A field that the core derives: the shard of these ids, one of so many."""

    field: str
    count: int
    ids: Sequence[FieldPart]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the core made of a table."""

    batch: MutationBatch | None
    """The cells; ``None`` where there are none."""
    count: int
    """How many elements they are, equal ones each counted."""
    bad: list[int]
    """Rows that do not fit; the first of them alone, unless they are skipped."""


class Encoder:
    """Makes cells of columns of one group.

    ``told`` says what the columns are: ``columns`` (how many), ``fields``, the numbers of those of
    ``visibility``, ``timestamp`` and ``directed``, ``all_directed``, ``aggregates`` and ``rules``.
    How they become bytes follows from the plan.
    """

    def __init__(
        self, plan: KeyPlan, group: str, told: Mapping[str, Any], shard: ShardOf | None = None
    ) -> None:
        native = find_native()
        self._native: Any = None
        self.declined: str | None = ABSENT
        """Why the core does not encode; ``None`` if it does."""
        if native is not None:
            program = json.dumps({**told, **_described(plan, group, shard)})
            self._native, self.declined = native.ElementEncoder.prepare(program)

    def encode(
        self, columns: Sequence[tuple[Any, ...]], *, rows: int, now: int, skips: bool
    ) -> Encoded | str:
        """Return the cells of some rows, or why the core does not take these columns.

        ``now`` is the moment by which rules about age judge. If rows that do not fit are not
        skipped, there are no cells.
        """
        if self._native is None:
            return str(self.declined)
        cells, count, bad, reason = self._native.encode(
            columns, rows=rows, now=now, turn=0, skips=skips
        )
        if reason is not None:
            return str(reason)
        return Encoded(None if cells is None else EncodedBatch(cells), count, bad)


def _described(plan: KeyPlan, group: str, shard: ShardOf | None) -> dict[str, Any]:
    pieces = PieceList(group)
    keys = describe_keys(plan, group, pieces)
    derived = None
    if shard is not None:
        ids = [pieces.number(part) for part in shard.ids]
        derived = {"field": shard.field, "count": shard.count, "ids": ids}
    return {
        "group": group,
        "pieces": pieces.to_json(),
        "keys": keys,
        "value": describe_value(plan, group),
        "shard": derived,
    }
