"""Strict reading of JSON: unknown and missing members are refused, and every error says where.

Layer ``keyplan``. Used for key plans and for the options of element stages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.errors import InvalidOption, nearest, show


class JsonNode:
    """A JSON value and the path to it.

    >>> JsonNode({"kind": "edge"}, "plan.rows[0]").members(("kind",))["kind"].text()
    'edge'
    >>> JsonNode({"knid": "edge"}, "plan.rows[0]").members(("kind",))
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: plan.rows[0]: there is no member 'knid' (did you mean: kind?)
    """

    def __init__(self, value: Any, path: str) -> None:
        self.value = value
        self.path = path

    @property
    def is_text(self) -> bool:
        """Whether it is a text."""
        return isinstance(self.value, str)

    def fail(self, message: str, *, near: Sequence[str] = ()) -> NoReturn:
        """Raise InvalidOption that says where."""
        raise InvalidOption(
            f"{self.path}: {message}", near=list(near), hint="See spec/scan.md.", path=self.path
        )

    def members(
        self, required: tuple[str, ...], optional: tuple[str, ...] = ()
    ) -> dict[str, JsonNode]:
        """Read an object with exactly these members."""
        found = self.object()
        known = (*required, *optional)
        for name in found:
            if name not in known:
                self.fail(f"there is no member {name!r}", near=nearest(name, known))
        for name in required:
            if name not in found:
                self.fail(f"the member {name!r} is missing")
        return found

    def object(self) -> dict[str, JsonNode]:
        """Read an object with any members."""
        if not isinstance(self.value, Mapping):
            self.fail(f"an object is needed, not {show(self.value)}")
        for name in self.value:
            if not isinstance(name, str):
                self.fail(f"the names of members are text, not {show(name)}")
        return {name: JsonNode(item, f"{self.path}.{name}") for name, item in self.value.items()}

    def items(self) -> list[JsonNode]:
        """Read a list."""
        if not isinstance(self.value, list | tuple):
            self.fail(f"a list is needed, not {show(self.value)}")
        return [JsonNode(item, f"{self.path}[{at}]") for at, item in enumerate(self.value)]

    def text(self) -> str:
        """Read a text that is not empty."""
        if not isinstance(self.value, str) or not self.value:
            self.fail(f"a name is needed, not {show(self.value)}")
        return self.value

    def texts(self) -> tuple[str, ...]:
        """Read a list of distinct texts."""
        found: list[str] = []
        for item in self.items():
            if item.text() in found:
                item.fail(f"{item.value!r} comes twice")
            found.append(item.text())
        return tuple(found)

    def flag(self) -> bool:
        """Read true or false."""
        if not isinstance(self.value, bool):
            self.fail(f"true or false is needed, not {show(self.value)}")
        return self.value

    def integer(self, lowest: int, highest: int) -> int:
        """Read an integer within bounds."""
        value = self.value
        if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
            self.fail(f"an integer from {lowest} to {highest} is needed, not {show(value)}")
        return value

    def choice(self, choices: tuple[str, ...]) -> str:
        """Read one of several words."""
        if self.value not in choices:
            self.fail(
                f"one of {', '.join(choices)} is needed, not {show(self.value)}",
                near=nearest(self.value, choices),
            )
        return str(self.value)

    def byte_string(self) -> bytes:
        """Read bytes."""
        return bytes_from_json(self.value, self.path)
