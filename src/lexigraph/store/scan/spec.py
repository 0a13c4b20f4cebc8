"""The scan spec: one read of one table, as data.

Layer ``store``. The fields are those of ``spec/scan.md`` section 2; every engine runs the same
spec and gives the same cells. Reading JSON is strict: an unknown field is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lexigraph.arguments import (
    check_plans,
    read_bool,
    read_int,
    read_int64,
    read_list,
    read_mapping,
    read_object,
)
from lexigraph.cells.cell import Key
from lexigraph.cells.jsonbytes import bytes_from_json, bytes_to_json, key_from_json, key_to_json
from lexigraph.cells.key_sets import KeySet
from lexigraph.cells.ranges import Range, check_key
from lexigraph.errors import InvalidOption, show
from lexigraph.security import ALL, All, Authorizations
from lexigraph.security.visibility import label_bytes
from lexigraph.store.stages.spec import AnyStage, StageSpec, read_stages

EVERYTHING = (Range(),)

_RANGE_FIELDS = ("start", "start_inclusive", "end", "end_inclusive")
_FIELDS = (
    "ranges",
    "columns",
    "authorizations",
    "default_visibility",
    "now",
    "stages",
    "plans",
    "sets",
    "after",
)


@dataclass(frozen=True, slots=True)
class Resume:
    """Where a cut result continues: after the ``seen``-th cell that has exactly ``key``."""

    key: Key
    seen: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no key, and a negative count."""
        check_key(self.key, "a resume point stands at a Key")
        read_int(self.seen, "seen", least=0)

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        return {"key": key_to_json(self.key), "seen": self.seen}

    @staticmethod
    def from_json(value: Any) -> Resume:
        """Read it."""
        fields = read_object(value, ("key", "seen"), "resume point")
        return Resume(key_from_json(fields.get("key")), fields.get("seen", -1))


@dataclass(frozen=True, slots=True)
class ScanSpec:
    """One read: where, which columns, as whom, when, through which stages.

    An empty list of ranges selects nothing; no columns means every column.

    >>> spec = ScanSpec(ranges=[Range.row(b"ann")], columns=[(b"age", None)])
    >>> ScanSpec.from_json(spec.to_json()) == spec
    True
    """

    ranges: Sequence[Range] = EVERYTHING
    columns: Sequence[tuple[bytes, bytes | None]] = ()
    authorizations: Authorizations | All = field(default_factory=Authorizations)
    default_visibility: bytes | None = None
    """The label of cells that have none; ``None`` is the table's."""
    now: int | None = None
    """The clock in the table's time unit; ``None`` is the engine's."""
    stages: Sequence[AnyStage] = ()
    plans: Mapping[str, Any] = field(default_factory=dict)
    """Key plans by name, in their JSON form."""
    after: Resume | None = None
    sets: Mapping[str, KeySet] = field(default_factory=dict)
    """Sets of keys by name, for predicates."""

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        """Freeze what was given as lists, and give authorizations their type."""
        set_field = object.__setattr__
        set_field(self, "ranges", _read_ranges(self.ranges))
        set_field(self, "columns", tuple(map(_check_column, _listed(self.columns, "columns"))))
        set_field(self, "stages", read_stages(self.stages))
        if not isinstance(self.authorizations, All):
            set_field(self, "authorizations", Authorizations(self.authorizations))
        if self.now is not None:
            read_int64(self.now, "now")
        if self.default_visibility is not None:
            set_field(self, "default_visibility", label_bytes(self.default_visibility))
        check_plans(self.plans)
        _check_sets(self.sets)
        if self.after is not None and not isinstance(self.after, Resume):
            raise InvalidOption(
                f"after= takes a Resume, not {show(self.after)}",
                hint="Write Resume(key, seen): the scan continues after the seen-th cell with "
                "this key.",
            )

    def resumed(self, after: Resume) -> ScanSpec:
        """Return the same scan, starting after a result that was already read."""
        return replace(self, after=after)

    def to_json(self) -> dict[str, Any]:
        """Write the spec; fields at their default are left out."""
        out: dict[str, Any] = {"version": 1}
        if self.ranges != EVERYTHING:
            out["ranges"] = [range_to_json(item) for item in self.ranges]
        if self.columns:
            out["columns"] = [_column_to_json(*column) for column in self.columns]
        if isinstance(self.authorizations, All):
            out["authorizations"] = "ALL"
        elif self.authorizations:
            out["authorizations"] = [bytes_to_json(token) for token in self.authorizations]
        if self.default_visibility is not None:
            out["default_visibility"] = bytes_to_json(self.default_visibility)
        if self.now is not None:
            out["now"] = self.now
        if self.stages:
            out["stages"] = [stage.to_json() for stage in read_stages(self.stages)]
        if self.plans:
            out["plans"] = dict(self.plans)
        if self.sets:
            out["sets"] = {name: one.to_json() for name, one in self.sets.items()}
        if self.after is not None:
            out["after"] = self.after.to_json()
        return out

    @staticmethod
    def from_json(value: Any) -> ScanSpec:
        """Read a spec; unknown fields are refused."""
        fields = read_object(value, _FIELDS, "scan", version=True)
        label, now, after = (fields.get(name) for name in ("default_visibility", "now", "after"))
        ranges = read_list(fields["ranges"], "ranges") if "ranges" in fields else None
        return ScanSpec(
            EVERYTHING if ranges is None else tuple(map(range_from_json, ranges)),
            tuple(map(_column_from_json, read_list(fields.get("columns", []), "columns"))),
            _authorizations_from_json(fields.get("authorizations", [])),
            None if label is None else bytes_from_json(label, "default_visibility"),
            now,
            tuple(map(StageSpec.from_json, read_list(fields.get("stages", []), "stages"))),
            read_mapping(fields.get("plans", {}), "plans"),
            None if after is None else Resume.from_json(after),
            {
                name: KeySet.from_json(one)
                for name, one in read_mapping(fields.get("sets", {}), "sets").items()
            },
        )


