"""Predicates read from their JSON form.

Layer ``functions``. Unknown operations and fields are refused, and every error says where in the
predicate it lies. How bytes look in JSON is the store's affair, so their reader is handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lexigraph.errors import InvalidOption, nearest, show
from lexigraph.functions.built_in import PREDICATES
from lexigraph.functions.predicates.base import MAX_DEPTH, Predicate

ReadBytes = Callable[[Any, str], bytes]


def parse_predicate(
    data: Any, read_bytes: ReadBytes | None = None, path: str = "where"
) -> Predicate:
    """Read a predicate; ``path`` names it in errors.

    >>> parse_predicate({"op": "eq", "field": "day", "value": b"x"})
    Equal(field='day', value=b'x')
    >>> parse_predicate({"op": "and", "of": [{"op": "like"}]})
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: where.of[0]: there is no predicate 'like' (did you mean: le?)
    """
    return _parse(data, read_bytes or _plain_bytes, path, 1)


def _parse(data: Any, read_bytes: ReadBytes, path: str, depth: int) -> Predicate:
    if depth > MAX_DEPTH:
        start = path.partition(".of")[0]
        raise InvalidOption(
            f"{start}: predicates nest at most {MAX_DEPTH} deep",
            hint="List the predicates of one 'and' or 'or' side by side; there may be many.",
        )
    if not isinstance(data, dict) or not isinstance(data.get("op"), str):
        raise InvalidOption(f"{path}: a predicate is an object with an 'op', not {show(data)}")
    try:
        kind = PREDICATES.find(data["op"]).variant(data)
    except InvalidOption as error:
        raise InvalidOption(f"{path}: {error}", hint=error.hint) from None
    expected = {"op", *kind.members}
    wrong = sorted((set(data) - set(kind.optional)) ^ expected, key=str)
    if wrong:
        raise InvalidOption(
            f"{path}: {kind.name!r} has exactly the fields {', '.join(kind.members)}; "
            f"missing or unknown: {', '.join(map(str, wrong))}"
        )
    try:
        return kind.read(_Reader(data, read_bytes, path, depth))
    except InvalidOption as error:
        if path in error.message:
            raise
        raise InvalidOption(f"{path}: {error.message}", hint=error.hint) from error


class _Reader:
    def __init__(self, data: dict[str, Any], read_bytes: ReadBytes, path: str, depth: int) -> None:
        self._data, self._read_bytes, self._path, self._depth = data, read_bytes, path, depth

    def text(self, name: str) -> str:
        value = self._data[name]
        if not isinstance(value, str):
            raise InvalidOption(f"{self._path}.{name}: a name is text, not {show(value)}")
        return value

    def has(self, name: str) -> bool:
        return name in self._data

    def flag(self, name: str) -> bool:
        value = self._data[name]
        if not isinstance(value, bool):
            raise InvalidOption(f"{self._path}.{name}: true or false is needed, not {show(value)}")
        return value

    def integer(self, name: str) -> int:
        value = self._data[name]
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or not -(2**63) <= value < 2**63:
            raise InvalidOption(
                f"{self._path}.{name}: an integer of 64 bits is needed, not {show(value)}"
            )
        return int(value)

    def choice(self, name: str, words: tuple[str, ...]) -> str:
        value = self._data[name]
        if value not in words:
            raise InvalidOption(
                f"{self._path}.{name}: one of {', '.join(words)} is needed, not {show(value)}",
                near=nearest(value, words),
            )
        return str(value)

    def byte_string(self, name: str) -> bytes:
        return self._read_bytes(self._data[name], f"{self._path}.{name}")

    def byte_strings(self, name: str) -> tuple[bytes, ...]:
        items = enumerate(self._list(name))
        return tuple(self._read_bytes(item, f"{self._path}.{name}[{at}]") for at, item in items)

    def predicate(self, name: str) -> Predicate:
        return _parse(self._data[name], self._read_bytes, f"{self._path}.{name}", self._depth + 1)

    def predicates(self, name: str) -> tuple[Predicate, ...]:
        return tuple(
            _parse(item, self._read_bytes, f"{self._path}.{name}[{at}]", self._depth + 1)
            for at, item in enumerate(self._list(name))
        )

    def _list(self, name: str) -> list[Any]:
        value = self._data[name]
        if not isinstance(value, list | tuple):
            raise InvalidOption(f"{self._path}.{name}: a list is needed, not {show(value)}")
        return list(value)


def _plain_bytes(value: Any, path: str) -> bytes:
    if not isinstance(value, bytes):
        raise InvalidOption(f"{path}: bytes are needed, not {show(value)}")
    return value
