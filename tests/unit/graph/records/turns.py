"""Several writers on one engine, one call at a time, in an order that a test chooses."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Thread, current_thread
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.security import ALL
from lexigraph.store import ScanSpec
from tests.unit.layout.observe.row_engine import RowEngine


class Died(BaseException):
    """The end of a writer: it runs nothing more, not even what it has left to clean up."""


class TurnsEngine(RowEngine):
    """An engine like a cluster, whose callers take turns; outside of ``run`` it is as any other."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = Condition()
        self._waiting: set[str] = set()
        self._turn: str | None = None
        self._left: dict[str, int | None] = {}
        """How many calls each writer has left; ``None`` is no limit."""

    def run(
        self,
        writers: dict[str, tuple[Callable[[], object], int | None]],
        choose: Callable[[int], int],
    ) -> dict[str, object]:
        """Run writers, each with the number of calls after which it dies, if it does.

        ``choose`` says which of so many writers is next. Returns what each returned or raised.
        """
        ends: dict[str, object] = {}

        def work(name: str, write: Callable[[], object]) -> None:
            try:
                ends[name] = write()
            except (Exception, Died) as error:
                ends[name] = error
            finally:
                with self._changed:
                    del self._left[name]
                    self._changed.notify_all()

        self._left = {name: dies for name, (_, dies) in writers.items()}
        threads = [
            Thread(target=work, args=(name, write), name=name)
            for name, (write, _) in writers.items()
        ]
        for one in threads:
            one.start()
        with self._changed:
            while self._left:
                self._changed.wait_for(
                    lambda: self._turn is None and self._waiting >= self._left.keys()
                )
                if self._waiting:
                    ready = sorted(self._waiting)
                    self._turn = ready[choose(len(ready)) % len(ready)]
                    self._waiting.discard(self._turn)
                    self._changed.notify_all()
        for one in threads:
            one.join()
        return ends

    def cells_of(self, part: str) -> list[Cell]:
        """Return all cells of a table of records, as the owner sees them."""
        [table] = [one for one in self.tables() if one.endswith(f".records.{part}")]
        spec = ScanSpec(authorizations=ALL)
        return [cell for batch in super().scan(table, spec) for cell in batch]

    def _step(self) -> None:
        name = current_thread().name
        with self._changed:
            if name not in self._left:
                return
            left = self._left[name]
            if left == 0:
                raise Died
            self._left[name] = None if left is None else left - 1
            self._waiting.add(name)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._turn == name)
            self._turn = None

    def scan(self, *given: Any, **options: Any) -> Any:
        """Read when its turn has come."""
        self._step()
        return super().scan(*given, **options)

    def write(self, *given: Any, **options: Any) -> int:
        """Write when its turn has come."""
        self._step()
        return super().write(*given, **options)

    def write_made(self, *given: Any, **options: Any) -> int:
        """Write when its turn has come."""
        self._step()
        return super().write_made(*given, **options)

    def conditional_write(self, *given: Any, **options: Any) -> Any:
        """Write when its turn has come."""
        self._step()
        return super().conditional_write(*given, **options)
