"""Documents by several terms: what is found, for whom, and that no bin waits for another."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from lexigraph.errors import Conflict, InvalidKey, InvalidOption
from lexigraph.examples.documents import DocumentStore, Match
from lexigraph.security import ALL
from lexigraph.store import Cell, CellBatch, MemoryEngine, Mutations, ScanSpec

NEWS = {
    "d1": "The White House",
    "d2": "the house is white",
    "d3": "the red house",
    "d4": "White paint for the garden",
    "d5": "houses of the white town",
    "d6": "A white house on the hill",
}


@pytest.fixture
def news() -> DocumentStore:
    store = DocumentStore(MemoryEngine(), "news", bins=4)
    for document, body in NEWS.items():
        store.put(document, body)
    return store


def found(store: DocumentStore, *terms: str, **options: Any) -> list[str]:
    return sorted(match.document for match in store.search(terms, **options))


def test_the_white_house_is_found_in_every_bin(news: DocumentStore) -> None:
    assert found(news, "the", "white", "house") == ["d1", "d2", "d6"]
    assert len({news.bin_of(document) for document in ("d1", "d2", "d6")}) > 1


def test_a_match_has_the_body_and_the_bin(news: DocumentStore) -> None:
    assert list(news.search(["red"])) == [Match("d3", "the red house", news.bin_of("d3"))]


def test_documents_with_an_unwanted_term_are_left_out(news: DocumentStore) -> None:
    assert found(news, "the", without=["white"]) == ["d3"]
    assert found(news, "the", "white", without=["house", "town"]) == ["d4"]


def test_a_term_that_no_document_has_finds_nothing(news: DocumentStore) -> None:
    assert found(news, "white", "elephant") == []


def test_a_search_without_terms_is_refused(news: DocumentStore) -> None:
    with pytest.raises(InvalidOption, match="terms"):
        found(news, without=["white"])


def test_the_answer_is_the_same_for_any_number_of_bins() -> None:
    for bins in (1, 2, 7, 50):
        store = DocumentStore(MemoryEngine(), "news", bins=bins)
        for document, body in NEWS.items():
            store.put(document, body)
        assert found(store, "the", "white", "house") == ["d1", "d2", "d6"]


def test_an_updated_document_is_found_by_its_new_terms_only(news: DocumentStore) -> None:
    news.put("d1", "the white sea")
    assert found(news, "house") == ["d2", "d3", "d6"]
    assert found(news, "sea", "white") == ["d1"]
    assert [match.body for match in news.search(["sea"])] == ["the white sea"]


def test_an_update_leaves_no_old_cell(news: DocumentStore) -> None:
    fresh = DocumentStore(MemoryEngine(), "news", bins=4)
    for store in (news, fresh):
        store.put("d1", "sea")
    for document in NEWS.keys() - {"d1"}:
        news.delete(document)
    left, right = (
        [(cell.column, cell.value) for cell in store.table.scan(authorizations=ALL)]
        for store in (news, fresh)
    )
    assert left == right


def test_a_deleted_document_is_gone(news: DocumentStore) -> None:
    news.delete("d2")
    assert found(news, "the", "white", "house") == ["d1", "d6"]


def test_deleting_what_is_not_there_changes_nothing(news: DocumentStore) -> None:
    before = list(news.table.scan())
    news.delete("d99")
    assert list(news.table.scan()) == before


def test_the_same_holds_after_a_merge(news: DocumentStore) -> None:
    news.put("d1", "the white sea")
    news.delete("d2")
    news.table.compact()
    assert found(news, "the", "white", "house") == ["d6"]


@pytest.mark.parametrize(
    ("authorizations", "expected"),
    [([], []), (["press"], ["p1"]), (["press", "staff"], ["p1", "p2"])],
)
def test_a_document_is_found_only_by_those_who_may_read_it(
    authorizations: list[str], expected: list[str]
) -> None:
    store = DocumentStore(MemoryEngine(), "news", bins=4)
    store.put("p1", "plans of the house", visibility="press")
    store.put("p2", "plans of the garden", visibility="press&staff")
    assert found(store, "plans", authorizations=authorizations) == expected


def test_a_document_under_a_new_label_is_gone_from_the_old(news: DocumentStore) -> None:
    news.put("d1", NEWS["d1"], visibility="secret")
    assert found(news, "white", "house") == ["d2", "d6"]
    assert found(news, "white", "house", authorizations=["secret"]) == ["d1", "d2", "d6"]


@pytest.mark.parametrize("document", ["", "a\0b"])
def test_an_id_that_would_break_the_index_is_refused(news: DocumentStore, document: str) -> None:
    with pytest.raises(InvalidKey):
        news.put(document, "text")


def test_a_term_that_would_break_the_index_is_refused() -> None:
    store = DocumentStore(MemoryEngine(), "news", bins=2, terms=str.split)
    with pytest.raises(InvalidKey, match="a term"):
        store.put("d1", "white ho\0use")
    assert list(store.table.scan(authorizations=ALL)) == []


def test_authorizations_given_as_an_iterator_count_in_every_bin() -> None:
    store = DocumentStore(MemoryEngine(), "news", bins=4)
    for number in range(20):
        store.put(f"d{number}", "plans", visibility="press")
    assert len(found(store, "plans", authorizations=iter(["press"]))) == 20


def test_a_document_that_changed_meanwhile_is_a_conflict(
    news: DocumentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = news.engine.write

    def intruded(*args: Any, **options: Any) -> int:
        monkeypatch.undo()
        news.put("d1", "a green sea")
        return write(*args, **options)

    monkeypatch.setattr(news.engine, "write", intruded)
    with pytest.raises(Conflict):
        news.put("d1", "a blue sea")
    assert found(news, "green") == ["d1"]
    assert found(news, "blue") == []


class OneSlowBin(MemoryEngine):
    """An engine whose scans of one row wait for a sign."""

    def __init__(self) -> None:
        super().__init__()
        self.slow, self.sign, self.waited_in_vain = b"", Event(), False

    def scan(self, table: str, spec: ScanSpec | None = None, **options: Any) -> Iterator[CellBatch]:
        batches = super().scan(table, spec, **options)
        start = spec.ranges[0].start if spec is not None else None
        return self._late(batches) if start is not None and start.row == self.slow else batches

    def _late(self, batches: Iterator[CellBatch]) -> Iterator[CellBatch]:
        if not self.sign.wait(timeout=60):
            self.waited_in_vain = True
        yield from batches


def test_one_slow_bin_does_not_hold_back_the_others() -> None:
    engine = OneSlowBin()
    store = DocumentStore(engine, "news", bins=4)
    documents = [f"d{number}" for number in range(40)]
    for document in documents:
        store.put(document, "the white house")
    engine.slow = store.bins[0].encode()
    late = {document for document in documents if store.bin_of(document) == store.bins[0]}
    matches = store.search(["the", "white", "house"])
    early = {next(matches).document for _ in range(len(documents) - len(late))}
    assert early == set(documents) - late
    engine.sign.set()
    assert {match.document for match in matches} == late
    assert not engine.waited_in_vain


def test_whoever_stops_early_does_not_wait_for_the_slow_bin() -> None:
    engine = OneSlowBin()
    store = DocumentStore(engine, "news", bins=4)
    for number in range(40):
        store.put(f"d{number}", "the white house")
    engine.slow = store.bins[0].encode()
    matches = store.search(["white"])
    next(matches)
    matches.close()
    assert not engine.waited_in_vain
    engine.sign.set()


def test_bins_with_a_row_a_term_and_a_document_are_intersected_without_bodies() -> None:
    table = MemoryEngine().create_table("shards")
    batch = Mutations()
    for document, body in NEWS.items():
        for term in body.lower().split():
            batch.put(f"bin{int(document[1]) % 2}", term, document)
    table.write(batch)
    found = table.scan(stages=[("intersect", {"terms": ["the", "white", "house"]})])
    assert [cell.key[:3] for cell in found] == [
        (b"bin0", b"", b"d2"),
        (b"bin0", b"", b"d6"),
        (b"bin1", b"", b"d1"),
    ]
    assert all(isinstance(cell, Cell) and not cell.value for cell in found)
