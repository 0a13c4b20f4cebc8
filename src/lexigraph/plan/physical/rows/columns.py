"""Which columns an engine is asked for in place of elements, and what their entries mean.

Layer ``plan``. A field of an element is the property of that name, or else the id, as
``present.reader_of`` reads it. Where an answer shows something that no engine packs (defaults of
newer properties, derived properties), there are no columns: elements are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lexigraph.codec import is_built_in
from lexigraph.functions import traits_of
from lexigraph.plan.logical.elements import Elements, Steps
from lexigraph.plan.physical.rows.packed import kind_of, reader_for, unpack
from lexigraph.plan.scope import Scope
from lexigraph.schema.model import Aggregate, Group
from lexigraph.store.answers.frames import FrameBuffers, FrameColumn

_IDS = {"group": "str", "directed": "bool", "matched": "str"}


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """A column to read: its name ``at`` a batch, and the ``property`` that it shows, if not an id.

    An id for :class:`AssembleElements` is ``@`` and its name.
    """

    at: str
    frame: FrameColumn
    read: Callable[[Any], Any] | None
    property: str | None = None

    __hash__ = None  # type: ignore[assignment]

    def unpack(self, made: FrameBuffers, rows: int) -> Any:
        """Make a column of what an engine filled."""
        return unpack(made, rows, self.frame.kind, self.read)


def shown_properties(group: Group, steps: Steps) -> Iterator[tuple[str, str, Aggregate | None]]:
    """Yield the properties that an answer shows: name, codec, and how its values were merged."""
    gone = set() if steps.by is None else set(group.group_by) - set(steps.by)
    for one in group.properties:
        if one.name in gone and one.aggregate is None and one.name not in steps.aggregators:
            continue
        if (steps.keep is not None and one.name not in steps.keep) or one.name in steps.drop:
            continue
        codec = one.type.codec
        if one.name == group.visibility:
            codec = "str"
        elif one.name == group.timestamp and codec != "datetime":
            codec = "int"
        merged = one.name not in group.group_by or one.name in gone
        aggregate = (steps.aggregators.get(one.name) or one.aggregate) if merged else None
        yield one.name, codec, aggregate


def element_columns(
    asked: Elements,
    scope: Scope,
    fields: Iterable[str] | None = None,
    *,
    shows_matched: bool,
) -> list[ReadColumn] | None:
    """Return the columns of some fields, or of all that elements have; ``None`` if there are none.

    With ``fields``, each column has the name of its field. ``matched`` is null unless it is shown.
    """
    if any(steps.transforms or steps.transient for steps in asked.view.values()):
        return None
    if any(map(scope.keys.is_record, asked.view)):
        return None
    shown = {name: dict(_kinds(name, asked, scope)) for name in asked.view}
    if any(kind is None for kinds in shown.values() for kind in kinds.values()):
        return None
    names = dict.fromkeys(name for kinds in shown.values() for name in kinds)
    if fields is not None:
        return _all_or_none(
            _field_column(name, shown, asked, scope, shows_matched=shows_matched) for name in fields
        )
    ids = dict.fromkeys(one for group in asked.view for one in _ids(group, scope))
    return _all_or_none(
        [
            *(
                _id_column(f"@{name}", name, asked, scope, shows_matched=shows_matched)
                for name in ids
            ),
            *(_property_column(name, name, shown, asked, scope) for name in names),
        ]
    )


KindByGroup = dict[str, tuple[str, bool] | None]


def _all_or_none(found: Iterable[ReadColumn | None]) -> list[ReadColumn] | None:
    listed = list(found)
    kept = [one for one in listed if one is not None]
    return kept if len(kept) == len(listed) else None


def _kinds(
    name: str, asked: Elements, scope: Scope
) -> Iterator[tuple[str, tuple[str, bool] | None]]:
    """Yield for each property its codec and whether it holds a map; ``None`` if nobody packs it."""
    group, filled = scope.schema.group(name), scope.keys.defaults(name).names
    for one, codec, aggregate in shown_properties(group, asked.view[name]):
        if one in filled or not is_built_in(codec):
            yield one, None
            continue
        result = "same" if aggregate is None else traits_of(aggregate.name).result_kind
        if result == "same":
            yield one, (codec, False)
        else:
            yield one, None if result is None else ("any", result == "map")


def _field_column(
    name: str, shown: dict[str, KindByGroup], asked: Elements, scope: Scope, *, shows_matched: bool
) -> ReadColumn | None:
    having = [group for group, kinds in shown.items() if name in kinds]
    if having and len(having) < len(shown) and any(name in _ids(one, scope) for one in shown):
        # A property of one group, an id of another.
        return None
    if having:
        return _property_column(name, name, shown, asked, scope)
    return _id_column(name, name, asked, scope, shows_matched=shows_matched)


def _property_column(
    at: str, name: str, shown: dict[str, KindByGroup], asked: Elements, scope: Scope
) -> ReadColumn | None:
    kinds = {kinds[name] for kinds in shown.values() if name in kinds}
    groups = [group for group, held in shown.items() if name in held]
    codec, is_map = next((one for one in kinds if one is not None), ("any", False))
    if len(kinds) > 1:
        # Of several types: each in the form of the codec ``any``, and none of them maps.
        if any(one is None or one[1] for one in kinds):
            return None
        codec = "any"
    fields = {one: scope.keys.field(one, name) for one in groups}
    schema = scope.schema
    moments = frozenset(
        one
        for one in groups
        if name == schema.group(one).timestamp and codec in ("datetime", "any")
    )
    if moments and codec == "any":
        return None
    frame = FrameColumn(at, kind_of(codec), fields, moments)
    return ReadColumn(at, frame, reader_for(codec, is_map=is_map), name)


def _id_column(
    at: str, name: str, asked: Elements, scope: Scope, *, shows_matched: bool
) -> ReadColumn | None:
    schema = scope.schema
    codecs = {
        _IDS.get(name) or schema.group(group).ids[name].codec
        for group in asked.view
        if name in _ids(group, scope)
    }
    if not all(map(is_built_in, codecs)):
        return None
    codec = codecs.pop() if len(codecs) == 1 else "any"
    fields = {group: name for group in asked.view if name in _ids(group, scope)}
    if name == "matched" and not shows_matched:
        fields = {}
    return ReadColumn(at, FrameColumn(at, kind_of(codec), fields), reader_for(codec))


def _ids(group: str, scope: Scope) -> tuple[str, ...]:
    held = scope.schema.group(group)
    return ("group", *held.ids, *(("directed", "matched") if held.kind == "edge" else ()))
