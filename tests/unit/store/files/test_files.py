"""Every place for files keeps whole files under their names, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from lexigraph.errors import InvalidOption, StoreError
from lexigraph.store.files.local import LocalFiles
from lexigraph.store.files.memory import MemoryFiles
from lexigraph.store.files.remote import RemoteFiles
from lexigraph.store.files.spi import Files


@pytest.fixture(params=["memory", "local", "remote"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    made: dict[str, Files] = {
        "memory": MemoryFiles(),
        "local": LocalFiles(tmp_path / "home"),
        "remote": RemoteFiles(f"memory://{uuid4().hex}"),
    }
    return made[request.param]


def read(files: Files, folder: str, name: str) -> bytes | None:
    file = files.open(folder, name)
    if file is None:
        return None
    with file:
        return bytes(file.read())


def failing() -> Iterator[bytes]:
    yield b"half"
    raise ZeroDivisionError


def test_files_are_kept_by_folder_and_name(files: Files) -> None:
    assert files.put("f", "a", [b"12", b"", b"3"]) == 3
    assert files.put("g", "a", []) == 0
    assert (read(files, "f", "a"), read(files, "g", "a")) == (b"123", b"")
    assert (files.size("f", "a"), files.size("f", "b"), read(files, "f", "b")) == (3, None, None)
    [one] = files.found("f")
    assert (one.name, one.size, one.age_s < 60) == ("a", 3, True)
    files.delete("f", "a")
    files.delete("f", "a")
    assert list(files.found("f")) == []
    files.drop("g")
    files.drop("nowhere")
    assert read(files, "g", "a") is None


def test_a_file_that_fails_half_way_is_not_there(files: Files) -> None:
    with pytest.raises(ZeroDivisionError):
        files.put("f", "a", failing())
    assert files.size("f", "a") is None


def test_a_part_that_a_crash_left_is_found_and_deleted(tmp_path: Path) -> None:
    files = LocalFiles(tmp_path)
    files.put("f", "a", [b"1"])
    part = tmp_path / "f" / "b.part"
    part.write_bytes(b"half")
    os.utime(part, (0, 0))
    assert files.open("f", "b") is None
    assert {one.name: one.age_s > 1e6 for one in files.found("f")} == {"a": False, "b": True}
    files.delete("f", "b")
    assert [one.name for one in files.found("f")] == ["a"]


def test_a_name_is_used_once(tmp_path: Path) -> None:
    files = LocalFiles(tmp_path)
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "a.part").write_bytes(b"of another")
    with pytest.raises(StoreError, match="could not be written"):
        files.put("f", "a", [b"1"])


def test_linked_files_outlive_their_names(tmp_path: Path) -> None:
    files = LocalFiles(tmp_path / "home")
    files.put("f", "a", [b"1"])
    with files.linked() as linked:
        files.delete("f", "a")
        files.put("f", "b", [b"2"])
        assert linked.copy_to(tmp_path / "copy") + files.copy_to(tmp_path / "copy") == 2
    copy = LocalFiles(tmp_path / "copy")
    assert (read(copy, "f", "a"), read(copy, "f", "b")) == (b"1", b"2")
    assert [one.name for one in (tmp_path / "home").iterdir()] == ["f"]


def test_a_scheme_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InvalidOption, match="Protocol not known"):
        RemoteFiles("nosuch://x")