def _check_sets(sets: Any) -> None:
    named = isinstance(sets, Mapping) and all(isinstance(name, str) for name in sets)
    if not named or not all(isinstance(one, KeySet) for one in sets.values()):
        raise InvalidOption(f"sets map names to KeySets, not {show(sets)}")


def range_to_json(item: Range) -> dict[str, Any]:
    """Write a range."""
    return {
        "start": None if item.start is None else key_to_json(item.start),
        "start_inclusive": item.start_inclusive,
        "end": None if item.end is None else key_to_json(item.end),
        "end_inclusive": item.end_inclusive,
    }


def range_from_json(value: Any) -> Range:
    """Read a range; bounds left out are infinite."""
    fields = read_object(value, _RANGE_FIELDS, "range")
    start, end = fields.get("start"), fields.get("end")
    return Range(
        None if start is None else key_from_json(start),
        read_bool(fields.get("start_inclusive", True), "start_inclusive"),
        None if end is None else key_from_json(end),
        read_bool(fields.get("end_inclusive", True), "end_inclusive"),
    )


def _column_to_json(family: bytes, qualifier: bytes | None) -> list[Any]:
    parts = [family] if qualifier is None else [family, qualifier]
    return [bytes_to_json(part) for part in parts]


def _column_from_json(value: Any) -> tuple[bytes, bytes | None]:
    parts = read_list(value, "a column")
    if len(parts) not in (1, 2):
        raise InvalidOption(f"a column is [family] or [family, qualifier], not {show(value)}")
    family = bytes_from_json(parts[0], "family")
    return family, bytes_from_json(parts[1], "qualifier") if len(parts) == 2 else None


def _authorizations_from_json(value: Any) -> Authorizations | All:
    if value == "ALL":
        return ALL
    tokens = read_list(value, "authorizations")
    return Authorizations(bytes_from_json(token, "authorization") for token in tokens)


def _read_ranges(ranges: Any) -> tuple[Range, ...]:
    listed = (ranges,) if isinstance(ranges, Range) else _listed(ranges, "ranges")
    for item in listed:
        if not isinstance(item, Range):
            raise InvalidOption(f"ranges holds {show(item)}, which is not a Range")
    return listed


def _listed(items: Any, what: str) -> tuple[Any, ...]:
    if not isinstance(items, Iterable) or isinstance(items, str | bytes | Mapping):
        raise InvalidOption(f"{what} must be a list, not {show(items)}")
    return tuple(items)


def _check_column(column: Any) -> tuple[bytes, bytes | None]:
    if isinstance(column, tuple) and len(column) == 2:
        family, qualifier = column
        if isinstance(family, bytes) and (qualifier is None or isinstance(qualifier, bytes)):
            return family, qualifier
    raise InvalidOption(f"a column is a pair of bytes, the second may be None, not {show(column)}")
