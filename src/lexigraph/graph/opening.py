"""Opening a graph: in memory, in a directory or on a cluster, made if new, never by mistake.

Layer ``graph``. Without a schema a graph is made only where there has never been one, so that a
mistyped name makes nothing; ``engines`` opens what the path names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from inspect import signature
from typing import Any

from lexigraph.arguments import read_bool
from lexigraph.errors import GraphNotFound, InvalidOption, UsageError, show
from lexigraph.graph.access import Access
from lexigraph.graph.element import classes_in
from lexigraph.graph.graph import Graph
from lexigraph.layout import Layout
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.layouts import Choice
from lexigraph.layout.stored.making import find_or_make
from lexigraph.layout.stored.stream_options import MAX_IN_TABLE, read_stream_options
from lexigraph.schema import Schema, merge_stored, schema_of
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store.engines.opening import MEMORY, open_engine
from lexigraph.store.spi import Engine


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
    group_layouts: Mapping[Any, Layout | str] | None = None,
    strict: bool | None = None,
    streams: str | os.PathLike[str] | None = None,
    max_streaming_bytes: int = MAX_IN_TABLE,
    **engine_options: Any,
) -> Graph:
    """Open a graph in a directory, or create it; ``":memory:"`` stores nothing on disk.

    For a cluster, pass ``accumulo://zk1:2181/instance`` or a file ``*.properties`` that names one.
    ``schema`` is a list of classes or a schema. New groups and properties are added to an existing
    graph; SchemaError is raised if the schema disagrees with the stored one. A new path needs no
    schema: the graph then takes records of any label and property, and learns their names. With
    ``strict``, names that the schema does not have are refused; ``strict=False`` allows them in a
    graph with a schema too. ``authorizations`` are what the graph itself sees, ``grants`` are all
    that a session may ask for. ``layout`` is the layout of a new graph, ``group_layouts`` has other
    layouts for some of its groups, by class or name; a group keeps its layout. Streaming values of
    up to ``max_streaming_bytes`` lie in its tables, larger ones in files: ``streams`` is a folder
    or a URL for them, in place of that of the engine. Other options are passed to the engine. An
    open engine may be passed in place of a path.

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
    refuses = _read_strict(strict)
    keeps = read_stream_options(streams, max_streaming_bytes)
    makes = create and not read_only and (wanted is not None or not refuses)
    engine = open_engine(
        path,
        engine_options,
        # A schema that is refused leaves no directory behind.
        before_making=partial(merge_stored, None, wanted or Schema({})) if makes else None,
        read_only=read_only,
        known=_own_options(),
    )
    owned = engine is not path
    default = engine.preferences.layout if layout is None else layout
    try:
        chosen = Choice(default, _by_name(group_layouts))
        if wanted is None and makes and (refuses is False or StoredGraph.has_none(engine)):
            wanted = Schema({})
        learns = refuses is False or (schema is None and not refuses)
        stored = _stored(
            engine, name, wanted, chosen, makes=makes, read_only=read_only, learns=learns
        )
        stored.stream_options = keeps
        granted = grants if isinstance(grants, All) else Authorizations(grants)
        access = Access(stored, classes_in(schema), granted, strict=refuses)
        return Graph(access, authorizations, read_only=read_only, owns_engine=owned)
    except BaseException:
        if owned:
            engine.close()
        raise


def graphs(path: str | os.PathLike[str] | Engine, **engine_options: Any) -> list[str]:
    """List the names of the graphs in a directory or on a cluster, sorted.

    Takes a path and engine options as :func:`open` does. Changes nothing. On a cluster it lists the
    graphs whose tables the user may read.

    >>> from tempfile import TemporaryDirectory
    >>> from lexigraph.schema import Vertex
    >>> class Person(Vertex, summary=True):
    ...     id: str
    >>> with TemporaryDirectory() as home:
    ...     for name in ("work", "family"):
    ...         open(home, [Person], name=name).close()
    ...     graphs(home)
    ['family', 'work']
    """
    engine = open_engine(path, engine_options, read_only=True)
    try:
        return StoredGraph.shown_names(engine)
    finally:
        if engine is not path:
            engine.close()


def _stored(
    engine: Engine,
    name: str,
    schema: Schema | None,
    layout: Choice,
    *,
    makes: bool,
    read_only: bool,
    learns: bool,
) -> StoredGraph:
    found = None
    if schema is not None and not read_only:
        found = find_or_make(engine, name, schema, layout, makes=makes, learns=learns)
    elif name in StoredGraph.names(engine):
        found = StoredGraph.attach(engine, name, schema, layout, read_only=read_only)
    if found is None:
        raise _not_found(name, engine, has_schema=schema is not None)
    return found


def _by_name(layouts: Any) -> dict[str, Layout | str]:
    if not isinstance(layouts, Mapping | None):
        raise InvalidOption(
            f"group_layouts is a mapping from groups to layouts, not {show(layouts)}",
            hint="Write group_layouts={'Calls': 'classic'}.",
        )
    found: dict[Any, Layout | str] = {}
    for group, layout in (layouts or {}).items():
        found[getattr(group, "group", group)] = layout
    for name in found:
        if not isinstance(name, str):
            raise UsageError(f"a group is a class of elements or a name, not {show(name)}")
    return found


def _read_strict(strict: Any) -> bool | None:
    """Return whether names that the schema does not have are refused; ``None`` if left open."""
    return None if strict is None else read_bool(strict, "strict")


def _own_options() -> list[str]:
    given = signature(open).parameters.values()
    return [one.name for one in given if one.kind is one.KEYWORD_ONLY]


def _not_found(name: str, engine: Engine, *, has_schema: bool) -> GraphNotFound:
    names = StoredGraph.shown_names(engine)
    how = "open it with create=True"
    if not has_schema:
        how = "open it with a schema, or with strict=False for records of any kind"
    return GraphNotFound(
        f"there is no graph {name!r}",
        hint=f"Available: {', '.join(names) or 'none'}. To create it, {how}.",
    )
