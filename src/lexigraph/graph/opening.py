"""Opening a graph: in memory, in a directory or on a cluster, made where new, never by mistake.

Layer ``graph``. A path is made only together with a graph, and a graph only with a schema; a
mistyped path that is opened for reading leaves nothing behind.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from inspect import signature
from pathlib import Path
from typing import Any

from lexigraph.errors import GraphNotFound, InvalidOption, UsageError, nearest, show
from lexigraph.graph.access import Access
from lexigraph.graph.graph import Graph
from lexigraph.graph.making import find_or_make
from lexigraph.graph.stored import StoredGraph
from lexigraph.layout import Layout
from lexigraph.schema import ClassElement, Schema, merge_stored, schema_of
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store import Engine, MemoryEngine

MEMORY = ":memory:"
CLUSTER = "accumulo://"
PROPERTIES = ".properties"

# More than one letter: a single one is a drive.
_SCHEME = re.compile(r"[A-Za-z]{2,}:")


def open(  # noqa: A001 - what people call it
    path: str | os.PathLike[str] | Engine = MEMORY,
    schema: Any = None,
    *,
    name: str = "graph",
    authorizations: Iterable[str | bytes] | All = (),
    grants: Iterable[str | bytes] | All = ALL,
    create: bool = True,
    read_only: bool = False,
    layout: Layout | str | None = None,
    **engine_options: Any,
) -> Graph:
    """Open a graph of a directory, or make it; ``":memory:"`` keeps nothing.

    A cluster is ``accumulo://zk1:2181/instance``, or a file ``*.properties`` that names one.
    ``schema`` is a list of classes or a schema; a new graph needs one, an old one checks it: it may
    bring new groups and properties, and where it disagrees it is a SchemaError. ``authorizations``
    are what the bare graph sees, ``grants`` what any session may ask for. Other options are the
    engine's, which may also be given in place of a path.

    >>> from lexigraph.schema import Edge, declare
    >>> class Calls(Edge, summary=True):
    ...     source: str
    ...     destination: str
    ...     count: int = declare.sum()
    >>> with open(":memory:", [Calls]) as graph:
    ...     _ = graph.add([Calls("ann", "bob", count=1), Calls("ann", "bob", count=2)])
    ...     graph.get("ann").to_list()
    [Calls('ann', 'bob', count=3)]
    """
    wanted = None if schema is None else schema_of(schema)
    makes = create and not read_only and wanted is not None
    new = wanted if makes else None
    engine = _engine(path, new, read_only=read_only, options=engine_options)
    owned = engine is not path
    layout = engine.preferences.layout if layout is None else layout
    try:
        stored = _stored(engine, name, wanted, layout, makes=makes, read_only=read_only)
        granted = grants if isinstance(grants, All) else Authorizations(grants)
        access = Access(stored, _classes(schema), granted)
        return Graph(access, authorizations, read_only=read_only, owns_engine=owned)
    except BaseException:
        if owned:
            engine.close()
        raise


def _stored(
    engine: Engine,
    name: str,
    schema: Schema | None,
    layout: Layout | str | None,
    *,
    makes: bool,
    read_only: bool,
) -> StoredGraph:
    found = None
    if schema is not None and not read_only:
        found = find_or_make(engine, name, schema, layout, makes=makes)
    elif name in StoredGraph.names(engine):
        found = StoredGraph.attach(engine, name, schema, layout, read_only=read_only)
    if found is None:
        raise _not_found(name, engine, has_schema=schema is not None)
    return found


def _engine(
    path: str | os.PathLike[str] | Engine,
    new: Schema | None,
    *,
    read_only: bool,
    options: dict[str, Any],
) -> Engine:
    """Open the engine of a path; ``new`` is what a new graph is made with, ``None`` for none."""
    if isinstance(path, Engine):
        if options:
            raise UsageError(f"an open engine takes no options: {', '.join(options)}")
        return path
    if path == MEMORY:
        _check_options(MemoryEngine, options)
        return MemoryEngine(**options)
    if _is_cluster(path):
        from lexigraph.store import AccumuloEngine

        _check_options(AccumuloEngine, options)
        return AccumuloEngine(path, **options)
    _check_directory(os.fspath(path))
    if not Path(path).exists():
        if new is None:
            raise GraphNotFound(
                f"there is no graph at {os.fspath(path)!r}",
                hint="Check the path; to make a graph there, open it with a schema.",
            )
        # A schema that is refused leaves no directory behind.
        merge_stored(None, new)
    from lexigraph.store import EmbeddedEngine

    _check_options(EmbeddedEngine, options)
    return EmbeddedEngine(path, create=new is not None, read_only=read_only, **options)


def _is_cluster(path: str | os.PathLike[str]) -> bool:
    named = os.fspath(path)
    return named.startswith(CLUSTER) or (named.endswith(PROPERTIES) and Path(path).is_file())


def _check_directory(named: str) -> None:
    # Whatever is mistyped would become a directory of that name, and the data would be there.
    scheme = _SCHEME.match(named)
    if scheme is not None:
        raise InvalidOption(
            f"{show(named)} starts with {scheme[0]!r}, which is no way to open a graph",
            hint=f"There are: {MEMORY!r}, '{CLUSTER}zk1:2181/instance', a file '*{PROPERTIES}', "
            "and directories; one with a colon in its name is given by its whole path.",
        )
    if named.endswith(PROPERTIES) and not os.path.exists(named):
        raise GraphNotFound(
            f"there is no properties file {show(named)}",
            hint="Check the path; 'lexigraph cluster status' prints that of a local cluster.",
        )


def _check_options(engine: type[Engine], options: dict[str, Any]) -> None:
    given = [*signature(open).parameters.values(), *signature(engine).parameters.values()]
    known = list(dict.fromkeys(one.name for one in given if one.kind is one.KEYWORD_ONLY))
    for name in options:
        if name not in known:
            raise InvalidOption(
                f"neither a graph nor {engine.__name__} has an option {name!r}",
                near=nearest(name, known),
                hint=f"There are: {', '.join(known)}.",
            )


def _not_found(name: str, engine: Engine, *, has_schema: bool) -> GraphNotFound:
    names = StoredGraph.shown_names(engine)
    how = "open it with create=True" if has_schema else "open it with a schema"
    return GraphNotFound(
        f"there is no graph {name!r}",
        hint=f"There are: {', '.join(names) or 'none'}. To make it, {how}.",
    )


def _classes(schema: Any) -> dict[str, type[ClassElement]]:
    if schema is None or isinstance(schema, Schema):
        return {}
    given = [schema] if isinstance(schema, type) else list(schema)
    return {
        one.group: one for one in given if isinstance(one, type) and issubclass(one, ClassElement)
    }
