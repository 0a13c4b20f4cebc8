"""Which engine a path names: memory, a directory or a cluster.

Layer ``store``. A directory is made only if the caller may create; a mistyped path that is opened
for reading leaves nothing behind.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

from lexigraph.errors import GraphNotFound, InvalidOption, UsageError, nearest, show
from lexigraph.store.memory.engine import MemoryEngine
from lexigraph.store.spi import Engine

MEMORY = ":memory:"
CLUSTER = "accumulo://"
PROPERTIES = ".properties"

# More than one letter: a single one is a drive.
_SCHEME = re.compile(r"[A-Za-z]{2,}:")
_PATHS = f"{MEMORY!r}, '{CLUSTER}zk1:2181/instance', a file '*{PROPERTIES}', or a directory"


def open_engine(
    path: str | os.PathLike[str] | Engine,
    options: dict[str, Any],
    *,
    read_only: bool,
    before_making: Callable[[], object] | None = None,
    known: Sequence[str] = (),
) -> Engine:
    """Return the engine that a path names; an open engine is returned as it is.

    ``before_making`` is called before a directory is made, and may refuse it by raising; ``None``
    if nothing may be made. ``known`` are options of the caller's own, which errors list beside
    those of the engine.
    """
    if isinstance(path, Engine):
        if options:
            raise UsageError(
                f"an open engine takes no options: {', '.join(options)}",
                hint="Pass them where the engine is opened.",
            )
        return path
    if path == MEMORY:
        _check_options(MemoryEngine, options, known)
        return MemoryEngine(**options)
    named = _read_path(path)
    if is_cluster(named):
        return _open_cluster(path, options, known)
    _check_directory(named)
    if os.path.isfile(named):
        raise UsageError(
            f"{named!r} is a file, and a graph is a directory",
            hint=_file_hint(named),
        )
    # Of ``os``: a ``Path`` raises OSError if the name is too long for a file.
    if not os.path.exists(named):
        if before_making is None:
            raise GraphNotFound(
                f"there is no graph at {named!r}",
                hint="Check the path; to create a graph there, open it with create=True, and with "
                "a schema or without strict=True.",
            )
        before_making()
    from lexigraph.store.embedded.engine import EmbeddedEngine

    _check_options(EmbeddedEngine, options, known)
    return EmbeddedEngine(path, create=before_making is not None, read_only=read_only, **options)


def _file_hint(named: str) -> str:
    directory, name = os.path.split(named)
    if name in ("data.mdb", "lock.mdb", "lexigraph.store"):
        return f"Open the directory of the file: lexigraph.open({directory or '.'!r})."
    return (
        "Open a directory, which is made if it is not there. To load a file into a graph, use "
        f"graph.load({show(named)}, group=...)."
    )


def is_cluster(named: str) -> bool:
    """Return whether a path names a cluster: a URL, or a properties file that is there."""
    return named.startswith(CLUSTER) or (named.endswith(PROPERTIES) and os.path.isfile(named))


def _open_cluster(
    path: str | os.PathLike[str], options: dict[str, Any], known: Sequence[str]
) -> Engine:
    from lexigraph.store.accumulo.properties import read_mock

    preferences = read_mock(path)
    if preferences is not None:
        _check_options(MemoryEngine, options, known)
        engine = MemoryEngine(**options)
        engine.preferences = preferences
        return engine
    from lexigraph.store.accumulo.engine import AccumuloEngine

    _check_options(AccumuloEngine, options, known)
    return AccumuloEngine(path, **options)


def _read_path(path: Any) -> str:
    named = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(named, str) or not named:
        raise InvalidOption(
            f"a graph is opened by a path, not {type(path).__name__}: {show(path)}",
            hint=f"Pass {_PATHS}.",
        )
    return named


def _check_directory(named: str) -> None:
    # A mistyped URL would otherwise become a directory of that name, with the data in it.
    scheme = _SCHEME.match(named)
    if scheme is not None:
        raise InvalidOption(
            f"{show(named)} starts with {scheme[0]!r}, which does not name an engine",
            hint=f"Pass {_PATHS}. Name a directory with a colon in its name by its whole path.",
        )
    if named.endswith(PROPERTIES) and not os.path.exists(named):
        raise GraphNotFound(
            f"there is no properties file {show(named)}",
            hint="Check the path; 'lexigraph cluster status' prints that of a local cluster.",
        )


def _check_options(engine: type[Engine], options: dict[str, Any], known: Sequence[str]) -> None:
    own = [
        one.name for one in signature(engine).parameters.values() if one.kind is one.KEYWORD_ONLY
    ]
    names = list(dict.fromkeys([*known, *own]))
    for name in options:
        if name not in names:
            raise InvalidOption(
                f"{name!r} is not an option of a graph or of {engine.__name__}",
                near=nearest(name, names),
                hint=f"Options: {', '.join(names)}.",
            )
