"""Files as rows: CSV and Parquet by their paths, read by the types of the group."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError, UsageError, ValidationError
from lexigraph.graph.write.rows import files


class Pays(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum(default=1)
    amount: float | None = lg.sum()
    note: str | None = lg.last()
    at: datetime | None = lg.max()
    flag: bool | None = lg.any_of()
    clock: time | None = lg.last()
    label: str | None = lg.visibility()


HEADER = "source,destination,day,count,amount,note,at,flag,clock,label\n"
FULL = 'a,b,2026-01-02,3,1.5,"x, ""y""\nz",2026-01-02T03:04:05+01:00,true,12:30:00,p\n'
Take = Callable[..., Any]


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    where = ":memory:" if request.param == "memory" else tmp_path / "db"
    with lg.open(where, [Pays], authorizations=lg.ALL) as graph:
        yield graph


@pytest.fixture(params=["add", "load"])
def take(request: pytest.FixtureRequest, graph: lg.Graph) -> Take:
    return getattr(graph, request.param)  # type: ignore[no-any-return]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_csv_file_is_read_by_the_types_of_the_group(
    graph: lg.Graph, take: Take, tmp_path: Path
) -> None:
    path = write(tmp_path / "pay.csv", HEADER + FULL + 'c,d, 2026-01-03 ,,,"",,,,\n')
    assert take(path, group=Pays).added == 2
    full, bare = sorted(graph.all(Pays), key=lambda one: one.source)
    assert full == Pays(
        "a",
        "b",
        day=date(2026, 1, 2),
        count=3,
        amount=1.5,
        note='x, "y"\nz',
        at=datetime(2026, 1, 2, 2, 4, 5, tzinfo=UTC),
        flag=True,
        clock=time(12, 30),
        label="p",
    )
    # Nothing between the commas is missing, and quoted nothing is an empty text.
    assert (bare.amount, bare.at, bare.label, bare.note) == (None, None, None, "")


@pytest.mark.parametrize("text", [True, False])
def test_a_path_may_be_text_and_a_csv_file_packed(
    graph: lg.Graph, take: Take, tmp_path: Path, *, text: bool
) -> None:
    path = tmp_path / "pay.CSV.gz"
    path.write_bytes(gzip.compress((HEADER + FULL).encode()))
    assert take(str(path) if text else path).added == 1
    assert graph.count() == 1


def test_a_parquet_file_and_a_lazy_frame_are_read(
    graph: lg.Graph, take: Take, tmp_path: Path
) -> None:
    rows = {"source": ["a", "b"], "destination": ["b", "c"], "day": [date(2026, 1, 2)] * 2}
    table = pa.table(rows)
    pq.write_table(table, tmp_path / "pay.parquet")
    assert take(tmp_path / "pay.parquet", group=Pays).added == 2
    lazy = pl.scan_parquet(tmp_path / "pay.parquet").filter(pl.col("source") == "a")
    assert take(lazy, group=Pays).added == 1
    counts = {one.source: one.count for one in graph.all(Pays)}
    assert counts == {"a": 2, "b": 1}
    with pytest.raises(UsageError, match="LazyFrame cannot be collected"):
        take(lazy.select("nowhere"), group=Pays)


def test_files_are_read_in_pieces(
    graph: lg.Graph, take: Take, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_BLOCK_BYTES", 1000)
    lines = [f"a{at},b,2026-01-02\n" for at in range(500)]
    path = write(tmp_path / "pay.csv", "source,destination,day\n" + "".join(lines))
    sizes = [len(one) for one in files.iter_file(path, files.RowNumbers(None))]
    assert len(sizes) > 5
    assert sum(sizes) == 500
    assert take(path, group=Pays).added == 500
    assert graph.count() == 500


def test_a_load_takes_many_files_and_frames(graph: lg.Graph, tmp_path: Path) -> None:
    one = write(tmp_path / "one.csv", "source,destination,day\na,b,2026-01-02\n")
    frame = pl.DataFrame({"source": ["c"], "destination": ["d"], "day": [date(2026, 1, 2)]})
    assert graph.load([one, frame, str(one)], group=Pays).added == 3
    bad = write(tmp_path / "two.csv", "source,destination,day\na,b,2026-01-02\na,b,soon\n")
    with pytest.raises(ValidationError, match=r"element 3.*column 'day': it is not a date.*'soon'"):
        graph.load([one, frame, bad], group=Pays)
    assert graph.count() == 2


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("count", "3.5", "not a whole number: '3.5'"),
        ("count", str(2**63), "not a whole number of 64 bits"),
        ("amount", "much", "not a number: 'much'"),
        ("day", "2026-02-30", "not a date"),
        ("day", "2026-01-02T01:00:00", "truncate_to_date=True"),
        ("at", "2026-01-02 01:00:00", "assume_timezone="),
        ("at", "yesterday", "not a time"),
        ("flag", "maybe", "not true or false"),
        ("clock", "25:00:00", "not a time of day"),
        ("source", "", "missing"),
        ("label", "p&", "term is missing"),
    ],
)
def test_what_a_field_of_a_file_cannot_be_is_said(
    graph: lg.Graph, take: Take, tmp_path: Path, name: str, value: str, words: str
) -> None:
    names = HEADER.strip().split(",")
    good = ["a", "b", "2026-01-02", *[""] * 7]
    bad = [value if one == name else held for one, held in zip(names, good, strict=True)]
    lines = "".join(",".join(line) + "\n" for line in (good, bad, good, bad))
    path = write(tmp_path / "pay.csv", HEADER + lines)
    with pytest.raises(ValidationError, match=words) as caught:
        take(path, group=Pays)
    assert (caught.value.element, caught.value.property) == (1, name)
    assert "skip_invalid=True" in caught.value.hint
    assert graph.count() == 0
    report = take(path, group=Pays, skip_invalid=True)
    assert (report.added, report.skipped_count) == (2, 2)
    assert [(one.number, one.property) for one in report.skipped] == [(1, name), (3, name)]
    assert list(report.reasons.values()) == [2]


def test_the_first_row_that_does_not_fit_is_the_one_named(take: Take, tmp_path: Path) -> None:
    lines = ["a,b,2026-01-02,1,x", "a,b,,1,x", "a,b,soon,1,x"]
    text = "source,destination,day,count,note\n" + "\n".join(lines) + "\n"
    with pytest.raises(ValidationError, match=r"element 1.*'day'.*missing"):
        take(write(tmp_path / "pay.csv", text), group=Pays)


def test_lines_of_another_length_are_errors_or_skipped_and_counted(
    graph: lg.Graph, take: Take, tmp_path: Path
) -> None:
    lines = ["a,b,2026-01-02", "a,b", "a,b,soon", "a,b,2026-01-02,7", "c,d,2026-01-02", "c,,x"]
    path = write(tmp_path / "pay.csv", "source,destination,day\n" + "\n".join(lines) + "\n")
    with pytest.raises(UsageError, match=r"Row #3: Expected 3 columns, got 2"):
        take(path, group=Pays)
    report = take(path, group=Pays, skip_invalid=True)
    assert (report.added, report.skipped_count) == (2, 4)
    assert sorted(one.number for one in report.skipped) == [1, 2, 3, 5]
    assert report.reasons["the line has 2 fields, the header 3"] == 1
    assert graph.count() == 2


def test_what_is_no_file_that_can_be_read_is_said(take: Take, tmp_path: Path) -> None:
    for given, words in [
        (tmp_path / "none.csv", "there is no file"),
        ("none", "there is no file 'none'"),
        ("\0", "there is no file"),
        (tmp_path, "is not a file"),
        (write(tmp_path / "pay.json", "{}"), "does not say its format"),
        (write(tmp_path / "empty.csv", ""), "is empty"),
        (write(tmp_path / "pay.parquet", "x"), "cannot be read"),
        (write(tmp_path / "semi.csv", "source;destination;day\na;b;c\n"), "separated by commas"),
        (write(tmp_path / "twice.csv", "source,source\na,b\n"), "two columns called 'source'"),
    ]:
        with pytest.raises(UsageError, match=words) as caught:
            take(given, group=Pays)
    (tmp_path / "latin.csv").write_bytes(HEADER.encode() + FULL.replace("x", "é").encode("latin-1"))
    with pytest.raises(UsageError, match="cannot be read"):
        take(tmp_path / "latin.csv", group=Pays)
    with pytest.raises(UsageError, match="format") as caught:
        take(tmp_path / "pay.json", group=Pays)
    assert ".csv" in caught.value.hint
    assert ".parquet" in caught.value.hint


def test_types_that_text_is_not_read_into_are_named(tmp_path: Path) -> None:
    class Thing(lg.Vertex, summary=True):
        id: str
        place: lg.GeoPoint | None = lg.last()

    path = write(tmp_path / "things.csv", "id,place\na,1 2\n")
    with lg.open(":memory:", [Thing]) as graph, pytest.raises(UnsupportedError, match="'place'"):
        graph.add(path, group=Thing)
