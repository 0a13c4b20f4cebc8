"""Reading a row and changing it, on every engine.

Layer ``examples``. Where an engine has snapshots and transactions, several scans read one moment
and one commit changes all tables. Elsewhere, as on Accumulo, each row is read at a moment of its
own, and only one row changes at once: if the cells that were read are still there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from lexigraph import ALL, Engine, Snapshot, Table
from lexigraph.errors import Conflict, StoreError
from lexigraph.store import Condition, ConditionalMutation, Outcome

Column = tuple[bytes, bytes, bytes]
"""Family, qualifier and label."""


@contextmanager
def reading(engine: Engine) -> Iterator[Snapshot | None]:
    """Hold a snapshot for some scans; ``None`` on an engine that has no snapshots."""
    if not engine.capabilities.snapshots:
        yield None
        return
    with engine.snapshot() as snapshot:
        yield snapshot


def change_row(
    table: Table,
    row: str,
    *,
    puts: Mapping[Column, bytes],
    deletes: Iterable[Column] = (),
    seen: Mapping[Column, bytes | None],
) -> None:
    """Change one row if all columns in ``seen`` have these values; ``None`` is an absent column.

    Raise Conflict, and change nothing, if another writer was faster.
    """
    change = ConditionalMutation(
        row,
        [Condition(family, name, label, value) for (family, name, label), value in seen.items()],
    )
    for family, name, label in deletes:
        change.delete(family, name, visibility=label)
    for (family, name, label), value in puts.items():
        change.put(family, name, value, visibility=label)
    [outcome] = table.conditional_write([change], authorizations=ALL)
    if outcome is Outcome.REJECTED:
        raise Conflict(
            f"row {row!r} of table {table.name!r} was changed since it was read",
            hint="Nothing was written. Try again.",
        )
    if outcome is not Outcome.ACCEPTED:
        raise StoreError(
            f"row {row!r} of table {table.name!r} may not have been written: {outcome.value}",
            hint="Read the row to find out, and write again if it is missing.",
        )
