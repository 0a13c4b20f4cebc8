"""What a caller can read of one row, at present and with what is hidden.

Layer ``layout``. Changes are judged over this: sections 3 to 5 of ``spec/facts.md``, without an
as-of time and with the hint ``hidden``. The facts themselves are all there, as the owner has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, takewhile

from lexigraph.cells.cell import MIN_TIMESTAMP
from lexigraph.layout.records.assembling.assembler import column_of
from lexigraph.layout.records.assembling.versions import (
    JudgedFact,
    is_newer,
    judge,
    ordered_versions,
)
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    FactState,
    HideFact,
    LabelFact,
    MetadataFact,
    RequiredFact,
    ValueFact,
    ValueHideFact,
)
from lexigraph.security import LabelCache

_PROTECTING = (HideFact, ValueHideFact, RequiredFact)


class RowView:
    """The facts of one subject, of which a caller can read some."""

    def __init__(self, facts: Iterable[AnyFact], labels: LabelCache) -> None:
        self._labels = labels
        self._columns: list[tuple[AnyFact, JudgedFact[AnyFact], bool]] = []
        """Of each column a version, what it says, and whether anything is left of it."""
        self.live: list[ExistenceFact] = []
        """The live existences that the caller can read."""
        self.ends: dict[bytes, int | None] = {}
        """Up to when each existence, also of others, ended what is older, by visibility."""
        self.lasts: dict[bytes, int | None] = {}
        """When each live existence expires, by visibility; ``None`` if it never does."""
        self.allowed = True
        """Whether the caller satisfies the additional visibilities."""
        for _, group in groupby(facts, key=column_of):
            self._take(list(group))

    def _take(self, versions: list[AnyFact]) -> None:
        first, judged = versions[0], judge(versions, None)
        said = judged.said
        self._columns.append((first, judged, _is_left(versions)))
        if isinstance(first, ExistenceFact):
            self.ends[first.visibility] = judged.end
            self.lasts[first.visibility] = _lasts(versions)
            if isinstance(said, ExistenceFact) and self.reads(first):
                self.live.append(said)
        elif isinstance(said, RequiredFact):
            self.allowed &= self._labels.can_see(said.expression)

    def reads(self, fact: AnyFact) -> bool:
        """Return whether the caller can read a fact."""
        return self._labels.can_see(fact.visibility)

    @property
    def lives(self) -> bool:
        """Whether the subject has a live existence, readable or not."""
        return any(
            judged.said is not None
            for one, judged, _ in self._columns
            if isinstance(one, ExistenceFact)
        )

    @property
    def seen(self) -> bool:
        """Whether the caller sees the subject, hidden or not."""
        return self.allowed and bool(self.live)

    @property
    def shown(self) -> ExistenceFact:
        """The existence that the caller is shown; there is one if the subject is seen."""
        found = self.live[0]
        for one in self.live[1:]:
            # By ascending visibility: of equal versions the last is shown.
            found = found if is_newer(found, one) else one
        return found

    @property
    def lasting(self) -> int | None:
        """When the last of the live existences expires: ``None`` if one never does."""
        ends = [self.lasts[one.visibility] for one in self.live]
        found = [one for one in ends if one is not None]
        return None if len(found) < len(ends) else max(found, default=MIN_TIMESTAMP)

    @property
    def exists(self) -> bool:
        """Whether any existence is left, readable or not, live or ended."""
        return any(left for one, _, left in self._columns if isinstance(one, ExistenceFact))

    def said(self, fact: AnyFact) -> AnyFact | None:
        """Return the newest version of the column of a fact, if it is said."""
        wanted = column_of(fact)
        for one, judged, _ in self._columns:
            if column_of(one) == wanted:
                return judged.said
        return None

    @property
    def facts(self) -> list[LabelFact | ValueFact]:
        """The labels and values that the caller sees, hidden or not, in the order of cells."""
        found = (judged.said for _, judged, _ in self._columns)
        return [
            one
            for one in found
            if isinstance(one, LabelFact | ValueFact)
            and self.seen
            and self.reads(one)
            and self._is_covered(one)
        ]

    @property
    def values(self) -> list[ValueFact]:
        """The values that the caller sees, hidden or not."""
        return [one for one in self.facts if isinstance(one, ValueFact)]

    @property
    def hides(self) -> list[HideFact]:
        """The hides of the subject that hold, also those that the caller cannot read."""
        found = (judged.said for _, judged, _ in self._columns)
        return [one for one in found if isinstance(one, HideFact)]

    @property
    def left(self) -> list[AnyFact]:
        """One version of each existence, label and value that the caller can read, ended or not."""
        return [
            one
            for one, _, left in self._columns
            if left
            and isinstance(one, ExistenceFact | LabelFact | ValueFact)
            and self.reads(one)
            and self.allowed
        ]

    @property
    def protecting(self) -> list[AnyFact]:
        """One version of each hide and additional visibility that is left, readable or not."""
        return [one for one, _, left in self._columns if left and isinstance(one, _PROTECTING)]

    def metadata(self, value: ValueFact) -> Iterator[MetadataFact]:
        """Yield the metadata of the present version of a value, also what others may read."""
        named = (value.name, value.key, value.visibility, value.time)
        for _, judged, _ in self._columns:
            one = judged.said
            if (
                isinstance(one, MetadataFact)
                and (one.name, one.key, one.value_visibility, one.value_time) == named
                and one.written >= value.written
            ):
                yield one

    def covers_cell(self, fact: ValueFact, before: int | None) -> bool:
        """Return whether a cell of a row is newer than what ended rows with their element."""
        time, ends = min(fact.time, fact.written), (self.ends[one.visibility] for one in self.live)
        if before is not None and time < before:
            return False
        return any(end is None or time > end for end in ends)

    def _is_covered(self, fact: AnyFact) -> bool:
        ends = (self.ends[one.visibility] for one in self.live)
        return any(end is None or fact.time > end for end in ends)


def _lasts(versions: list[AnyFact]) -> int | None:
    """Return when an existence expires: an earlier version of it may live longer."""
    if all(one.ttl is None for one in versions):
        return None
    said = takewhile(lambda one: one.state is FactState.SAID, ordered_versions(versions))
    ends = [one.expires for one in said]
    return None if None in ends else max((one for one in ends if one is not None), default=None)


def _is_left(versions: list[AnyFact]) -> bool:
    removals = (one.time for one in versions if one.state is FactState.REMOVED)
    removed = max(removals, default=None)
    return any(
        one.state is not FactState.REMOVED and (removed is None or one.time > removed)
        for one in versions
    )
