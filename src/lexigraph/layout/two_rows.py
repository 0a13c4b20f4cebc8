"""What layouts with two rows for each edge share: plan, tables, shards, columns and places.

Layer ``layout``. A vertex has one row, a directed edge one from its source and one from its
destination, an undirected edge one from either end, an edge from a vertex to itself only the
first. Subclasses say what such rows look like and which ranges hold them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from lexigraph.cells.jsonbytes import bytes_to_json
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan import StoredElement
from lexigraph.keyplan.parts import compile_writer
from lexigraph.layout.ends import Ends
from lexigraph.layout.groups import merged_plan, plan_groups
from lexigraph.layout.options import MAX_GROUPS, KeyOptions
from lexigraph.layout.row_kinds import (
    ALL_KINDS,
    EDGE_KINDS,
    SHAPES,
    VERTEX,
    asked,
    kinds_in,
    where,
)
from lexigraph.layout.shards import SHARD, Shards
from lexigraph.layout.spans import RowSpan, rows_between
from lexigraph.layout.spi import ELEMENTS, MERGED, BoundLayout, Derived, Layout, Place
from lexigraph.layout.table_names import table_of_group
from lexigraph.layout.wanted import BOTH, IN, Wanted
from lexigraph.schema import Schema
from lexigraph.store import Range, StageSpec, TableSettings

AGGREGATE_PRIORITY = 40
MAX_KNOWN = 1000
"""How many different questions are remembered."""

Kinds = frozenset[str]


class TwoRows(BoundLayout):
    """A layout of one schema with two rows for each edge."""

    everything_has_all_rows = True
    separates: ClassVar[bool]
    """Whether ranges tell the kinds of rows apart, so that nothing is left to a predicate."""

    def __init__(self, layout: Layout, schema: Schema, options: KeyOptions) -> None:
        self.layout, self.schema = layout, schema
        self.row_options = replace(options, group_numbers=_numbered(options, schema))
        self.ends = Ends(schema, fixed=options.fixed_length)
        self.shards = Shards(schema, self.ends, options)
        self._known: dict[tuple[Wanted, Kinds, bool], list[Place]] = {}
        self._asked: dict[Wanted, Kinds] = {}
        self.plan = {
            "version": 1,
            "rows": self._shapes(),
            "family": [] if options.short_columns else _NAMED,
            "groups": plan_groups(schema),
        }

    @abstractmethod
    def flag(self, kind: str) -> bytes | None:
        """Give the byte that marks rows of this kind; ``None`` where there is none."""

    @abstractmethod
    def row_parts(self, first: str, second: str | None, flag: bytes | None) -> list[Any]:
        """Give the parts of a row behind its shard: ids by their fields, and consts as bytes."""

    @abstractmethod
    def rows_of(self, key: bytes, kinds: Kinds) -> list[Range]:
        """Give the ranges of rows of these kinds that start with the key of a vertex."""

    def rows_of_pair(self, rows: list[bytes]) -> list[Range]:
        """Give the ranges of the rows of one pair, which are sorted."""
        return [Range.row(row) for row in rows]

    @property
    def options(self) -> Mapping[str, Any]:
        """The options, with the numbers that groups have got."""
        return self.row_options.to_json()

    def tables(self) -> dict[str, TableSettings]:
        """Give one table, or one for each group."""
        names: dict[str, list[str]] = {}
        for name in self.schema.groups:
            names.setdefault(self.table_of(name), []).append(name)
        return {table: self._settings(groups) for table, groups in names.items()}

    def table_of(self, group: str) -> str:
        """Return the table that holds a group."""
        name = self.schema.group(group).name
        return table_of_group(name) if self.row_options.table_per_group else ELEMENTS

    def predicate(self, group: str, where: Mapping[str, Any]) -> Mapping[str, Any]:
        """Give the predicate with ids as rows hold them."""
        return self.ends.predicate(self.schema.group(group), where)

    def derive(self, element: StoredElement) -> StoredElement:
        """Add the shard."""
        return self.shards.derive(element)

    def derived(self, group: str) -> Derived | None:
        """Say how the shard comes about."""
        return self.shards.derived(self.schema.group(group))

    def around(self, vertices: Iterable[Any], wanted: Wanted) -> list[Place]:
        """Say where everything about these vertices is."""
        kinds = self._kinds_asked(wanted)
        if not kinds:
            return []
        ranges: list[Range] = []
        if not self.shards.sharded:
            key, rows_of = self.ends.key, self.rows_of
            for vertex in vertices:
                ranges += rows_of(key(vertex), kinds)
            return self._places(ranges, wanted, kinds, exact=self.separates)
        for vertex in vertices:
            for shard, there in self.shards.of_vertex(vertex, kinds):
                ranges += self.rows_of(shard + self.ends.key(vertex), there)
        return self._places(ranges, wanted, kinds, exact=self.separates)

    def edges_between(self, pairs: Iterable[tuple[Any, Any]], wanted: Wanted) -> list[Place]:
        """Say where the edges from the first to the second of each pair are."""
        open_wanted = replace(wanted, vertices=False, direction=BOTH)
        kinds = self._kinds_asked(open_wanted) - {"in"}
        if not kinds:
            return []
        writers = [self._writers[kind] for kind in sorted(kinds)]
        ranges: list[Range] = []
        for source, destination in dict.fromkeys(pairs):
            ids = {"source": source, "destination": destination}
            written = sorted({write(ids) for write in writers})
            for shard in self.shards.of_pair(source, destination):
                ranges += self.rows_of_pair([shard + row for row in written])
        return self._places(ranges, open_wanted, kinds, exact=True)

    def across(
        self, first: Iterable[Any], second: Iterable[Any], wanted: Wanted
    ) -> list[Place] | None:
        """Return where the vertices of one set are, and their edges with those of a second."""
        kinds = self._kinds_asked(wanted)
        if not kinds:
            return []
        others, ranges = list(second), list[Range]()
        for vertex in first:
            for shard, there in self.shards.of_vertex(vertex, kinds & {VERTEX}):
                ranges += self.rows_of(shard + self.ends.key(vertex), there) if there else ()
            for other in others:
                ranges += self._rows_across(vertex, other, kinds & EDGE_KINDS)
        return self._places(ranges, wanted, kinds, exact=self.separates)

    def _rows_across(self, vertex: Any, other: Any, kinds: Kinds) -> list[Range]:
        leaving = {"source": vertex, "destination": other}
        entering = {"source": other, "destination": vertex}
        rows = sorted({self._writers[kind](entering if kind == IN else leaving) for kind in kinds})
        if not rows:
            return []
        shards = self.shards.of_pair(vertex, other)
        return [one for shard in shards for one in self.rows_of_pair([shard + row for row in rows])]

    def within(self, start: Any, end: Any, wanted: Wanted) -> list[Place]:
        """Say where everything about vertices from ``start`` to ``end`` is, both included."""
        first, last = sorted((self.ends.key(start), self.ends.key(end)))
        ranges = [self.ends.own_rows(shard + first, shard + last) for shard in self.shards.prefixes]
        return self._in_rows(ranges, wanted)

    def span(self, bounds: Iterable[Any], wanted: Wanted) -> RowSpan | None:
        """Give the rows from the first to the last of what is wanted of these bounds."""
        rows = rows_between(bounds, wanted, self.ends, self._writers)
        if rows is None:
            return None
        return RowSpan(*rows, self.shards.prefixes, self._writers, self._in_rows)

    def _in_rows(self, ranges: list[Range], wanted: Wanted) -> list[Place]:
        kinds = self._kinds_asked(wanted)
        return self._places(ranges, wanted, kinds, exact=False) if kinds else []

    def everything(self, wanted: Wanted) -> list[Place]:
        """Say where all elements are; each edge has rows of which one counts once."""
        all_ways = replace(wanted, direction=BOTH)
        kinds = self._kinds_asked(all_ways)
        return self._places([Range()], all_ways, kinds, exact=False) if kinds else []

    def bloom_prefix(self, row: bytes) -> bytes | None:
        """Return the shard and the key of the vertex that a row starts with."""
        if self.ends.fixed:
            return row[: len(self.shards.prefixes[0]) + self.ends.width]
        # Rows of the classic layout need not hold a delimiter at all.
        return row.partition(self.ends.delimiter)[0]

    @cached_property
    def _writers(self) -> dict[str, Any]:
        # Without the shard, which is written by itself: it may be any of several.
        model = self.key_plan.model
        writers = {}
        for kind, shape in zip(self._listed_kinds, model.rows, strict=True):
            parts = shape.parts[1:] if self.shards.sharded else shape.parts
            writers[kind] = compile_writer(parts)
        return writers

    @cached_property
    def _listed_kinds(self) -> list[str]:
        if not self.row_options.short_columns:
            return list(ALL_KINDS)
        return [kind for group in self.schema.groups.values() for kind in kinds_in([group])]

    def _shapes(self) -> list[dict[str, Any]]:
        if not self.row_options.short_columns:
            return [self._shape(kind) for kind in ALL_KINDS]
        return [
            {
                **self._shape(kind),
                "group": name,
                "family": [{"const": bytes_to_json(self._short_column(name, kind))}],
            }
            for name, group in self.schema.groups.items()
            for kind in kinds_in([group])
        ]

    def _shape(self, kind: str) -> dict[str, Any]:
        first, second, facts = SHAPES[kind]
        parts = self.row_parts(first, second, self.flag(kind))
        shard = [{"field": SHARD, "codec": "int8", "form": "part"}] if self.shards.sharded else []
        written = [
            {"const": bytes_to_json(part)} if isinstance(part, bytes) else self.ends.part(part)
            for part in parts
            if part
        ]
        return {**facts, "parts": [*shard, *written]}

    def _short_column(self, group: str, kind: str) -> bytes:
        number = self.row_options.group_numbers[group]
        return bytes([ALL_KINDS.index(kind) + 1, number])

    def _families(self, group: str, kinds: Iterable[str]) -> list[bytes]:
        if not self.row_options.short_columns:
            return [group.encode()]
        return [self._short_column(group, kind) for kind in ALL_KINDS if kind in kinds]

    def _settings(self, groups: list[str]) -> TableSettings:
        plans = {ELEMENTS: self.plan}
        merged = merged_plan(self.plan, self.schema)
        stages = []
        if merged is not None and any(self.schema.groups[name].aggregates for name in groups):
            plans[MERGED] = merged
            stages.append(StageSpec("aggregate", {"plan": MERGED}, AGGREGATE_PRIORITY))
        return TableSettings(
            scan_stages=stages,
            merge_stages=stages,
            plans=plans,
            max_versions=None,
            locality_groups={
                name: self._families(name, kinds_in([self.schema.groups[name]])) for name in groups
            },
            splits=self.shards.prefixes[1:],
            # By what stands before the delimiter, which rows of fixed length do not have.
            bloom=None if self.ends.fixed else "row",
        )

    def _places(
        self, ranges: list[Range], wanted: Wanted, kinds: Kinds, *, exact: bool
    ) -> list[Place]:
        # Much the same is asked again and again; only the ranges differ.
        places = self._known.get((wanted, kinds, exact))
        if places is None:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            places = self._known[wanted, kinds, exact] = self._no_ranges(wanted, kinds, exact=exact)
        return [Place(one.table, ranges, one.where, one.columns) for one in places]

    def _no_ranges(self, wanted: Wanted, kinds: Kinds, *, exact: bool) -> list[Place]:
        chosen: dict[str, list[str]] = {}
        for name in sorted(wanted.groups):
            if kinds_in([self.schema.group(name)]) & kinds:
                chosen.setdefault(self.table_of(name), []).append(name)
        return [
            Place(table, (), self._where(names, kinds, exact=exact), self._columns(names, kinds))
            for table, names in chosen.items()
        ]

    def _where(self, names: list[str], kinds: Kinds, *, exact: bool) -> Mapping[str, Any] | None:
        there = kinds_in([self.schema.groups[name] for name in names])
        if exact or there <= kinds or self.row_options.short_columns:
            return None
        return where(there & kinds)

    def _columns(self, names: list[str], kinds: Kinds) -> list[tuple[bytes, bytes | None]]:
        others = [
            name
            for name in self.schema.groups
            if self.table_of(name) == self.table_of(names[0]) and name not in names
        ]
        short = self.row_options.short_columns
        if not others and (not short or kinds >= kinds_in(self.schema.groups.values())):
            return []
        families = [f for name in names for f in self._families(name, self._kinds(name) & kinds)]
        return [(family, None) for family in sorted(families)]

    def _kinds_asked(self, wanted: Wanted) -> Kinds:
        found = self._asked.get(wanted)
        if found is None:
            if len(self._asked) >= MAX_KNOWN:
                self._asked.clear()
            found = self._asked[wanted] = asked(self.schema, wanted)
        return found

    def _kinds(self, name: str) -> Kinds:
        return kinds_in([self.schema.groups[name]])


_NAMED = [{"field": "group", "codec": "str", "form": "rest"}]


def _numbered(options: KeyOptions, schema: Schema) -> dict[str, int]:
    if not options.short_columns:
        return dict(options.group_numbers)
    numbers = dict(options.group_numbers)
    for name in schema.groups:
        numbers.setdefault(name, max(numbers.values(), default=0) + 1)
    if max(numbers.values(), default=0) > MAX_GROUPS:
        raise UnsupportedError(
            f"short columns number at most {MAX_GROUPS} groups, and there are {len(numbers)}",
            hint="Leave short_columns out.",
        )
    return numbers
