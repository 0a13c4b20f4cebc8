"""Table settings: everything a table keeps besides its cells.

Layer ``store``. Settings are data with one JSON form, equal on every engine. An engine that
cannot use one of them (bloom filters in memory, say) keeps it and says so in its capabilities.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import Any

from lexigraph.arguments import (
    check_plans,
    read_bool,
    read_choice,
    read_int,
    read_list,
    read_mapping,
    read_object,
)
from lexigraph.cells.jsonbytes import bytes_from_json, bytes_to_json
from lexigraph.errors import InvalidOption, show
from lexigraph.security import Visibility
from lexigraph.security.visibility import label_bytes
from lexigraph.store.clock import TIME_UNITS
from lexigraph.store.constraints import CONSTRAINTS
from lexigraph.store.stages.spec import AnyStage, StageSpec, read_stages

DURABILITIES = ("none", "log", "flush", "buffered", "relaxed", "sync")
BLOOM_KEYS = ("row", "family", "qualifier")
VERSIONS_PRIORITY = 20


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How a table behaves. The default keeps the newest version of each column.

    >>> TableSettings().stages("merge")
    (StageSpec(name='versions', options={'max': 1}, priority=20),)
    >>> TableSettings.from_json(TableSettings(max_versions=None).to_json()).max_versions
    """

    scan_stages: Sequence[AnyStage] = ()
    """Stages that every scan runs, together with its own. See ``with_stages``."""
    merge_stages: Sequence[AnyStage] = ()
    """Stages that every merge runs. What they remove or combine cannot be undone."""
    plans: Mapping[str, Any] = field(default_factory=dict)
    """Key plans by name, as dicts (``KeyPlan.to_json()``), for stages that read elements."""
    max_versions: int | None = 1
    """How many versions of a column are kept; ``None`` keeps all. The stage ``versions`` does it,
    at priority 20, in scans and in merges."""
    time_unit: str = "micros"
    """What a timestamp counts: ``micros`` or ``millis`` since 1970, or ``logical``, the commits of
    the table from 1 on. Ages and times in options are in this unit too. It cannot be changed."""
    default_visibility: bytes = b""
    """The label that scans assume for cells without one; stored cells do not change."""
    constraints: Sequence[str] = ("key-size", "visibility")
    """What every cell of a write must satisfy, or nothing of the write is stored. ``key-size``: "
    "a key of at
    most 1 MiB. ``visibility``: a label that can be parsed. ``readable-visibility``: a label that
    the writer can read, by the ``authorizations`` of the write."""
    append_only: bool = False
    """Refuse delete markers, so that every merge may combine."""
    max_clock_jump: int | None = None
    """How far, in the time unit, a merge that removes cells may be ahead of the newest commit.
    ``None`` is any distance: a wrong clock then ages everything off."""
    durability: str | None = None
    """How safe a write is when it returns, unless the write names a durability itself; ``None`` is
    the engine's default. The embedded engine has ``sync``, ``relaxed`` and ``buffered``; Accumulo
    has ``sync``, ``flush``, ``log`` and ``none``; ``memory`` accepts all of them and stores nothing
    on disk."""
    locality_groups: Mapping[str, Sequence[bytes]] = field(default_factory=dict)
    """Families to be stored together, by the name of their group; a family is in one at most. A
    hint for speed, which ``memory`` keeps and does not use."""
    splits: Sequence[bytes] = ()
    """Rows after which the table may be divided; ``add_splits`` and new settings add to them, and
    nothing takes one away."""
    bloom: str | None = None
    """How much of a key goes into bloom filters: ``row``, ``family`` (row and family) or
    ``qualifier`` (all three). A hint for speed, which ``memory`` keeps and does not use."""

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        """Check every field that can be checked without an engine."""
        set_field = object.__setattr__
        for name in ("scan_stages", "merge_stages"):
            set_field(self, name, read_stages(getattr(self, name), name))
        one = isinstance(self.constraints, str)
        set_field(self, "constraints", (self.constraints,) if one else _listed(self, "constraints"))
        splits = _listed(self, "splits")
        if not all(isinstance(split, bytes) for split in splits):
            raise InvalidOption(f"splits are rows, in bytes: {show(self.splits)}")
        set_field(self, "splits", tuple(sorted(set(splits))))
        check_plans(self.plans)
        set_field(self, "plans", {name: _plan(plan) for name, plan in self.plans.items()})
        groups = _groups(self.locality_groups)
        set_field(self, "locality_groups", groups)
        _check_groups(groups)
        read_choice(self.time_unit, TIME_UNITS, "time_unit")
        read_bool(self.append_only, "append_only")
        for constraint in self.constraints:
            read_choice(constraint, tuple(CONSTRAINTS), "a constraint")
        for name in ("max_versions", "max_clock_jump"):
            if getattr(self, name) is not None:
                read_int(getattr(self, name), name, least=1 if name == "max_versions" else 0)
        if self.durability is not None:
            read_choice(self.durability, DURABILITIES, "durability")
        if self.bloom is not None:
            read_choice(self.bloom, BLOOM_KEYS, "bloom")
        set_field(self, "default_visibility", label_bytes(self.default_visibility))
        Visibility(self.default_visibility)

    @staticmethod
    def with_stages(*stages: AnyStage, **others: Any) -> TableSettings:
        """Return settings with the same stages at both scopes, as combiners need them.

        >>> settings = TableSettings.with_stages(("sum", {"encoding": "text"}))
        >>> settings.scan_stages == settings.merge_stages
        True
        """
        return TableSettings(scan_stages=stages, merge_stages=stages, **others)

    def stages(self, scope: str) -> tuple[StageSpec, ...]:
        """Return the stages of scope ``scan`` or ``merge``, with the one that keeps versions."""
        own = read_stages(self.scan_stages if scope == "scan" else self.merge_stages)
        if self.max_versions is None:
            return own
        return (StageSpec("versions", {"max": self.max_versions}, VERSIONS_PRIORITY), *own)

    @property
    def combines_elements(self) -> bool:
        """Whether a merge combines elements, so that the times of their parts are gone."""
        return any(stage.name == "aggregate" for stage in self.stages("merge"))

    def to_json(self) -> dict[str, Any]:
        """Write every field."""
        out: dict[str, Any] = {"version": 1}
        for item in fields(self):
            out[item.name] = _WRITERS.get(item.name, _same)(getattr(self, item.name))
        return out

    @staticmethod
    def from_json(value: Any) -> TableSettings:
        """Read settings; fields left out have their default, unknown ones are refused."""
        known = [item.name for item in fields(TableSettings)]
        given = dict(read_object(value, known, "table's settings", version=True))
        del given["version"]
        read = {name: _READERS.get(name, _same)(item) for name, item in given.items()}
        return TableSettings(**read)


