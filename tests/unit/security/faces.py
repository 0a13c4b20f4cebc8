"""The security layer twice, behind one set of calls on bytes: plain Python and the native core."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import pytest

from lexigraph import security
from lexigraph.errors import InvalidVisibility

try:
    from lexigraph import _native as native
except ImportError:
    native = None

NATIVE_MISSING = "the native module lexigraph._native is not built"


class Face(Protocol):
    name: str

    def parse(self, expression: bytes) -> Any: ...
    def evaluate(self, expression: bytes, tokens: Iterable[bytes]) -> bool: ...
    def flatten(self, expression: bytes) -> bytes: ...
    def normalise(self, expression: bytes) -> bytes: ...
    def tokens(self, expression: bytes) -> list[bytes]: ...
    def conjunction(self, labels: list[bytes]) -> bytes: ...
    def quote(self, term: bytes) -> bytes: ...
    def serialise(self, tokens: Iterable[bytes]) -> bytes: ...
    def parse_authorizations(self, text: bytes) -> list[bytes]: ...
    def label_cache(
        self, tokens: Iterable[bytes] | None, default: bytes = b"", **k: int
    ) -> Any: ...


class PythonFace:
    name = "python"

    def parse(self, expression: bytes) -> security.Visibility:
        return security.Visibility(expression)

    def evaluate(self, expression: bytes, tokens: Iterable[bytes]) -> bool:
        return self.parse(expression).evaluate(security.Authorizations(tokens))

    def flatten(self, expression: bytes) -> bytes:
        return bytes(self.parse(expression).flatten())

    def normalise(self, expression: bytes) -> bytes:
        return bytes(self.parse(expression).normalise())

    def tokens(self, expression: bytes) -> list[bytes]:
        return sorted(self.parse(expression).tokens)

    def conjunction(self, labels: list[bytes]) -> bytes:
        return bytes(security.conjunction(labels))

    def quote(self, term: bytes) -> bytes:
        return security.quote(term)

    def serialise(self, tokens: Iterable[bytes]) -> bytes:
        return security.Authorizations(tokens).serialise()

    def parse_authorizations(self, text: bytes) -> list[bytes]:
        return list(security.Authorizations.parse(text))

    def label_cache(self, tokens: Iterable[bytes] | None, default: bytes = b"", **k: int) -> Any:
        view = security.ALL if tokens is None else security.Authorizations(tokens)
        return security.LabelCache(view, default, **k)


class NativeFace:
    name = "native"

    def parse(self, expression: bytes) -> Any:
        return native.Visibility(expression)

    def evaluate(self, expression: bytes, tokens: Iterable[bytes]) -> bool:
        return self.parse(expression).evaluate(native.Authorizations(list(tokens)))

    def flatten(self, expression: bytes) -> bytes:
        return self.parse(expression).flatten()

    def normalise(self, expression: bytes) -> bytes:
        return self.parse(expression).normalise()

    def tokens(self, expression: bytes) -> list[bytes]:
        return self.parse(expression).tokens

    def conjunction(self, labels: list[bytes]) -> bytes:
        return native.conjunction(labels)

    def quote(self, term: bytes) -> bytes:
        return native.quote(term)

    def serialise(self, tokens: Iterable[bytes]) -> bytes:
        return native.Authorizations(list(tokens)).serialise()

    def parse_authorizations(self, text: bytes) -> list[bytes]:
        return native.Authorizations.parse(text).tokens

    def label_cache(self, tokens: Iterable[bytes] | None, default: bytes = b"", **k: int) -> Any:
        if tokens is None:
            return native.LabelCache.for_owner()
        return native.LabelCache(native.Authorizations(list(tokens)), default, **k)


needs_native = pytest.mark.skipif(native is None, reason=NATIVE_MISSING)

each_face = pytest.mark.parametrize(
    "face",
    [
        pytest.param(PythonFace(), id="python"),
        pytest.param(NativeFace(), id="native", marks=needs_native),
    ],
)


def problem(face: Face, expression: bytes) -> tuple[int, str] | None:
    """Return byte and message of what is wrong with an expression, None if nothing is."""
    try:
        face.parse(expression)
    except InvalidVisibility as error:
        return error.context["offset"], str(error)
    return None
