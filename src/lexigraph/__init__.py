"""Lexigraph: a secure, aggregating property-graph database on sorted key-value cells.

The public names, nothing else. Each is imported when it is first asked for, so ``import
lexigraph`` stays well under 150 ms and works without the native module.

>>> import lexigraph
>>> lexigraph.MemoryEngine()
MemoryEngine(0 tables)
"""

from __future__ import annotations

# True to type checkers. Importing typing for it would be most of what this import costs.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from lexigraph import errors
    from lexigraph.codec import codec_for
    from lexigraph.errors import Conflict, LexigraphError
    from lexigraph.graph import (
        AddReport,
        ChangeFeed,
        Committed,
        DeleteReport,
        EraseReport,
        Graph,
        GraphChange,
        GraphCursor,
        Prepared,
        Query,
        Session,
        graphs,
        open,
    )
    from lexigraph.graph.read.terms import day, desc, hour, mean, month, quarter, week, year
    from lexigraph.graph.write.records.given import value
    from lexigraph.plan import Element
    from lexigraph.schema import Edge, Field, Schema, Vertex, field, rule, this
    from lexigraph.schema.declare import (
        aggregate,
        all_of,
        any_of,
        bitmap,
        concat,
        count,
        expires,
        first,
        frequencies,
        frequent,
        group_by,
        hll,
        id,
        last,
        list_of,
        max,
        min,
        product,
        quantiles,
        reservoir,
        set_of,
        signature,
        sort_key,
        sum,
        theta,
        time_series,
        timestamp,
        top,
        visibility,
    )
    from lexigraph.schema.records import keep
    from lexigraph.security import ALL, All, Authorizations, Visibility
    from lexigraph.store import (
        Cell,
        CellBatch,
        Condition,
        ConditionalMutation,
        EmbeddedEngine,
        Engine,
        Key,
        MemoryEngine,
        Mutations,
        Outcome,
        Range,
        ScanSpec,
        Snapshot,
        StageSpec,
        Table,
        TableSettings,
    )
    from lexigraph.streaming import StreamingValue, stream
    from lexigraph.types import BigInt, Float32, GeoPoint, Int8, Int16, Int32, Int64, Many

__version__ = "0.1.0"

__all__ = [
    "ALL",
    "AddReport",
    "All",
    "Authorizations",
    "BigInt",
    "Cell",
    "CellBatch",
    "ChangeFeed",
    "Committed",
    "Condition",
    "ConditionalMutation",
    "Conflict",
    "DeleteReport",
    "Edge",
    "Element",
    "EmbeddedEngine",
    "Engine",
    "EraseReport",
    "Field",
    "Float32",
    "GeoPoint",
    "Graph",
    "GraphChange",
    "GraphCursor",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "Key",
    "LexigraphError",
    "Many",
    "MemoryEngine",
    "Mutations",
    "Outcome",
    "Prepared",
    "Query",
    "Range",
    "ScanSpec",
    "Schema",
    "Session",
    "Snapshot",
    "StageSpec",
    "StreamingValue",
    "Table",
    "TableSettings",
    "Vertex",
    "Visibility",
    "aggregate",
    "all_of",
    "any_of",
    "bitmap",
    "codec_for",
    "concat",
    "count",
    "day",
    "desc",
    "errors",
    "expires",
    "field",
    "first",
    "frequencies",
    "frequent",
    "graphs",
    "group_by",
    "hll",
    "hour",
    "id",
    "keep",
    "last",
    "list_of",
    "max",
    "mean",
    "min",
    "month",
    "open",
    "product",
    "quantiles",
    "quarter",
    "reservoir",
    "rule",
    "set_of",
    "signature",
    "sort_key",
    "stream",
    "sum",
    "theta",
    "this",
    "time_series",
    "timestamp",
    "top",
    "value",
    "visibility",
    "week",
    "year",
]

# Everything else is in lexigraph.store.
_HOMES = {
    name: home
    for home, names in {
        "codec": "codec_for",
        "errors": "Conflict LexigraphError",
        "graph": "AddReport ChangeFeed Committed DeleteReport EraseReport Graph GraphChange "
        "GraphCursor Prepared Query Session graphs open",
        "graph.read.terms": "day desc hour mean month quarter week year",
        "graph.write.records.given": "value",
        "plan": "Element",
        "schema": "Edge Field Schema Vertex field rule this",
        "schema.declare": "aggregate all_of any_of bitmap concat count expires first frequencies "
        "frequent group_by hll id last list_of max min product quantiles reservoir set_of "
        "signature sort_key sum theta time_series timestamp top visibility",
        "schema.records": "keep",
        "security": "ALL All Authorizations Visibility",
        "streaming": "StreamingValue stream",
        "types": "BigInt Float32 GeoPoint Int8 Int16 Int32 Int64 Many",
    }.items()
    for name in names.split()
}


_MEAN = 'use .summarise(mean=lg.mean("amount"))'
_ELSEWHERE = {
    **dict.fromkeys(("avg", "average"), _MEAN),
    "Node": "use lexigraph.Vertex",
    "connect": "use lexigraph.open(path, [classes])",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, and keep it."""
    if name not in __all__:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from lexigraph.errors import AttributeNotFound, nearest

        advice = _ELSEWHERE.get(name)
        raise AttributeNotFound(
            f"lexigraph has no {name!r}" + (f": {advice}" if advice else ""),
            near=None if advice else nearest(name, __all__),
            hint="dir(lexigraph) lists all public names.",
        )
    from importlib import import_module

    if name == "errors":
        return import_module(f"{__name__}.errors")
    value: object = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'store')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted([*__all__, "__version__"])