def _listed(settings: TableSettings, name: str) -> tuple[Any, ...]:
    value = getattr(settings, name)
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        raise InvalidOption(f"{name} must be a list, not {show(value)}")
    return tuple(value)


def _groups(given: Any) -> dict[str, tuple[bytes, ...]]:
    if not isinstance(given, Mapping):
        raise InvalidOption(f"locality_groups map names to families, not {show(given)}")
    groups = {}
    for name, families in given.items():
        listed = isinstance(families, list | tuple | set | frozenset)
        if not isinstance(name, str) or not listed:
            raise InvalidOption(
                f"a locality group is a name with a list of families, not {show(name)} with "
                f"{show(families)}"
            )
        groups[name] = tuple(families)
    return groups


def _check_groups(groups: Mapping[str, Sequence[bytes]]) -> None:
    home: dict[bytes, str] = {}
    for name, families in groups.items():
        for family in families:
            if not isinstance(family, bytes):
                raise InvalidOption(
                    f"locality group {name!r} lists families, in bytes: {show(family)}"
                )
            if home.setdefault(family, name) != name:
                raise InvalidOption(
                    f"family {family!r} is in two locality groups: {home[family]!r} and {name!r}"
                )


def _plan(plan: Any) -> Any:
    # A KeyPlan is kept as the data that it is made from.
    if hasattr(plan, "to_json"):
        return plan.to_json()
    try:
        # Ten times as fast as a deep copy.
        return marshal.loads(marshal.dumps(plan))
    except ValueError:
        return deepcopy(plan)


def _same(value: Any) -> Any:
    return value


def _write_stages(stages: Sequence[StageSpec]) -> list[Any]:
    return [stage.to_json() for stage in stages]


def _read_stages(value: Any) -> list[StageSpec]:
    return [StageSpec.from_json(item) for item in read_list(value, "stages")]


def _write_list(items: Sequence[bytes]) -> list[Any]:
    return [bytes_to_json(item) for item in items]


def _read_splits(value: Any) -> list[bytes]:
    return [bytes_from_json(item, "a split") for item in read_list(value, "splits")]


def _write_groups(groups: Mapping[str, Sequence[bytes]]) -> dict[str, Any]:
    return {name: _write_list(families) for name, families in groups.items()}


def _read_groups(value: Any) -> dict[str, list[bytes]]:
    groups = read_mapping(value, "locality_groups")
    return {
        name: [bytes_from_json(item, "a family") for item in read_list(families, "a group")]
        for name, families in groups.items()
    }


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "scan_stages": _write_stages,
    "merge_stages": _write_stages,
    "plans": dict,
    "default_visibility": bytes_to_json,
    "constraints": list,
    "locality_groups": _write_groups,
    "splits": _write_list,
}
_READERS: dict[str, Callable[[Any], Any]] = {
    "scan_stages": _read_stages,
    "merge_stages": _read_stages,
    "plans": lambda value: read_mapping(value, "plans"),
    "default_visibility": lambda value: bytes_from_json(value, "default_visibility"),
    "constraints": lambda value: read_list(value, "constraints"),
    "locality_groups": _read_groups,
    "splits": _read_splits,
}
