"""Constraints: rules that every cell of a write must keep, or nothing of it is stored.

Layer ``store``. A rule looks at one cell and the writer's authorizations and returns what is
wrong, or nothing. Rules that follow from other settings (append-only, combining merges) are
checked here too, so that there is one place where a write is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lexigraph.errors import ConstraintError, InvalidVisibility, show
from lexigraph.security import All, Authorizations, LabelCache, Visibility

if TYPE_CHECKING:
    from lexigraph.cells.mutations import MutationBatch
    from lexigraph.store.settings import TableSettings

MAX_KEY_BYTES = 1 << 20


def _check_label(label: bytes, writer: LabelCache) -> str | None:
    try:
        Visibility(label)
    except InvalidVisibility as problem:
        return f"its visibility cannot be parsed: {problem}"
    return None


def _check_readable(label: bytes, writer: LabelCache) -> str | None:
    if writer.can_see(label):
        return None
    return f"the writer cannot read its own visibility {show(label)}"


_LabelRule = Callable[[bytes, LabelCache], str | None]

_LABEL_RULES: dict[str, _LabelRule] = {
    "visibility": _check_label,
    "readable-visibility": _check_readable,
}
CONSTRAINTS = ("key-size", *_LABEL_RULES)
"""The names that settings may list."""


def check_batch(
    table: str, settings: TableSettings, batch: MutationBatch, writer: Authorizations | All
) -> None:
    """Refuse a batch that breaks a rule of the table, naming the first such cell."""
    cells = batch.cells
    if "key-size" in settings.constraints:
        parts = (cells.row, cells.family, cells.qualifier, cells.visibility)
        # The longest parts together are no shorter than any key: most batches need no second look.
        if sum(part.longest for part in parts) > MAX_KEY_BYTES:
            _check_sizes(table, batch)
    view = LabelCache(writer, settings.default_visibility)
    rules = [_LABEL_RULES[name] for name in settings.constraints if name in _LABEL_RULES]
    judged = {
        label: next(filter(None, (rule(label, view) for rule in rules)), None)
        for label in (cells.visibility.distinct() if rules else ())
    }
    if any(judged.values()):
        number, label = next(one for one in enumerate(cells.visibility) if judged[one[1]])
        raise _refusal(table, number, judged[label])
    _check_markers(table, settings, batch)


def check_values(table: str, batch: MutationBatch, limit: int) -> None:
    """Refuse a batch with a value of more bytes than an engine can take, naming its cell."""
    values = batch.cells.value
    if values.longest > limit:
        number, size = next((n, len(one)) for n, one in enumerate(values) if len(one) > limit)
        raise _refusal(table, number, f"its value has {size} bytes, the limit is {limit}")


def _check_sizes(table: str, batch: MutationBatch) -> None:
    for number, cell in enumerate(batch.cells):
        size = sum(map(len, cell.column))
        if size > MAX_KEY_BYTES:
            raise _refusal(table, number, f"its key has {size} bytes, the limit is {MAX_KEY_BYTES}")


def _check_markers(table: str, settings: TableSettings, batch: MutationBatch) -> None:
    if 1 not in batch.cells.deleted or not (settings.append_only or settings.combines_elements):
        return
    for number, deleted in enumerate(batch.cells.deleted):
        if deleted and settings.append_only:
            raise _refusal(table, number, "it is a delete marker, and the table is append-only")
        if deleted and batch.timed[number]:
            raise _refusal(
                table,
                number,
                "it is a delete marker with a timestamp of its own, and merges of this table "
                "combine elements: write the delete without a timestamp",
            )


def _refusal(table: str, number: int, reason: str | None) -> ConstraintError:
    return ConstraintError(
        f"cell {number} of the write to table {table!r} is refused: {reason}",
        table=table,
        cell=number,
        reason=reason,
    )
