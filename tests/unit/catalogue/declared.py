"""What Python declares, in the form of spec/catalogue.json."""

from __future__ import annotations

from typing import Any

from lexigraph.codec import codec_for, is_built_in, names
from lexigraph.errors import InvalidOption
from lexigraph.functions import Aggregator, Exists, Predicate, Transform
from lexigraph.store.stages.base import Stage

AGGREGATOR_FLAGS = ("idempotent", "order_free", "canonical", "picks_one", "takes_field")
STAGE_FLAGS = (
    *("whole_scan", "combines", "combines_versions", "in_parts", "of_rows"),
    *("ends_with_row", "scan_only"),
)
CODECS = [name for name in names() if is_built_in(name)]
_NAME = {"type": "string"}
_BYTES = {"$ref": "#/$defs/bytes"}
_PREDICATE = {"$ref": "#/$defs/predicate"}


def of_aggregator(cls: type[Aggregator]) -> dict[str, Any]:
    """Describe an aggregator; its codecs are those that it can be bound to."""
    takes = [name for name in CODECS if _binds(cls, name)]
    return {
        "codecs": _codecs(takes),
        "result": cls.result_kind,
        "takes": list(cls.takes),
        "flags": [flag for flag in AGGREGATOR_FLAGS if getattr(cls, flag)],
        "options": {name: option.schema() for name, option in cls.options.items()},
    }


def _binds(cls: type[Aggregator], codec: str) -> bool:
    try:
        cls(codec_for(codec))
    except InvalidOption:
        return False
    return True


def _codecs(takes: list[str]) -> Any:
    refused = [name for name in CODECS if name not in takes]
    if not refused:
        return "all"
    return {"except": refused} if len(refused) < len(takes) else takes


def of_predicate(forms: list[type[Predicate]]) -> dict[str, Any]:
    """Describe a predicate; each form is what its own reader asks for."""
    return {"forms": [_form(form) for form in forms]}


def _form(cls: type[Predicate]) -> dict[str, Any]:
    asked, default = _Recorder(there=True), _Recorder(there=False)
    cls.read(asked)
    left_out = cls.read(default).to_json()
    return {
        name: {**asked.types[name], "default": left_out.get(name, False)}
        if name in cls.optional
        else asked.types[name]
        for name in (*cls.members, *cls.optional)
    }


class _Recorder:
    """A reader of JSON that notes as what each member is read."""

    def __init__(self, *, there: bool) -> None:
        self.types: dict[str, dict[str, Any]] = {}
        self._there = there

    def _note(self, name: str, schema: dict[str, Any], value: Any) -> Any:
        self.types[name] = schema
        return value

    def text(self, name: str) -> str:
        return str(self._note(name, _NAME, "a"))

    def has(self, name: str) -> bool:
        return self._there

    def flag(self, name: str) -> bool:
        return bool(self._note(name, {"type": "boolean"}, True))

    def integer(self, name: str) -> int:
        bounds = {"minimum": -(2**63), "maximum": 2**63 - 1}
        return int(self._note(name, {"type": "integer", **bounds}, 1))

    def choice(self, name: str, words: tuple[str, ...]) -> str:
        return str(self._note(name, {"enum": list(words)}, words[0]))

    def byte_string(self, name: str) -> bytes:
        return bytes(self._note(name, _BYTES, b"a"))

    def byte_strings(self, name: str) -> tuple[bytes, ...]:
        return tuple(self._note(name, {"type": "array", "items": _BYTES}, (b"a",)))

    def predicate(self, name: str) -> Predicate:
        found: Predicate = self._note(name, _PREDICATE, Exists("a"))
        return found

    def predicates(self, name: str) -> tuple[Predicate, ...]:
        return tuple(self._note(name, {"type": "array", "items": _PREDICATE}, (Exists("a"),)))


def of_transform(cls: type[Transform]) -> dict[str, Any]:
    """Describe a transform."""
    options = {name: option.schema() for name, option in cls.options.items()}
    return {"inputs": cls.inputs, "options": options}


def of_stage(cls: type[Stage]) -> dict[str, Any]:
    """Describe a stage."""
    options = {option.name: option.schema() for option in getattr(cls, "options", ())}
    return {
        "priority": cls.default_priority,
        "flags": [flag for flag in STAGE_FLAGS if getattr(cls, flag, False)],
        "options": options,
    }
