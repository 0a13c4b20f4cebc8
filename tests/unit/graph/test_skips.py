"""What was skipped, and what was stored before an add ended early."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import Full, Unreachable, ValidationError
from lexigraph.graph.write import add
from lexigraph.graph.write.rows import skips
from lexigraph.keyplan.columns import encoder
from lexigraph.layout.write.sinks import Commit


class Score(lg.Vertex, summary=True):
    id: str
    points: int = lg.sum(check=[lg.this >= 0])


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    with lg.open(":memory:" if request.param == "memory" else tmp_path / "db", [Score]) as graph:
        yield graph


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("way", ["add", "load", "dicts"])
def test_every_reason_is_counted_and_the_first_rows_are_listed(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch, way: str, *, native: bool
) -> None:
    if not native:
        monkeypatch.setattr(encoder, "find_native", lambda: None)
    monkeypatch.setattr(skips, "MAX_KEPT", 50)
    points = [-1 if at % 3 else None if at % 2 else at for at in range(600)]
    table = pa.table({"id": [str(at) for at in range(600)], "points": points})
    take: Any = graph.load if way == "load" else graph.add
    report = take(table.to_pylist() if way == "dicts" else table, group=Score, skip_invalid=True)
    assert (report.added, report.skipped_count) == (100, 500)
    assert report.reasons == {
        "points: breaks the rule points >= 0": 400,
        "points: it is missing": 100,
    }
    assert [one.number for one in report.skipped] == [at for at in range(600) if at % 6][:50]
    assert report.skipped[0].element["vertex"] == "1"
    assert graph.count() == 100


def test_mistakes_that_differ_in_the_value_alone_count_together(graph: lg.Graph) -> None:
    rows = [{"id": str(at), "points": f"many {at}"} for at in range(20)]
    report = graph.add(rows, group=Score, skip_invalid=True)
    assert list(report.reasons.values()) == [20]


def test_reasons_without_end_take_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skips, "MAX_KEPT", 3)
    taken = skips.Skips()
    for at in range(10):
        taken.add(at, {}, None, f"reason {at}")
    assert taken.reasons() == {skips.OTHER_REASONS: 7, "reason 0": 1, "reason 1": 1, "reason 2": 1}
    assert (taken.count, len(taken.kept)) == (10, 3)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
def test_a_cancelled_add_reports_what_was_stored(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    monkeypatch.setattr(add, "BATCH_ELEMENTS", 10)

    def stream() -> Iterator[Score]:
        yield from (Score(str(at), points=1) for at in range(25))
        raise stop("enough")

    with pytest.raises(stop, match="enough") as caught:
        graph.add(stream())
    report = caught.value.add_report  # type: ignore[attr-defined]
    assert (report.added, report.commits, report.in_doubt) == (20, 2, 0)
    assert graph.count() == report.added
    assert "20 elements were stored before it" in "".join(caught.value.__notes__)


def test_an_add_that_is_cancelled_while_it_writes_says_what_is_in_doubt(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(add, "BATCH_ELEMENTS", 10)
    store = Commit.write
    written = 0

    def interrupted(commit: Commit, batches: Any) -> int:
        nonlocal written
        stamp = store(commit, batches)
        written += 1
        if written == 2:
            raise KeyboardInterrupt
        return stamp

    monkeypatch.setattr(Commit, "write", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        graph.add(Score(str(at), points=1) for at in range(30))
    report = caught.value.add_report  # type: ignore[attr-defined]
    assert (report.added, report.in_doubt) == (10, 10)
    assert graph.count() == report.added + report.in_doubt
    assert "10 more were being written and may be stored" in "".join(caught.value.__notes__)


@pytest.mark.parametrize(("error", "in_doubt"), [(Full, 0), (Unreachable, 3)])
def test_only_a_cluster_leaves_a_refused_batch_in_doubt(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch, error: type[Exception], in_doubt: int
) -> None:
    def refuse(*_: Any) -> int:
        raise error("no")

    monkeypatch.setattr(Commit, "write", refuse)
    with pytest.raises(error) as caught:
        graph.add(Score(str(at), points=1) for at in range(3))
    report = caught.value.add_report  # type: ignore[attr-defined]
    assert (report.added, report.in_doubt) == (0, in_doubt)


def test_a_refused_element_has_the_report_too_and_one_hint(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(add, "BATCH_ELEMENTS", 2)
    with pytest.raises(ValidationError) as caught:
        graph.add([Score(str(at), points=2 - at) for at in range(5)])
    assert caught.value.add_report.added == 2  # type: ignore[attr-defined]
    assert "skip_invalid=True. 2 elements were stored before it." in caught.value.hint
    assert caught.value.__notes__ == [f"Hint: {caught.value.hint}"]
