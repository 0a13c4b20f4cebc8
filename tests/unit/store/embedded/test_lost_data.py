"""A directory whose data is gone is damaged, not new; one with other files stays what it is."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, rmtree

import pytest

import lexigraph as lg
from lexigraph.errors import Corruption, LexigraphError, StoreError, UsageError
from lexigraph.store import EmbeddedEngine
from lexigraph.store.embedded.admin import verify_directory

MARKER = "lexigraph.store"


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum()


def empty_file(path: Path) -> None:
    (path / "data.mdb").write_bytes(b"")


def no_file(path: Path) -> None:
    (path / "data.mdb").unlink()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A directory with a graph in it."""
    with lg.open(tmp_path / "store", [Person]) as graph:
        graph.add(Person(f"p{number}", seen=1) for number in range(2000))
    return tmp_path / "store"


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("lose", [empty_file, no_file])
def test_lost_data_is_corruption_however_it_is_opened(
    store: Path, lose: Callable[[Path], None], *, is_old: bool
) -> None:
    lose(store)
    if is_old:
        (store / MARKER).unlink()
    before = sorted(one.name for one in store.iterdir())
    for opens in (
        lambda: lg.open(store, [Person]),
        lambda: lg.open(store),
        lambda: lg.open(store, read_only=True),
        lambda: lg.graphs(store),
        lambda: EmbeddedEngine(store),
        lambda: EmbeddedEngine(store, create=False),
        lambda: verify_directory(store),
    ):
        with pytest.raises(Corruption, match=r"data\.mdb is (empty|missing)"):
            opens()
    assert sorted(one.name for one in store.iterdir()) == before


def test_a_file_cut_short_is_corruption_or_has_all_of_its_data(store: Path) -> None:
    whole = (store / "data.mdb").read_bytes()
    found = 0
    for length in {1, 100, 4096, 8192, len(whole) // 2, len(whole) - 4096, len(whole) - 1}:
        (store / "data.mdb").write_bytes(whole[:length])
        try:
            with lg.open(store, [Person]) as graph:
                assert graph.count() == 2000, length
        except Corruption:
            found += 1
    assert found >= 5


def test_a_store_of_before_the_marker_gets_it_when_it_is_written(store: Path) -> None:
    (store / MARKER).unlink()
    with lg.open(store, read_only=True) as graph:
        assert graph.count() == 2000
    assert not (store / MARKER).exists()
    with lg.open(store) as graph:
        assert graph.count() == 2000
    assert (store / MARKER).exists()


def test_a_backup_is_marked_and_can_replace_what_is_lost(store: Path, tmp_path: Path) -> None:
    with lg.open(store) as graph:
        graph.admin.backup(tmp_path / "copy")
    (store / "data.mdb").write_bytes((tmp_path / "copy" / "data.mdb").read_bytes())
    for path in (store, tmp_path / "copy"):
        with lg.open(path, [Person]) as graph:
            assert graph.count() == 2000
    no_file(tmp_path / "copy")
    with pytest.raises(Corruption):
        lg.open(tmp_path / "copy", [Person])


def test_a_copied_directory_is_opened(store: Path, tmp_path: Path) -> None:
    copytree(store, tmp_path / "copy")
    with lg.open(tmp_path / "copy", [Person]) as graph:
        assert graph.count() == 2000


CREATE = """
import sys
from itertools import count
from lexigraph.store import EmbeddedEngine
EmbeddedEngine(sys.argv[1] + "/warm").close()
print("going", flush=True)
for number in count():
    EmbeddedEngine(f"{sys.argv[1]}/{number}").close()
"""


def test_a_process_that_is_killed_while_it_creates_leaves_room_for_another(tmp_path: Path) -> None:
    for delay in range(8):
        home = tmp_path / str(delay)
        home.mkdir()
        command = [sys.executable, "-c", CREATE, str(home)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"going\n"
            time.sleep(0.003 * delay)
            child.kill()
        for path in home.iterdir():
            with lg.open(path, [Person]) as graph:
                graph.add([Person("ann", seen=1)])
            with lg.open(path) as graph:
                assert graph.count() == 1
                graph.admin.verify()
        rmtree(home)


@pytest.mark.parametrize("names", [["guard.lock"], ["guard.lock", "lock.mdb", "data.mdb"], []])
def test_a_creation_that_was_cut_short_is_done_again(tmp_path: Path, names: list[str]) -> None:
    store = tmp_path / "store"
    store.mkdir()
    for name in (MARKER, *names):
        (store / name).write_bytes(b"")
    with pytest.raises(StoreError, match="there is no store"):
        EmbeddedEngine(store, create=False)
    with lg.open(store, [Person]) as graph:
        graph.add([Person("ann", seen=1)])
    no_file(store)
    with pytest.raises(Corruption):
        lg.open(store, [Person])


def test_a_directory_with_other_files_does_not_become_a_store(tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / f"photo{number}.jpg").write_bytes(b"")
    for opens in (lambda: lg.open(tmp_path, [Person]), lambda: EmbeddedEngine(tmp_path)):
        with pytest.raises(UsageError) as refused:
            opens()
        assert "photo0.jpg, photo1.jpg" in str(refused.value)
        assert "and 2 more" in str(refused.value)
    with pytest.raises(LexigraphError):
        lg.open(tmp_path)
    assert len(list(tmp_path.iterdir())) == 7


def test_an_empty_directory_becomes_a_store_and_may_get_other_files_later(tmp_path: Path) -> None:
    lg.open(tmp_path, [Person]).close()
    (tmp_path / "notes.txt").write_text("mine")
    with lg.open(tmp_path, [Person]) as graph:
        assert graph.count() == 0
