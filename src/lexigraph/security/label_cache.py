"""The visibility check of one scan: each distinct label is judged once.

Security layer. A label that cannot be parsed hides its cell and never raises: one bad cell must
not fail a scan, and what nobody can read nobody may see. Only the owner's view shows it.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexigraph.errors import InvalidVisibility
from lexigraph.security.authorizations import ALL, All, Authorizations
from lexigraph.security.visibility import Visibility
from lexigraph.types import to_bytes

_ENTRY_BYTES = 128


class LabelCache:
    """Answers "may these authorizations see this label?" for the cells of one scan.

    ``default_visibility`` stands in for empty labels. Answers are kept until they take about
    ``limit_bytes``; then the cache starts afresh.

    >>> cache = LabelCache(Authorizations(["A"]))
    >>> [cache.can_see(label) for label in (b"A", b"A&B", b"", b"A&", b"A")]
    [True, False, True, False, True]
    >>> cache.evaluated
    4
    """

    __slots__ = ("_answers", "_authorizations", "_default", "_limit", "_used", "evaluated")

    def __init__(
        self,
        authorizations: Iterable[str | bytes] | All,
        default_visibility: str | bytes = b"",
        *,
        limit_bytes: int = 4 << 20,
    ) -> None:
        self._authorizations = (
            authorizations if authorizations is ALL else Authorizations(authorizations)
        )
        self._default = to_bytes(default_visibility, what="visibility", error=InvalidVisibility)
        self._limit = limit_bytes
        self._answers: dict[bytes, bool] = {}
        self._used = 0
        self.evaluated = 0

    def can_see(self, label: bytes) -> bool:
        """Return whether a cell with this label is visible; never raises on a bad label."""
        answer = self._answers.get(label)
        return self._judge(label) if answer is None else answer

    def _judge(self, label: bytes) -> bool:
        answer = self._evaluate(label or self._default)
        cost = len(label) + _ENTRY_BYTES
        if self._used + cost > self._limit:
            self._answers.clear()
            self._used = 0
        if cost <= self._limit:
            self._answers[label] = answer
            self._used += cost
        return answer

    def _evaluate(self, label: bytes) -> bool:
        self.evaluated += 1
        if self._authorizations is ALL:
            return True
        try:
            return Visibility(label).evaluate(self._authorizations)
        except InvalidVisibility:
            return False

    def __len__(self) -> int:
        """Return how many answers are kept."""
        return len(self._answers)

    def __repr__(self) -> str:
        """Show whose view it is and how much it has judged."""
        return f"LabelCache({self._authorizations!r}, kept={len(self)}, evaluated={self.evaluated})"
