"""Opening a directory: what is there, what is refused, and what outlives a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lexigraph.errors import (
    Closed,
    InvalidOption,
    LexigraphError,
    NotGranted,
    ReadOnly,
    StoreError,
    UnsupportedError,
)
from lexigraph.store import EmbeddedEngine, Mutations, TableSettings
from tests.unit.test_import import WITHOUT_NATIVE, run_python


def test_what_was_written_is_there_when_the_directory_is_opened_again(tmp_path: Path) -> None:
    settings = TableSettings(max_versions=3, splits=[b"m"], locality_groups={"one": [b"f"]})
    with EmbeddedEngine(tmp_path / "store") as engine:
        engine.create_table("t", settings).put("r", "f", value="1", timestamp=7)
        before = list(engine.table("t").scan())
    with EmbeddedEngine(tmp_path / "store") as engine:
        assert engine.tables() == ["t"]
        assert engine.settings("t") == settings
        assert list(engine.table("t").scan()) == before


@pytest.mark.parametrize("durability", ["sync", "relaxed", "buffered"])
def test_every_durability_keeps_what_was_written_before_closing(
    tmp_path: Path, durability: str
) -> None:
    with EmbeddedEngine(tmp_path, durability=durability) as engine:
        table = engine.create_table("t")
        for number in range(5):
            table.put(str(number))
    with EmbeddedEngine(tmp_path) as engine:
        assert len(list(engine.table("t").scan())) == 5


def test_another_process_sees_a_commit_when_it_returns(tmp_path: Path) -> None:
    code = (
        "import sys; from lexigraph.store import EmbeddedEngine\n"
        f"engine = EmbeddedEngine({str(tmp_path)!r}, read_only=True)\n"
        "print(len(list(engine.table('t').scan())))"
    )
    with EmbeddedEngine(tmp_path) as engine:
        engine.create_table("t").put("a")
        assert run_python(code).strip() == "1"
        engine.table("t").write(Mutations().put("b"), durability="buffered")
        assert run_python(code).strip() == "1"
        engine.flush()
        assert run_python(code).strip() == "2"


def test_a_directory_that_is_not_there_is_made_only_when_asked(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        EmbeddedEngine(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()
    EmbeddedEngine(tmp_path / "some").close()
    assert (tmp_path / "some").is_dir()


def test_a_read_only_engine_reads_and_refuses_to_write(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        engine.create_table("t").put("a")
    with EmbeddedEngine(tmp_path, read_only=True) as engine:
        assert len(list(engine.table("t").scan())) == 1
        for call in (
            lambda: engine.table("t").put("b"),
            lambda: engine.create_table("u"),
            lambda: engine.compact("t"),
            lambda: engine.load("t", Mutations().put("b")),
        ):
            with pytest.raises(ReadOnly):
                call()
        assert "read-only" in repr(engine)


def test_one_directory_can_be_opened_twice_in_a_process(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as first, EmbeddedEngine(tmp_path) as second:
        first.create_table("t").put("a")
        second.table("t").put("b")
        assert len(list(first.table("t").scan())) == 2


@pytest.mark.parametrize(
    "options",
    [
        {"durability": "log"},
        {"durability": "forever"},
        {"lock_timeout_s": -1},
        {"lock_timeout_s": "soon"},
        {"max_snapshot_age_s": float("nan")},
        {"map_size_bytes": 0},
        {"threads": -1},
        {"threads": 0},
        {"threads": 100_000},
        {"threads": True},
        {"read_only": "no"},
        {"create": "no"},
        {"force": 1},
        {"cut_every": 0},
        {"clock": 5},
    ],
)
def test_options_out_of_bounds_are_refused(tmp_path: Path, options: dict[str, object]) -> None:
    with pytest.raises(LexigraphError):
        EmbeddedEngine(tmp_path, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["", None, 5])
def test_what_is_no_path_is_refused(path: object) -> None:
    with pytest.raises(InvalidOption):
        EmbeddedEngine(path)  # type: ignore[arg-type]


def test_a_durability_of_another_engine_is_refused_by_a_write(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        table = engine.create_table("t", TableSettings(durability="log"))
        table.put("a")
        with pytest.raises(InvalidOption, match="buffered, relaxed, sync"):
            table.write(Mutations().put("b"), durability="log")


def test_grants_hold_for_readers_and_writers(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path, grants=["A"]) as engine:
        table = engine.create_table("t")
        table.put("a", visibility="B")
        with pytest.raises(NotGranted):
            table.scan(authorizations=["B"])


def test_labels_are_not_told_to_those_with_grants(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as owner, EmbeddedEngine(tmp_path, grants=["A"]) as granted:
        owner.create_table("t").put("a", visibility="SECRET")
        assert owner.labels("t") == [b"SECRET"]
        assert granted.stats("t").labels is None
        with pytest.raises(NotGranted):
            granted.labels("t")
        with pytest.raises(NotGranted):
            granted.stats("t", count_labels=True)


def test_an_engine_shows_its_directory(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path)
    assert repr(engine) == f"EmbeddedEngine({str(tmp_path)!r})"
    engine.close()
    assert "closed" in repr(engine)
    with pytest.raises(Closed):
        engine.verify()


def test_without_the_native_module_the_package_says_what_is_missing(tmp_path: Path) -> None:
    code = f"""{WITHOUT_NATIVE}
from lexigraph.store import EmbeddedEngine, MemoryEngine
from lexigraph.errors import UnsupportedError
MemoryEngine().create_table("t").put("a")
try:
    EmbeddedEngine({str(tmp_path / "store")!r})
except UnsupportedError as error:
    print(error, error.hint)
"""
    said = run_python(code)
    assert "lexigraph._native" in said
    assert "make setup" in said
    assert not (tmp_path / "store").exists()


def test_after_a_fork_an_engine_must_be_opened_again(tmp_path: Path) -> None:
    code = f"""
import os, sys
from lexigraph.store import EmbeddedEngine
from lexigraph.errors import LexigraphError
engine = EmbeddedEngine({str(tmp_path)!r})
engine.create_table("t").put("a")
child = os.fork()
if child == 0:
    try:
        list(engine.table("t").scan())
    except LexigraphError as error:
        print(type(error).__name__, error, flush=True)
    engine.close()
    again = EmbeddedEngine({str(tmp_path)!r})
    print(len(list(again.table("t").scan())), flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(len(list(engine.table("t").scan())))
"""
    first, second, third = run_python(code).splitlines()
    assert "fork" in first
    assert (second, third) == ("1", "1")


def test_a_stage_that_only_python_knows_cannot_stand_in_merges(tmp_path: Path) -> None:
    behind = [("regex", {"row": "(?=a)a"})]
    with EmbeddedEngine(tmp_path) as engine:
        with pytest.raises(UnsupportedError, match="regex"):
            engine.create_table("t", TableSettings(merge_stages=behind))
        table = engine.create_table("t", TableSettings(scan_stages=behind))
        table.put("a")
        table.put("b")
        assert [cell.row for cell in table.scan()] == [b"a"]
        assert [cell.row for cell in table.row("a")] == [b"a"]
        assert [place.in_engine for place in engine.placement("t")] == [True, False]


def test_a_directory_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "data.mdb").write_bytes(os.urandom(8192))
    before = (tmp_path / "data.mdb").read_bytes()
    with pytest.raises(LexigraphError):
        EmbeddedEngine(tmp_path)
    assert (tmp_path / "data.mdb").read_bytes() == before


def test_checking_a_directory_that_is_not_there_says_so(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "lexigraph.store.embedded.verify", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "StoreError" in ran.stdout
    assert "there is no store" in ran.stdout
