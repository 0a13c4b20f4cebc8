"""What a question does with the records of one group: conditions, transforms, what is shown.

Layer ``plan``. It also says what has to be read for that: which properties, and of an edge whether
its own row is needed. Sort key and signature stand in references, so that most questions about
edges read nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.errors import SemanticProblem
from lexigraph.functions import Predicate, parse_predicate
from lexigraph.layout.records.elements import RecordEdge, RecordValue, RecordVertex, newest_value
from lexigraph.layout.records.reading import EVERYTHING, FetchHints, Names
from lexigraph.layout.records.tables import SortSlice
from lexigraph.plan.branches.branch import check_steps
from lexigraph.plan.branches.present import shown_time
from lexigraph.plan.branches.steps import AppliedTransform
from lexigraph.plan.logical.elements import Steps, Where
from lexigraph.plan.records.conditions import Judge, ValuesOf, judge_of, property_of
from lexigraph.plan.records.found import FoundRecord, shown_visibility
from lexigraph.plan.records.slices import slices_of
from lexigraph.plan.scope import Scope
from lexigraph.plan.undeclared import undeclared_label
from lexigraph.schema.keys import EDGE_FIELD
from lexigraph.schema.model import LIST, ONE, STREAM, Group, Property
from lexigraph.streaming import StreamingValue

DEFAULT = replace(EVERYTHING, out_edges=False, in_edges=False)
"""What records have with them if nobody says what to fetch."""

_R = TypeVar("_R", RecordVertex, RecordEdge)
_IDS = ("vertex", "source", "destination", "directed", "matched", EDGE_FIELD)


def fetched_hints(fetch: FetchHints) -> FetchHints:
    """Return the hints of a scope, as records take them."""
    return DEFAULT if fetch is EVERYTHING else fetch


def joined_names(several: Iterable[Names]) -> Names:
    """Return the names of all of them together."""
    found: frozenset[str] = frozenset()
    for one in several:
        if one is True:
            return True
        found |= one if isinstance(one, frozenset) else frozenset()
    return found or False


class RecordSteps:
    """What is done with the records of one group."""

    def __init__(self, name: str, steps: Steps, scope: Scope, group: Group | None = None) -> None:
        self.name, self.steps, self.group = name, steps, group or scope.keys.group(name)
        self.fetched = fetched_hints(scope.fetch)
        self._bind = scope.bound
        self._explicit = scope.fetch is not EVERYTHING
        _check(self.group, steps)
        self.label = undeclared_label(name) if self.group.open else self.group.name
        """The label of its records; ``None`` for all that no group declares."""
        self.defaults: Mapping[str, Any] = scope.keys.record_defaults(name)
        now = scope.time
        before = [*steps.before, *steps.after]
        self.predicates = predicates = list(_predicates(before))
        """The conditions on stored properties."""
        self._judges: list[Judge] = [judge_of(one, self.group, now) for one in predicates]
        self.calls = [one.call for one in before if one.call is not None]
        """Functions that judge whole elements."""
        self._transforms = [AppliedTransform(one) for one in steps.transforms]
        self._last = [(one.call, list(_predicates([one]))) for one in steps.last]
        self._last_judges = self._late_judges(now)
        self._shape = self._shape_names()
        self._used = self._used_names(predicates)
        key = () if self.label is None else scope.keys.record_tables.sort_key(self.label)
        self.sort_names = tuple((one.name, one.descending) for one in key)
        """The names of the sort key, each with whether it is descending."""
        self.slices: list[SortSlice] = slices_of(predicates, key)
        self.reads = joined_names((self._answer, self._used))
        """The properties that have to be read."""
        self.why_row = self._why_row() if self.group.kind == "edge" else None
        """Why the rows of edges are read besides their references; ``None`` if they are not."""

    @property
    def takes_all(self) -> bool:
        """Whether no condition leaves a record out."""
        return not (self._judges or self.calls or self._last)

    @property
    def metadata(self) -> Names:
        """The metadata that has to be read."""
        return self.fetched.metadata if self._answer else False

    @property
    def _answer(self) -> Names:
        """The properties that the answer has."""
        fetched, keep = self.fetched, self.steps.keep
        if not fetched.any_property:
            return False
        if keep is None:
            return fetched.properties or True
        wanted = (one for one in keep if fetched.wants_property(one))
        return frozenset(wanted) - self._built_in() or False

    def _used_names(self, predicates: Iterable[Predicate]) -> Names:
        """Return the properties that conditions and transforms look at."""
        late = [one for _, several in self._last for one in several]
        if self.calls or any(call is not None for call, _ in self._last):
            return True
        names = {property_of(name) for one in (*predicates, *late) for name in one.fields()}
        names |= {name for one in self.steps.transforms for name in one.fields}
        made = {name for one in self.steps.transforms for name in one.into}
        names -= self._built_in() | ({"visibility", "timestamp"} - self._declared())
        return frozenset(names - (made - self._declared())) or False

    def _built_in(self) -> set[str]:
        """Return the fields that elements have without a property of this name."""
        return {*_IDS, "group"} - self._declared()

    def _declared(self) -> set[str]:
        return {one.name for one in self.group.properties}

    def _shape_names(self) -> frozenset[str]:
        record, group = self.group.record, self.group
        held = () if record is None else (*(one.name for one in record.sort_key), *record.signature)
        built_in = [one for one in (group.visibility, group.timestamp) if one is not None]
        return frozenset([*held, *built_in])

    def _why_row(self) -> str | None:
        used, answer = self._used, self._answer
        if used is True:
            return "a function looks at whole edges"
        for name in sorted(used or ()):
            if name not in self._shape:
                return f"a condition or transform uses {name!r}, which references do not have"
        if answer is True and (self._explicit or self.group.open):
            return "all properties are fetched"
        wanted = self._declared() if answer is True else answer or ()
        for name in sorted(wanted):
            if name not in self._shape and self.fetched.wants_property(name):
                return f"{name!r} is wanted, which references do not have"
        return None

    def _late_judges(self, now: int) -> list[Judge]:
        group = _with_made(self.group, self.steps)
        return [judge_of(one, group, now) for _, several in self._last for one in several]

    def shows_plain(self, names: Iterable[str]) -> bool:
        """Return whether these properties are shown as they are stored, one value of each."""
        own, group = {one.name: one for one in self.group.properties}, self.group
        made = {name for one in self.steps.transforms for name in one.into}
        return not made and all(
            name in own
            and own[name].cardinality == ONE
            and own[name].type.codec != STREAM
            and name not in (group.visibility, group.timestamp)
            and self.fetched.wants_property(name)
            for name in names
        )

    def vertex(
        self, record: RecordVertex, references: tuple[FoundRecord, ...] | None
    ) -> FoundRecord | None:
        """Return a vertex of the answer; ``None`` if it is left out."""
        record = self._bound(record)
        named = _by_name(record.properties)
        found = FoundRecord(
            "vertex",
            self._group_of(record.labels or ()),
            self._properties(named, {}, record),
            record.id,
            record=record,
            fetched=self.fetched,
            asked_as=self.name,
            references=references,
        )
        return self._through(found, named, {})

    def edge(self, record: RecordEdge, matched: str | None) -> FoundRecord | None:
        """Return an edge of the answer; ``None`` if it is left out."""
        record = self._bound(record)
        named, shape = _by_name(record.properties), record.shape
        pairs = dict(shape.properties)
        found = FoundRecord(
            "edge",
            self._group_of((shape.label,)),
            self._properties(named, pairs, record),
            None,
            shape.source,
            shape.destination,
            shape.directed,
            matched,
            edge=record.id,
            record=record,
            fetched=self.fetched,
            asked_as=self.name,
        )
        return self._through(found, named, pairs)

    def _bound(self, record: _R) -> _R:
        """Return a record whose streaming values are ready to be opened."""
        held = record.properties or ()
        if not any(type(one.fact.value) is StreamingValue for one in held):
            return record
        bound = tuple(
            replace(one, fact=replace(one.fact, value=self._bind(one.fact.value))) for one in held
        )
        return replace(record, properties=bound)

    def _group_of(self, labels: Sequence[str]) -> str:
        if not self.group.open:
            return self.name
        return "::".join(labels) or self.group.kind

    def _properties(
        self,
        named: Mapping[str, list[RecordValue]],
        shape: Mapping[str, Any],
        record: RecordVertex | RecordEdge,
    ) -> dict[str, Any]:
        """Return the properties of an element: declared ones in their order, then the others."""
        found: dict[str, Any] = {}
        for one in self.group.properties:
            name = one.name
            if name == self.group.visibility:
                found[name] = shown_visibility(record.visibility) or None
            elif name == self.group.timestamp:
                found[name] = shown_time(self.group, record.time)
            elif name in shape:
                found[name] = shape[name]
            elif name in named:
                found[name] = _shown(named[name], one.cardinality)
            else:
                default: Any = self.defaults.get(name)
                many = one.cardinality == LIST and default is not None
                found[name] = list(default) if many else default
        for name in (*shape, *named):
            if name not in found:
                found[name] = shape[name] if name in shape else _shown(named[name], ONE)
        return {name: value for name, value in found.items() if value is not None}

    def _through(
        self, found: FoundRecord, named: Mapping[str, list[RecordValue]], shape: Mapping[str, Any]
    ) -> FoundRecord | None:
        if self._judges:
            look = self._look(found, named, shape)
            if not all(judge(look) is True for judge in self._judges):
                return None
        if not all(call(found) for call in self.calls):
            return None
        for transform in self._transforms:
            found = transform.apply(found)
        if self._last and not self._passes_last(found, named, shape):
            return None
        return self._projected(found)

    def _passes_last(
        self, found: FoundRecord, named: Mapping[str, list[RecordValue]], shape: Mapping[str, Any]
    ) -> bool:
        made = {name for one in self.steps.transforms for name in one.into}
        stored = self._look(found, named, shape)

        def look(field: str) -> Sequence[Any]:
            name = property_of(field)
            if name not in made:
                return stored(field)
            value = found.properties.get(name)
            return () if value is None else (value,)

        judged = all(judge(look) is True for judge in self._last_judges)
        return judged and all(call(found) for call, _ in self._last if call is not None)

    def _look(
        self, found: FoundRecord, named: Mapping[str, list[RecordValue]], shape: Mapping[str, Any]
    ) -> ValuesOf:
        record = found.record
        assert record is not None
        declared = self._declared()
        single = {one.name for one in self.group.properties if one.cardinality == ONE}

        def look(field: str) -> Sequence[Any]:
            name = property_of(field)
            if field == "visibility" and self.group.visibility is not None:
                return (record.visibility,)
            if field == "timestamp" and self.group.timestamp is not None:
                return (record.time,)
            if name == field and name not in declared and (name in _IDS or name == "group"):
                value = getattr(found, name)
                return () if value is None else (value,)
            if name in shape:
                return (shape[name],) if shape[name] is not None else ()
            held = named.get(name)
            if held is not None:
                return [one.value for one in held]
            default = self.defaults.get(name)
            if default is None:
                return ()
            return (default,) if name in single else list(default)

        return look

    def _projected(self, found: FoundRecord) -> FoundRecord:
        keep, drop, fetched = self.steps.keep, self.steps.drop, self.fetched
        whole = fetched.properties is True or (bool(fetched.metadata) and not fetched.properties)
        if keep is None and not drop and whole:
            return found
        made = {name for one in self.steps.transforms for name in one.into}
        kept = {
            name: value
            for name, value in found.properties.items()
            if (keep is None or name in keep)
            and name not in drop
            and (name in made or name in self._shape or fetched.wants_property(name))
        }
        return replace(found, properties=kept)


def _check(group: Group, steps: Steps) -> None:
    check_steps(group, steps)
    if steps.by is not None or steps.derived_by:
        raise SemanticProblem(
            f"group {group.name!r} does not aggregate: its records do not merge",
            hint="Summarise them, or leave the roll-up out.",
        )


def _with_made(group: Group, steps: Steps) -> Group:
    """Return a group with the properties that only transforms make."""
    kept = tuple(one for one in group.properties if one.name not in steps.transient)
    made = tuple(Property(name, kind) for name, kind in steps.transient.items())
    return replace(group, properties=(*kept, *made)) if made else group


def _predicates(filters: Iterable[Where]) -> list[Predicate]:
    wheres = (one.where for one in filters if one.where is not None)
    return [parse_predicate(dict(where), bytes_from_json) for where in wheres]


def _by_name(values: tuple[RecordValue, ...] | None) -> dict[str, list[RecordValue]]:
    found: dict[str, list[RecordValue]] = {}
    for one in values or ():
        found.setdefault(one.name, []).append(one)
    return found


def _shown(values: list[RecordValue], cardinality: str) -> Any:
    """Return what an element shows of the values of a name: the newest, or all of them."""
    if cardinality == ONE:
        newest = values[0] if len(values) == 1 else newest_value(values)
        return None if newest is None else newest.value
    # A value under several visibilities has one key.
    several = list({one.key: one.value for one in values}.values())
    return several if cardinality == LIST else frozenset(several)
