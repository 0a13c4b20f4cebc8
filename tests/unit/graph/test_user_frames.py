"""What a new user's frames and files have wrong as a whole: columns, types of columns, encoding."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UsageError, ValidationError
from lexigraph.graph.write.rows import text

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")

DAY = date(2026, 1, 31)


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum()
    note: str | None = lg.last()
    weight: float = lg.sum(default=1.0)


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum()


@pytest.fixture(params=["add", "load"])
def store(request: pytest.FixtureRequest) -> Any:
    graph = lg.open(":memory:", [Calls, Person])
    return getattr(graph, request.param)


def frame(**columns: Any) -> Any:
    held = {"source": ["a", "b"], "destination": ["x", "y"], "day": [DAY, DAY], "count": [1, 2]}
    found = {name: one for name, one in (held | columns).items() if one is not None}
    return pandas.DataFrame(found)


def test_a_missing_column_is_one_error_of_the_frame(store: Any) -> None:
    assert store(frame(), group=Calls).added == 2
    for skip in (False, True):
        with pytest.raises(UsageError, match="no column for 'count' of 'Calls'") as raised:
            store(frame(count=None), group=Calls, skip_invalid=skip)
        assert "skip_invalid" not in raised.value.hint


def test_whole_numbers_with_gaps_name_the_type_that_holds_them(store: Any) -> None:
    gaps = frame(count=[1, None])
    with pytest.raises(UsageError, match="column 'count' holds floats") as raised:
        store(gaps, group=Calls)
    assert "frame.astype({'count': \"Int64\"})" in raised.value.hint
    store(gaps.astype({"count": "Int64"}), group=Calls, skip_invalid=True)


def test_dates_as_text_say_how_to_convert_them(store: Any) -> None:
    given = frame(day=["2026-01-31", "2026-02-01"])
    with pytest.raises(UsageError, match="column 'day' holds text") as raised:
        store(given, group=Calls)
    assert "pandas.to_datetime(frame['day']).dt.date" in raised.value.hint
    given["day"] = pandas.to_datetime(given["day"]).dt.date
    assert store(given, group=Calls).added == 2


def test_fields_are_called_as_the_class_calls_them(store: Any) -> None:
    with pytest.raises(UsageError, match="'user' is not a field") as raised:
        store(pandas.DataFrame({"user": ["a"], "seen": [1]}), group=Person)
    assert "Its fields are: id, seen." in raised.value.hint
    assert "No column fills: id." in raised.value.hint
    assert "vertex" not in raised.value.hint
    with pytest.raises(UsageError, match="no column for 'id' of 'Person'"):
        store(pandas.DataFrame({"seen": [1]}), group=Person)
    assert store(pandas.DataFrame({"vertex": ["a"], "seen": [1]}), group=Person).added == 1


def test_a_file_that_is_not_utf_8_says_so(store: Any, tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"
    path.write_bytes("source,destination,day,count\nzoë,b,2026-01-31,1\n".encode("latin-1"))
    with pytest.raises(UsageError, match="cannot be read") as raised:
        store(path, group=Calls)
    assert 'encoding="latin1"' in raised.value.hint


def test_a_number_that_is_none_is_refused_without_its_width(store: Any, tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"
    for wrong, told in (('"1,000"', "a whole number: "), (str(2**63), "a whole number of 64 bits")):
        path.write_text(f"source,destination,day,count\na,b,2026-01-31,{wrong}\n")
        with pytest.raises(ValidationError, match=told):
            store(path, group=Calls)


def test_the_first_wrong_row_is_explained_and_no_other(
    store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(text, "show", lambda value: shown.append(value) or repr(value))
    path = tmp_path / "calls.csv"
    rows = "".join(f"a{number},b,31.01.2026,1\n" for number in range(1000))
    path.write_text(f"source,destination,day,count\n{rows}")
    with pytest.raises(ValidationError, match="element 0"):
        store(path, group=Calls)
    assert len(shown) == 1
    assert store(path, group=Calls, skip_invalid=True).skipped_count == 1000
