"""Names that people know from elsewhere, and what does that here.

Layer ``graph``. A question, a session or a summary that is asked for an attribute it does not have
raises an AttributeError that names the nearest thing there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lexigraph.errors import AttributeNotFound, InvalidOperator

_ORDER = 'use .order_by("count"), or .order_by("count", descending=True)'
_MEAN = 'use .summarise(mean=lg.mean("count"))'
_MEDIAN = 'use .summarise(spread=lg.quantiles("count")), or .to_polars()["count"].median()'
_LANGUAGE = (
    "there are no query languages yet; ask step by step, "
    "graph.get('ann').edges(Calls).where(Calls.count > 1)"
)
_SHORTEST = (
    'use graph.shortest_path("ann", "bob", Calls), or graph.shortest_paths(...) for all of them'
)
_LARGEST = 'use .top(3, by="count"); for the smallest, .order_by("count").limit(3)'
_ADD = 'use graph.add([Calls("ann", "bob")])'
_UPSERT = (
    'graph.add([Calls("ann", "bob")]) merges with what is stored, as the aggregators of the class '
    "say (lg.sum() adds up, lg.last() replaces); to replace an element, delete it first: "
    "graph.delete(elements)"
)
_PICTURE = "a notebook draws it by itself; elsewhere, use .to_networkx(), or .to_pandas().plot()"
_HOPS = 'use graph.hops("ann", Calls, steps=2), or graph.walk("ann", Calls, Calls) for the paths'
_LIST = "use .to_list(), or iterate over it"
_FRAME = "use .to_polars(), .to_pandas() or .to_arrow()"
_FIRST = "use .limit(n), or .first() for one"
_ISLICE = "iterate over it: itertools.islice(...) takes a part"
_AROUND = 'use graph.get("ann").edges(Calls, direction="out"), and .adjacent() for the other ends'


_ADMIN = ("stats", "compact", "check", "vacuum", "verify", "tables", "clear", "drop")
_CUTOFF = 0.75
"""How alike a name must be to be proposed: two words that share letters are not."""


def _named(*lines: tuple[str, str]) -> dict[str, str]:
    return {_plain(name): advice for names, advice in lines for name in names.split()}


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


_ANY = _named(
    ("sort sort_by sort_values order arrange sorted", _ORDER),
    ("avg mean average", _MEAN),
    ("median std quantile", _MEDIAN),
    ("top_k topk nlargest nsmallest largest smallest most_common argmax idxmax", _LARGEST),
    ("iterrows itertuples iter_rows iter items", "iterate over it: for one in answer"),
    ("cypher gremlin sparql sql match traversal g execute_query", _LANGUAGE),
    ("to_df df to_frame dataframe to_dataframe", _FRAME),
    ("fetchall collect execute run rows records to_dicts to_dict list", _LIST),
)

QUESTION = _ANY | _named(
    ("filter has filter_by query loc having such_that", "use .where(Calls.count > 1)"),
    (
        "group_by groupby aggregate agg group_count value_counts sum total describe",
        'use .summarise(by=["day"], total=lg.sum("count"))',
    ),
    (
        "max maximum",
        'use .summarise(largest=lg.max("count")), or .top(1, by="day")',
    ),
    (
        "min minimum",
        'use .summarise(smallest=lg.min("count")), or .order_by("day").limit(1)',
    ),
    ("resample", "use .roll_up(...)"),
    ("head take sample fetchone one single next get_first", _FIRST),
    ("tail skip offset range slice iloc", _ISLICE),
    ("pages paginate after cursor", "use .page(100); the cursor of a page asks for the next one"),
    ("project values value_map pick columns returning", 'use .select("count")'),
    ("drop drop_columns without omit", 'use .exclude("count")'),
    ("with_columns assign map apply mutate transform", 'use .derive("twice", function, "count")'),
    ("unique dedup drop_duplicates nunique", 'use .distinct("day")'),
    ("size len length shape num_rows n_rows", "use .count()"),
    ("nodes node entities", "use .vertices(Person)"),
    ("relationships rels links edge out_edges in_edges oute ine bothe", "use .edges(Calls)"),
    ("out in_ both outgoing incoming", 'use .edges(Calls, direction="out")'),
    ("neighbors neighbours neighbor successors predecessors adj", "use .edges(Calls).adjacent()"),
    ("hops walk repeat path paths traverse expand", _HOPS),
    ("shortest_path shortest_paths all_shortest_paths", _SHORTEST),
    (
        "degree degrees in_degree out_degree",
        "use .edges(Calls).count() for the degree of one vertex",
    ),
    ("plot show draw visualize visualise", _PICTURE),
    ("plan profile", "use .explain(run=True)"),
    ("delete remove", "use graph.delete(question)"),
    ("to_nx networkx", "use .to_networkx()"),
    ("join merge", "use graph.walk(...), or join tables: .to_polars().join(...)"),
    ("to_csv to_parquet write_csv write_parquet save", _FRAME + ", which write files"),
)

SUMMARY = _ANY | _named(
    ("filter having query", 'use .where(lg.field("calls") > 10)'),
    ("head take", "use .limit(n)"),
    ("tail skip offset slice", _ISLICE),
    (
        "page pages paginate",
        "rows have no pages: use .to_batches(), or .order_by(...) and .limit(n); elements have "
        ".page(n)",
    ),
    ("size len shape", "use .count()"),
    ("distinct unique", "rows differ already: name fewer fields in by="),
    ("select exclude drop", "name what you want in by= and the figures of .summarise(...)"),
    ("to_csv to_parquet write_csv write_parquet save", _FRAME + ", which write files"),
)

SESSION = _ANY | _named(
    ("nodes vertices v get_vertices get_nodes", "use graph.all(Person)"),
    ("edges e relationships rels links get_edges", "use graph.all(Calls)"),
    ("node get_node get_vertex find lookup entity", 'use graph.get("ann")'),
    ("get_edge relationship has_edge", 'use graph.edge("ann", "bob", Calls)'),
    ("has_node has_vertex contains", 'use graph.get("ann").first()'),
    ("neighbors neighbours successors predecessors adj adjacent out in_ both degree", _AROUND),
    ("all_shortest_paths", _SHORTEST),
    ("path traverse bfs dfs expand repeat", _HOPS),
    (
        "add_node add_nodes add_nodes_from addv add_edges add_edges_from adde "
        "insert create put write append",
        _ADD,
    ),
    ("upsert merge update set replace modify", _UPSERT),
    ("save flush persist", "graph.add(...) has stored everything when it returns"),
    ("remove remove_node remove_edge discard pop", "use graph.delete(elements)"),
    (
        "read_csv read_parquet from_pandas from_polars from_arrow import_csv ingest bulk_load "
        "load_csv copy_from",
        'use graph.load("calls.csv", group=Calls), or a data frame in place of the path',
    ),
    ("begin begin_transaction tx commit rollback", "use with graph.transaction() as one: ..."),
    ("query ask select_from", "start with graph.get(...), graph.all(...) or graph.edge(...)"),
    (
        "where filter limit head select exclude summarise group_by groupby roll_up derive first "
        "to_list to_arrow to_polars to_pandas explain",
        "ask for something first: graph.all(Calls).where(Calls.count > 1).limit(10)",
    ),
    ("login as_user reader with_authorizations", 'use graph.session(["secret"])'),
    ("num_edges number_of_edges", "use graph.count(Calls)"),
    (
        "num_nodes num_vertices number_of_nodes number_of_vertices order",
        "use graph.count(Person), which counts vertices that were added as elements",
    ),
    ("size len", "use graph.count(), or graph.count(Calls) for one group"),
    ("to_networkx to_nx", "use graph.all().to_networkx()"),
    ("groups labels classes types", "use graph.schema.groups"),
    ("backup", "use graph.admin.backup(path)"),
    ("evolve migrate", "use graph.admin.evolve(schema)"),
    *((name, f"use graph.admin.{name}()") for name in _ADMIN),
    ("truncate", "use graph.admin.clear()"),
    ("create_index indexes indices", 'use graph.index.create("by_day", "day")'),
)


ANSWER_OPERATORS = {
    "item": "cannot be indexed: use .first(), .limit(n), or .to_list()[0]",
    "name": "has no columns to index: use .to_polars() or .to_pandas(), whose columns have names",
    "len": "has no len(): use .count()",
    "bool": "is neither true nor false before it is read: use .first() is not None",
}
SUMMARY_OPERATORS = ANSWER_OPERATORS | {
    "item": "cannot be indexed: use .first(), or .to_list()[0]",
    "len": "has no len(): use .count()",
}
SESSION_OPERATORS = {
    "item": 'cannot be indexed: use graph.get("ann")',
    "len": "has no len(): use graph.count(), or graph.count(Calls) for one group",
    "iter": "cannot be iterated over: use graph.all(), or graph.all(Calls) for one group",
    "in": 'does not support "in": use graph.get("ann").first() is not None',
}


class NamesNearest:
    """Raises an AttributeError that says what to use in place of an attribute that is not there."""

    _called: ClassVar[str] = "it"
    _elsewhere: ClassVar[Mapping[str, str]] = {}
    _operators: ClassVar[Mapping[str, str]] = {}
    """What to use in place of an index (``item``, ``name``), ``len()`` and the like."""

    if not TYPE_CHECKING:
        # Type checkers are to see the attributes that there are, and no others.
        def __getattr__(self, name: str) -> Any:
            """Raise: names the nearest thing there is."""
            if name.startswith("_"):
                # Packages look for many of these, and need no advice.
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            raise attribute_not_found(type(self), name)

        def __getitem__(self, key: object) -> Any:
            """Raise: says which method answers that."""
            names = isinstance(key, str) and "name" in self._operators
            raise self._no_operator("name" if names else "item")

        def __len__(self) -> int:
            """Raise: says which method counts."""
            raise self._no_operator("len")

    def _no_operator(self, which: str) -> InvalidOperator:
        return InvalidOperator(f"{self._called} {self._operators[which]}")


def attribute_not_found(cls: type[NamesNearest], name: str) -> AttributeNotFound:
    """Return the error of an attribute that a class does not have.

    >>> from lexigraph.graph import Query
    >>> print(attribute_not_found(Query, "filter_by"))
    a question has no 'filter_by': use .where(Calls.count > 1)
    >>> print(attribute_not_found(Query, "sumarise"))
    a question has no 'sumarise' (did you mean: summarise?)
    """
    known = [one for one in dir(cls) if not one.startswith("_")]
    hint = f"Available: {', '.join(known)}."
    advice = cls._elsewhere.get(_plain(name))
    if advice is not None:
        return AttributeNotFound(f"{cls._called} has no {name!r}: {advice}", hint=hint)
    from difflib import get_close_matches

    near = get_close_matches(name, known, cutoff=_CUTOFF) or None
    return AttributeNotFound(f"{cls._called} has no {name!r}", near=near, hint=hint)
