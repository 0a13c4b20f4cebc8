"""A place in the answer of one question, as text that people pass on.

Layer ``plan``. A cursor belongs to a question and to the authorizations that it was asked with; it
holds nothing but the row of an element that its reader has seen.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import astuple, dataclass, fields, is_dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from lexigraph.errors import UsageError, show
from lexigraph.plan.logical.elements import Elements
from lexigraph.plan.sources.seeds import SeedSet
from lexigraph.security import All

if TYPE_CHECKING:
    from lexigraph.plan.scope import Scope


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page ended: behind an element.

    ``scan`` is the number of the branch and of its scan. In the row were ``passed`` elements up to
    the last one, whose identity is ``mark``; without a mark, elements are counted. ``given`` are
    the elements of all pages so far.
    """

    question: str
    scan: tuple[int, int]
    row: bytes
    passed: int
    mark: str
    given: int

    def __str__(self) -> str:
        """Return the text that people pass on."""
        question, scan, row, *rest = astuple(self)
        data = json.dumps([question, *scan, row.hex(), *rest], separators=(",", ":"))
        return urlsafe_b64encode(data.encode()).decode().rstrip("=")

    @staticmethod
    def parse(text: Any) -> Cursor:
        """Read the text of a cursor; raise UsageError if it is none."""
        wrong = UsageError(
            f"this is not the cursor of a page: {show(text)}",
            hint="Pass on page.cursor as it is.",
        )
        if not isinstance(text, str) or not text.isascii():
            raise wrong
        try:
            data = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
            question, branch, scan, row, passed, mark, given = data
            found = Cursor(question, (branch, scan), bytes.fromhex(row), passed, mark, given)
        except (ValueError, TypeError, RecursionError):
            raise wrong from None
        numbers = (branch, scan, passed, given)
        if not all(type(one) is int and one >= 0 for one in numbers):
            raise wrong
        return found if isinstance(question, str) and isinstance(mark, str) else _raise(wrong)


def _raise(error: UsageError) -> Cursor:
    raise error


def question_mark(asked: Elements, scope: Scope) -> str:
    """Return what tells questions apart, and who asks; functions count by their names."""
    held = scope.authorizations
    who = "all" if isinstance(held, All) else held.serialise()
    shape = (scope.name, dict(scope.tables), _plain(scope.schema), who, _plain(asked))
    return short_hash(repr((*shape, scope.as_of, scope.fetch, scope.visibilities)))


def short_hash(text: str) -> str:
    """Return a few letters that differ for different texts."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _plain(one: Any) -> Any:
    if isinstance(one, SeedSet):
        return list(one.keys)
    if is_dataclass(one) and not isinstance(one, type):
        return type(one).__name__, [_plain(getattr(one, field.name)) for field in fields(one)]
    if hasattr(one, "items"):
        return [(name, _plain(item)) for name, item in one.items()]
    if isinstance(one, set | frozenset):
        return sorted(map(repr, map(_plain, one)))
    if isinstance(one, list | tuple):
        return [_plain(item) for item in one]
    if callable(one):
        module = getattr(one, "__module__", "")
        return module, getattr(one, "__qualname__", type(one).__qualname__)
    return one
