"""How a stage declares its options, and how a spec's options are read by that declaration.

Layer ``store``. One declaration serves three readers: the parser, the error messages and
``spec/schema/cell-stages.json``, which a test keeps equal to it. Options are in JSON form; an
option that is not declared, is missing or has another type is refused before any cell is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP
from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.errors import InvalidOption, nearest, show


@dataclass(frozen=True, slots=True)
class OptionKind:
    """A type of option: how it is read, and what JSON Schema says of it."""

    read: Callable[[Any, str], Any]
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StageOption:
    """One declared option; ``null`` may be given where it is the default or ``nullable`` says so.

    >>> StageOption("max", integer(minimum=1), default=1, nullable=True).read(3, "versions")
    3
    """

    name: str
    kind: OptionKind
    default: Any = None
    required: bool = False
    nullable: bool = False

    def read(self, value: Any, stage: str) -> Any:
        """Read a given value; the error names stage and option."""
        if value is None and self._takes_null:
            return None
        return self.kind.read(value, f"option {self.name!r} of stage {stage!r}")

    def schema(self) -> dict[str, Any]:
        """Describe the option in JSON Schema."""
        schema = dict(self.kind.schema)
        if self._takes_null:
            schema = {"anyOf": [schema, {"type": "null"}]}
        return schema if self.required else {**schema, "default": self.default}

    @property
    def _takes_null(self) -> bool:
        return self.nullable or (self.default is None and not self.required)


def read_options(
    stage: str, declared: Sequence[StageOption], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Read every declared option from what was given.

    >>> cells = StageOption("cells", integer(minimum=0), required=True)
    >>> read_options("limit", [cells], {"cell": 3})
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: stage 'limit' has no option 'cell' (did you mean: cells?)
    """
    if not isinstance(given, Mapping):
        raise InvalidOption(f"the options of stage {stage!r} must be an object, not {show(given)}")
    names = [option.name for option in declared]
    for name in given:
        if name not in names:
            raise InvalidOption(
                f"stage {stage!r} has no option {name!r}", near=nearest(name, names)
            )
    values = {}
    for option in declared:
        if option.name in given:
            values[option.name] = option.read(given[option.name], stage)
        elif option.required:
            raise InvalidOption(f"stage {stage!r} needs the option {option.name!r}")
        else:
            values[option.name] = option.read(option.default, stage)
    return values


def options_schema(declared: Iterable[StageOption]) -> dict[str, Any]:
    """Describe the options of one stage in JSON Schema."""
    declared = list(declared)
    return {
        "type": "object",
        "properties": {option.name: option.schema() for option in declared},
        "required": [option.name for option in declared if option.required],
        "additionalProperties": False,
    }


def integer(*, minimum: int = MIN_TIMESTAMP, maximum: int = MAX_TIMESTAMP) -> OptionKind:
    """Declare an integer between two bounds; without any it is a signed 64-bit integer."""

    def read(value: Any, what: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidOption(f"{what} is an integer, not {show(value)}")
        if not minimum <= value <= maximum:
            raise InvalidOption(f"{what} is from {minimum} to {maximum}, not {show(value)}")
        return value

    return OptionKind(read, {"type": "integer", "minimum": minimum, "maximum": maximum})


def choice(*names: str) -> OptionKind:
    """Declare one of a few words."""

    def read(value: Any, what: str) -> str:
        if not isinstance(value, str) or value not in names:
            raise InvalidOption(
                f"{what} is one of {', '.join(names)}, not {show(value)}",
                near=nearest(value, names),
            )
        return value

    return OptionKind(read, {"enum": list(names)})


def array(of: OptionKind, *, minimum: int = 0) -> OptionKind:
    """Declare a list of one kind."""

    def read(value: Any, what: str) -> list[Any]:
        if not isinstance(value, list | tuple) or len(value) < minimum:
            least = f" of at least {minimum}" if minimum else ""
            raise InvalidOption(f"{what} is a list{least}, not {show(value)}")
        return [of.read(item, f"entry {index} of {what}") for index, item in enumerate(value)]

    schema: dict[str, Any] = {"type": "array", "items": dict(of.schema)}
    return OptionKind(read, {**schema, "minItems": minimum} if minimum else schema)


def record(*fields: StageOption) -> OptionKind:
    """Declare an object with declared fields."""

    def read(value: Any, what: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise InvalidOption(f"{what} is an object, not {show(value)}")
        try:
            return read_options(what, fields, value)
        except InvalidOption as error:
            raise InvalidOption(f"{what}: {error.message}") from error

    return OptionKind(read, options_schema(fields))


def _read_bool(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidOption(f"{what} is true or false, not {show(value)}")
    return value


def _read_text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidOption(f"{what} is text, not {show(value)}")
    return value


BOOL = OptionKind(_read_bool, {"type": "boolean"})
TEXT = OptionKind(_read_text, {"type": "string"})
BYTES = OptionKind(bytes_from_json, {"$ref": "#/$defs/bytes"})
TIMESTAMP = integer()


def _read_column(value: Any, what: str) -> tuple[bytes, bytes | None]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= 2:
        raise InvalidOption(f"{what} is [family] or [family, qualifier], not {show(value)}")
    parts = [bytes_from_json(part, what) for part in value]
    return parts[0], parts[1] if len(parts) == 2 else None


COLUMN = OptionKind(
    _read_column,
    {"type": "array", "items": {"$ref": "#/$defs/bytes"}, "minItems": 1, "maxItems": 2},
)

NEGATE = StageOption("negate", BOOL, default=False)
"""What every filter takes: keep what it would drop, drop what it would keep."""
