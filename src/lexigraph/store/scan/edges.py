"""Edges of an engine that returns cells: the client fetches rows and finds other ends natively.

Layer ``store``. A frontier is fetched by batches of ranges, and no cell becomes an object of
Python. What every reader of edges has in common is here too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from lexigraph.arguments import read_bool, read_count, read_timeout
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.native import ABSENT, find_native
from lexigraph.cells.ranges import Range, trusted_rows
from lexigraph.codec import codec_for
from lexigraph.codec.base import Codec
from lexigraph.codec.escape import escape
from lexigraph.codec.prefix import following_prefix
from lexigraph.errors import InvalidOption, QueryTimeout, show
from lexigraph.keyplan import KeyPlan
from lexigraph.keyplan.model import ENDS, fields_in
from lexigraph.store.answers.vertices import Vertices
from lexigraph.store.arguments import read_spec
from lexigraph.store.operators import Declined, EdgeReader, FollowEdges
from lexigraph.store.scan.columns import find_plan
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from lexigraph.store.spi import Engine

DIRECTIONS = ("out", "in", "both")
_AT_ONCE = 10_000
"""How many vertices are looked up by one scan."""
_BATCH_CELLS = 65_536


class DecodedEdgeReader:
    """Follows edges by scans; each call sees what is there then.

    Vertices are values of their codec.
    """

    __slots__ = ("_codec", "_engine", "_prefixes", "_spec", "_table", "_ways")

    def __init__(
        self, engine: Engine, table: str, spec: ScanSpec, ways: Any, codec: Codec[Any]
    ) -> None:
        self._engine, self._table, self._spec = engine, table, spec
        self._ways, self._codec = ways, codec
        self._prefixes: list[bytes] = ways.prefixes()

    def expand(
        self,
        seeds: Iterable[Any],
        *,
        steps: int = 1,
        within: bool = False,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> Vertices:
        """Return the vertices that lie ``steps`` hops from the seeds, or ``within`` so many.

        A vertex counts with the fewest hops that reach it, seeds with none.
        """
        read_count(steps, "steps")
        read_bool(within, "within")
        moment = _Moment(snapshot, timeout_s)
        first = set(map(self._codec.encode, seeds))
        seen, reached, expanded = set(first), set(first), 0
        for _ in range(steps):
            expanded += len(reached)
            reached = set(self._ends(reached, moment)) - seen
            seen |= reached
            if not reached:
                break
        found = BytesColumn.of(sorted(seen - first if within else reached))
        return Vertices(found, self._codec, expanded=expanded)

    def neighbours(
        self,
        vertices: Iterable[Any],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> list[Any]:
        """Return the other ends of the edges at some vertices, each once, in key order."""
        keys = set(map(self._codec.encode, vertices))
        found = self._ends(keys, _Moment(snapshot, timeout_s))
        return list(map(self._codec.decode, found))

    def neighbours_of(
        self, vertex: Any, *, snapshot: Snapshot | None = None, timeout_s: float | None = None
    ) -> list[Any]:
        """Return the other ends of the edges at one vertex, each once, in key order."""
        return self.neighbours([vertex], snapshot=snapshot, timeout_s=timeout_s)

    def pairs(
        self,
        vertices: Iterable[Any],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> tuple[BytesColumn, BytesColumn]:
        """Return each vertex with each of its neighbours, both in key form, sorted, each once."""
        keys = set(map(self._codec.encode, vertices))
        found = self._ways.follow(list(keys))
        for cells in self._cells(keys, _Moment(snapshot, timeout_s)):
            found.add_pairs(cells.to_buffers())
        near, far = found.take_pairs()
        return BytesColumn.from_buffers(*near), BytesColumn.from_buffers(*far)

    def _ends(self, keys: set[bytes], moment: _Moment) -> BytesColumn:
        found = self._ways.follow(list(keys))
        for cells in self._cells(keys, moment):
            found.add(cells.to_buffers())
        return BytesColumn.from_buffers(*found.take())

    def _cells(self, keys: set[bytes], moment: _Moment) -> Iterator[CellBatch]:
        left = iter(sorted(keys))
        while some := list(islice(left, _AT_ONCE)):
            scan = self._engine.scan(
                self._table,
                replace(self._spec, ranges=list(self._ranges(some))),
                snapshot=moment.snapshot,
                batch_cells=_BATCH_CELLS,
                timeout_s=moment.left_s(self._table),
            )
            with scan as batches:
                yield from batches

    def _ranges(self, keys: list[bytes]) -> Iterator[Range]:
        for key in keys:
            row = escape(key)
            for prefix in self._prefixes:
                end = following_prefix(row + prefix)
                yield Range.prefix(row + prefix) if end is None else trusted_rows(row + prefix, end)

    def __repr__(self) -> str:
        """Show the engine."""
        return f"<edge reader of {self._engine!r}>"


class _Moment:
    """What a call reads, and until when."""

    def __init__(self, snapshot: Snapshot | None, timeout_s: float | None) -> None:
        self.snapshot = snapshot
        self._timeout_s = read_timeout(timeout_s)
        self._started = time.monotonic()

    def left_s(self, table: str) -> float | None:
        """Return how many seconds are left for the next scan."""
        if self._timeout_s is None:
            return None
        left = self._timeout_s - (time.monotonic() - self._started)
        if left <= 0:
            raise QueryTimeout(
                f"following edges of table {table!r} took more than {self._timeout_s:g} s",
                timeout_s=self._timeout_s,
            )
        return left


def prepare_followed(
    engine: Engine, operator: FollowEdges, settings: TableSettings
) -> EdgeReader | Declined:
    """Prepare a reader that follows edges by scans of a table of these settings; mistakes raise."""
    spec = replace(read_spec(operator.spec), after=None)
    direction, groups = read_direction(operator.direction), read_groups(operator.groups)
    engine.check_granted(spec.authorizations)
    plan = ScanPlan(spec, settings)
    found = find_plan({**plan.settings.plans, **spec.plans}, operator.plan)
    if plan.split < len(plan.stages):
        return Declined(f"stage {plan.stages[plan.split].name!r} sees the whole scan")
    codec = vertex_codec(found, operator.plan)
    if isinstance(codec, Declined):
        return codec
    native = find_native()
    if native is None:
        return Declined(ABSENT)
    text = json.dumps(found.to_json())
    ways, reason = native.CellWays.prepare(text, direction, groups)
    if ways is None:
        return Declined(reason)
    return DecodedEdgeReader(engine, operator.table, spec, ways, codec)


def vertex_codec(plan: Any, name: str) -> Codec[Any] | Declined:
    """Return the codec of the ends of a plan's edges, if they have one in common."""
    model = KeyPlan.parse(plan, f"plans.{name}").model
    parts = [part for shape in model.rows for part in fields_in(shape.parts)]
    parts += [part for group in model.groups for part in fields_in(group.qualifier)]
    names = {part.codec for part in parts if part.field in ENDS}
    if len(names) != 1:
        held = f"the codecs {', '.join(sorted(names))}" if names else "no edges"
        return Declined(f"hops need edges whose two ends have one codec; plan {name!r} has {held}")
    return codec_for(names.pop())


def read_direction(direction: Any) -> str:
    """Return one of the directions."""
    if direction not in DIRECTIONS:
        raise InvalidOption(f"direction is one of {', '.join(DIRECTIONS)}, not {show(direction)}")
    return str(direction)


def read_groups(groups: Any) -> list[str] | None:
    """Return the edge groups to follow, or None for all."""
    if groups is None:
        return None
    listed = [groups] if isinstance(groups, str) else groups
    if not isinstance(listed, Iterable) or not all(isinstance(name, str) for name in listed):
        raise InvalidOption(f"groups are names of edge groups, not {show(groups)}")
    return list(listed)
