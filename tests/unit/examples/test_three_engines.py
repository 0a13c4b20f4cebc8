"""The table designs run on every engine: documents, records, their labels and their conflicts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexigraph.errors import Conflict
from lexigraph.examples.documents import DocumentStore
from lexigraph.examples.row_changes import change_row
from lexigraph.examples.term_index import TERM, IndexedRecords
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine, Mutations


@pytest.fixture(
    params=["memory", "embedded", pytest.param("accumulo", marks=pytest.mark.accumulo)],
)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    made: Engine
    if request.param == "accumulo":
        from tests.accumulo.engines import fresh_engine

        made = fresh_engine()
    else:
        made = MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path / "db")
    with made:
        yield made


@pytest.fixture
def news(engine: Engine) -> DocumentStore:
    store = DocumentStore(engine, "news", bins=3)
    store.put("d1", "the white house")
    store.put("d2", "the house is white")
    store.put("d3", "the red house")
    return store


@pytest.fixture
def staff(engine: Engine) -> IndexedRecords:
    records = IndexedRecords(engine, "staff", indexed=["dept", "age"])
    records.put("e1", {"name": "Ann", "dept": "sales", "age": 9})
    records.put("e2", {"name": "Bob", "dept": "sales", "age": 10})
    return records


def found(store: DocumentStore, *terms: str, auths: tuple[str, ...] = ()) -> list[str]:
    return sorted(match.document for match in store.search(terms, authorizations=auths))


def test_documents_are_found_by_the_terms_they_have_now(news: DocumentStore) -> None:
    assert found(news, "white", "house") == ["d1", "d2"]
    assert [match.body for match in news.search(["house"], without=["white"])] == ["the red house"]
    news.put("d1", "the white sea")
    news.delete("d2")
    news.delete("nothing")
    assert (found(news, "white", "house"), found(news, "sea")) == ([], ["d1"])
    news.put("d2", "a house again")
    assert found(news, "house") == ["d2", "d3"]


def test_a_document_under_a_new_label_is_gone_from_the_old(news: DocumentStore) -> None:
    news.put("d1", "the white house", visibility="secret")
    assert found(news, "white") == ["d2"]
    assert found(news, "white", auths=("secret",)) == ["d1", "d2"]


def test_records_are_found_by_the_values_they_have_now(staff: IndexedRecords) -> None:
    assert (staff.ids("dept", "sales"), staff.ids_between("age", 10, None)) == (
        ["e1", "e2"],
        ["e2"],
    )
    staff.put("e1", {"dept": "stock"})
    staff.put("e2", {"age": 11}, visibility="secret")
    assert (staff.ids("dept", "sales"), staff.ids("dept", "stock")) == (["e2"], ["e1"])
    assert staff.ids("age", 11) == []
    assert staff.ids("age", 11, ["secret"]) == ["e2"]
    staff.put("e1", {"dept": "sales"})
    assert staff.ids("dept", "sales") == ["e1", "e2"]
    assert list(staff.fetch(["e1"], "dept", "age")) == [("e1", "age", 9), ("e1", "dept", "sales")]


def test_a_term_that_a_cut_short_write_left_in_the_index_is_not_found(
    staff: IndexedRecords, engine: Engine
) -> None:
    if engine.capabilities.transactions:
        pytest.skip("index and record change in one commit")
    staff.index.write(Mutations().put(TERM.encode("moon"), "dept", "e1"))
    assert staff.ids("dept", "moon") == []
    staff.put("e1", {"dept": "moon"})
    assert staff.ids("dept", "moon") == ["e1"]


def test_a_row_that_changed_since_it_was_read_is_a_conflict(staff: IndexedRecords) -> None:
    column = (b"dept", b"", b"")
    for seen in (None, b"something else"):
        with pytest.raises(Conflict, match="changed since"):
            change_row(staff.main, "e1", puts={column: b"x"}, seen={column: seen})
    assert staff.ids("dept", "sales") == ["e1", "e2"]
