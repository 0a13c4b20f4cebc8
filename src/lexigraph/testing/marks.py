"""Gaps of an engine, as strict marks: a closed gap fails the build until its mark is gone.

Layer ``testing``. ``notimpl``: we have not written it. ``notyet``: what the engine stands on cannot
do it so far. ``never``: it cannot be, and asking for it is an UnsupportedError. ``unpromised``: by
chance it may. A gap that closes must be taken off the list, so the table of support is always true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from lexigraph.errors import UnsupportedError

Test = TypeVar("Test", bound=Callable[..., Any] | type)


@dataclass(frozen=True, slots=True)
class Gap:
    """Why a test fails on an engine, and with what."""

    kind: str
    reason: str
    raises: tuple[type[BaseException], ...] = ()
    """What it must fail with; nothing means that anything will do."""
    strict: bool = True
    """Whether passing is a failure too."""

    def mark(self) -> pytest.MarkDecorator:
        """Return the strict mark for pytest."""
        return pytest.mark.xfail(
            strict=self.strict, reason=f"{self.kind}: {self.reason}", raises=self.raises or None
        )


def notimpl(reason: str) -> Gap:
    """Return that nobody has written it yet.

    >>> notimpl("clones share no blocks").kind
    'notimpl'
    """
    return Gap("notimpl", reason)


def notyet(reason: str) -> Gap:
    """Return that what the engine stands on cannot do it so far."""
    return Gap("notyet", reason)


def never(reason: str) -> Gap:
    """Return that it cannot be: the engine raises UnsupportedError."""
    return Gap("never", reason, (UnsupportedError,))


def unpromised(reason: str) -> Gap:
    """Say that it may pass and may not: what the test sees by chance, the engine does not promise.

    >>> unpromised("a scan of little is read at once").strict
    False
    """
    return Gap("unpromised", reason, strict=False)


def needs(feature: str) -> Callable[[Test], Test]:
    """Mark a test or a class of tests as meaningful only for engines that have ``feature``.

    A feature is a field of :class:`~lexigraph.store.Capabilities`, ``partial-merges`` or
    ``atomic-batches``.
    """

    def mark(test: Test) -> Test:
        setattr(test, NEEDS, (*getattr(test, NEEDS, ()), feature))
        return test

    return mark


NEEDS = "_lexigraph_needs"
