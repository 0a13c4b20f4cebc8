"""A row is read at one moment, whoever writes to it meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from lexigraph.store import AccumuloEngine, Mutations, TableSettings
from tests.accumulo.engines import fresh_engine

pytestmark = pytest.mark.accumulo

COLUMNS = 6000
"""Several answers of a server: a scan that was not isolated would find new values in the later."""


def test_a_row_is_never_half_old_and_half_new() -> None:
    with fresh_engine() as engine, ThreadPoolExecutor(1) as pool:
        table = engine.create_table("t", TableSettings(max_versions=1))
        write(engine, 0)
        stop = Event()
        rounds = pool.submit(write_on, engine, stop)
        try:
            seen = []
            while len(set(seen)) < 5:
                values = [cell.value for cell in table.scan()]
                assert (len(values), len(set(values))) == (COLUMNS, 1)
                seen.append(values[0])
                assert not rounds.done()
        finally:
            stop.set()
        assert rounds.result() >= 5


def write_on(engine: AccumuloEngine, stop: Event) -> int:
    """Change all columns of the row at once, again and again."""
    number = 0
    while not stop.is_set():
        number += 1
        write(engine, number)
    return number


def write(engine: AccumuloEngine, number: int) -> None:
    mutations = Mutations()
    for column in range(COLUMNS):
        mutations.put("row", "f", f"{column:05}", str(number))
    engine.write({"t": mutations})
