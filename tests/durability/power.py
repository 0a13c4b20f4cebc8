"""Power losses, simulated: the writes to a store's file are noted, and replayed in part.

What a disk promises: what was written before a flush that returned, and a write to a file opened
for synchronous writing, is there. Of all other writes each may be there, or not, or in part.
"""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which

_SOURCE = Path(__file__).with_name("power.c")
_SECTOR = 512

WRITE = """
import os, sys
from pathlib import Path
from tests.durability.batches import batch, make_tables, open_store
engine = open_store(Path(sys.argv[1]))
make_tables(engine)
marks = os.open(os.environ["POWER_MARKS"], os.O_WRONLY | os.O_CREAT)
os.write(marks, b"0")
for number in range(int(sys.argv[3])):
    engine.write(batch(number), durability=sys.argv[2])
    os.write(marks, str(number + 1).encode())
    if number % 40 == 39:
        engine.compact("cells")
engine.close()
"""


def compiler() -> str | None:
    """Return a C compiler, if there is one."""
    return which("cc") or which("gcc") or which("clang")


@dataclass(frozen=True)
class Note:
    """One thing that happened to the file: see ``power.c``."""

    kind: str
    offset: int
    data: bytes


def record(folder: Path, durability: str, batches: int) -> list[Note]:
    """Write batches in a process of its own and return what happened to the file."""
    library, store = folder / "power.so", folder / "store.lexi"
    build = [str(compiler()), "-shared", "-fPIC", "-O1", "-o", str(library), str(_SOURCE), "-ldl"]
    subprocess.run(build, check=True)
    watched = {
        "LD_PRELOAD": str(library),
        "POWER_FILE": str(store.resolve() / "data.mdb"),
        "POWER_MARKS": str(folder.resolve() / "marks"),
        "POWER_LOG": str(folder / "log"),
    }
    command = [sys.executable, "-c", WRITE, str(store), durability, str(batches)]
    subprocess.run(command, check=True, env={**os.environ, **watched})
    return list(_notes((folder / "log").read_bytes()))


def _notes(log: bytes) -> Iterator[Note]:
    place = 0
    while place < len(log):
        offset, length = struct.unpack_from("<QQ", log, place + 1)
        end = place + 17 + length
        yield Note(chr(log[place]), offset, log[place + 17 : end])
        place = end


def surviving(notes: list[Note], moment: int, chance: random.Random) -> tuple[bytes, int]:
    """Return the file as a power loss behind note ``moment`` may leave it, and the promises."""
    before = notes[:moment]
    flushed = max((place for place, note in enumerate(before) if note.kind == "f"), default=-1)
    promised = max((int(note.data) for note in before if note.kind == "m"), default=0)
    share = chance.random()
    content = bytearray()
    for place, note in enumerate(before):
        sure = place < flushed or note.kind == "s"
        if note.kind == "t":
            if sure or chance.random() < share:
                content = content[: note.offset].ljust(note.offset, b"\0")
        elif note.kind in "ws":
            data = note.data if sure else _lost(note.data, share, chance)
            end = note.offset + len(data)
            if data:
                content.extend(bytes(max(0, end - len(content))))
                content[note.offset : end] = data
    return bytes(content), promised


def _lost(data: bytes, share: float, chance: random.Random) -> bytes:
    if chance.random() < share:
        return data
    return (
        data[: chance.randrange(len(data) // _SECTOR + 1) * _SECTOR]
        if chance.random() < 0.2
        else b""
    )
