"""A stage as data: its name, its options and its place in the stack.

Layer ``store``. Options are held in their JSON form, so that a spec in Python and the same spec
read from JSON are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lexigraph.arguments import read_int, read_mapping, read_object
from lexigraph.cells.jsonbytes import bytes_to_json
from lexigraph.errors import InvalidOption, show


@dataclass(frozen=True, slots=True)
class StageSpec:
    """One stage of a scan or table. Without a priority it gets the default of its stage.

    >>> StageSpec("grep", {"term": b"ann"}).options
    {'term': 'ann'}
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    priority: int | None = None

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        """Check the fields, and bring bytes inside the options into their JSON form."""
        if not isinstance(self.name, str) or not isinstance(self.options, Mapping):
            raise InvalidOption(
                f"a stage has a name and a mapping of options, not {show(self.name)} "
                f"and {show(self.options)}"
            )
        if self.priority is not None:
            read_int(self.priority, f"the priority of stage {self.name!r}")
        object.__setattr__(self, "options", _plain(self.options))

    def to_json(self) -> dict[str, Any]:
        """Write the spec."""
        return {"name": self.name, "priority": self.priority, "options": dict(self.options)}

    @staticmethod
    def from_json(value: Any) -> StageSpec:
        """Read a spec; unknown fields are refused."""
        fields = read_object(value, ("name", "priority", "options"), "stage")
        name = fields.get("name")
        if not isinstance(name, str):
            raise InvalidOption(f"a stage in JSON has a name, not {show(value)}")
        options = read_mapping(fields.get("options", {}), f"the options of stage {name!r}")
        return StageSpec(name, options, fields.get("priority"))


_MAX_DEPTH = 200

AnyStage = StageSpec | str | tuple[str, Mapping[str, Any]]
"""A stage as people write it: a spec, a name, or a name with options."""


def read_stages(
    stages: AnyStage | Iterable[AnyStage], what: str = "stages"
) -> tuple[StageSpec, ...]:
    """Return specs of stages in any of their forms; one stage alone is a list of one.

    >>> [stage.name for stage in read_stages(["whole-row", ("limit", {"cells": 1})])]
    ['whole-row', 'limit']
    """
    if isinstance(stages, StageSpec | str) or _is_pair(stages):
        return (_read_stage(stages, what),)
    if not isinstance(stages, Iterable) or isinstance(stages, bytes | Mapping):
        raise InvalidOption(f"{what} must be a list of stages, not {show(stages)}")
    return tuple(_read_stage(stage, what) for stage in stages)


def _read_stage(stage: Any, what: str) -> StageSpec:
    if isinstance(stage, StageSpec):
        return stage
    if isinstance(stage, str):
        return StageSpec(stage)
    if isinstance(stage, tuple) and len(stage) == 2 and isinstance(stage[0], str):
        return StageSpec(*stage)
    raise InvalidOption(
        f"{what} holds {show(stage)}: a stage is a name, a pair of name and options, or a StageSpec"
    )


def _is_pair(stages: Any) -> bool:
    # Two names in a tuple are two stages; a name with a mapping can only be one.
    return isinstance(stages, tuple) and len(stages) == 2 and isinstance(stages[1], Mapping)


def _plain(value: Any, depth: int = 0) -> Any:
    if depth > _MAX_DEPTH:
        raise InvalidOption(f"options of a stage nest more than {_MAX_DEPTH} deep")
    if isinstance(value, bytes):
        return bytes_to_json(value)
    if isinstance(value, Mapping):
        return {name: _plain(item, depth + 1) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, depth + 1) for item in value]
    return value
