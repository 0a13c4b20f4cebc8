"""Names that people know from elsewhere, and what does that here.

Layer ``graph``. A question, a session or a summary that is asked for an attribute it does not have
raises an AttributeError that names the nearest thing there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lexigraph.errors import AttributeNotFound, nearest

_ORDER = "answers come in key order; sort a table, .to_polars().sort(...), or use sorted(...)"
_MEAN = (
    'take a sum and a count, .summarise(total=lg.sum("count"), n=lg.count()), and divide; or use '
    '.to_polars()["count"].mean()'
)
_LANGUAGE = (
    "there are no query languages yet; ask step by step, "
    "graph.get('ann').edges(Calls).where(Calls.count > 1)"
)
_HOPS = 'use graph.hops("ann", Calls, steps=2), or graph.walk("ann", Calls, Calls) for the paths'
_LIST = "use .to_list(), or iterate over it"
_FRAME = "use .to_polars(), .to_pandas() or .to_arrow()"
_FIRST = "use .limit(n), or .first() for one"
_ISLICE = "iterate over it: itertools.islice(...) takes a part"
_AROUND = 'use graph.get("ann").edges(Calls, direction="out"), and .adjacent() for the other ends'


def _named(*lines: tuple[str, str]) -> dict[str, str]:
    return {_plain(name): advice for names, advice in lines for name in names.split()}


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


_ANY = _named(
    ("sort sort_by sort_values order order_by arrange", _ORDER),
    ("avg mean average median std", _MEAN),
    ("cypher gremlin sparql sql match traversal g execute_query", _LANGUAGE),
    ("to_df df to_frame dataframe to_dataframe", _FRAME),
    ("fetch fetchall collect execute run rows records to_dicts to_dict list", _LIST),
)

QUESTION = _ANY | _named(
    ("filter has filter_by query loc having such_that", "use .where(Calls.count > 1)"),
    (
        "group_by groupby aggregate agg group_count value_counts sum total min max describe",
        'use .summarise(by=["day"], total=lg.sum("count"))',
    ),
    ("resample", "use .roll_up(...)"),
    ("head take top sample fetchone one single next get_first", _FIRST),
    ("tail skip offset range slice iloc", _ISLICE),
    ("project values value_map pick columns returning", 'use .select("count")'),
    ("drop drop_columns without omit", 'use .exclude("count")'),
    ("with_columns assign map apply mutate transform", 'use .derive("twice", function, "count")'),
    ("distinct unique dedup drop_duplicates", "elements that merge are distinct already"),
    ("size len length shape num_rows n_rows", "use .count()"),
    ("nodes node entities", "use .vertices(Person)"),
    ("relationships rels links edge out_edges in_edges oute ine bothe", "use .edges(Calls)"),
    ("out in_ both outgoing incoming", 'use .edges(Calls, direction="out")'),
    ("neighbors neighbours neighbor successors predecessors adj", "use .edges(Calls).adjacent()"),
    ("hops walk repeat path paths shortest_path traverse expand", _HOPS),
    ("plan profile", "use .explain(run=True)"),
    ("delete remove", "use graph.delete(question)"),
    ("to_nx networkx", "use .to_networkx()"),
    ("join merge", "use graph.walk(...), or join tables: .to_polars().join(...)"),
    ("to_csv to_parquet write_csv write_parquet save", _FRAME + ", which write files"),
)

SUMMARY = _ANY | _named(
    ("where filter having", "conditions come before the summary, .where(...).summarise(...)"),
    ("limit head take top tail skip offset slice", _ISLICE),
    ("count size len shape", "use len(rows.to_list())"),
    ("select exclude drop", "name what you want in by= and the figures of .summarise(...)"),
    ("to_csv to_parquet write_csv write_parquet save", _FRAME + ", which write files"),
)

SESSION = _ANY | _named(
    ("nodes vertices v get_vertices get_nodes", "use graph.all(Person)"),
    ("edges e relationships rels links get_edges", "use graph.all(Calls)"),
    ("node vertex get_node get_vertex find lookup entity", 'use graph.get("ann")'),
    ("get_edge relationship has_edge", 'use graph.edge("ann", "bob", Calls)'),
    ("has_node has_vertex contains", 'use graph.get("ann").first()'),
    ("neighbors neighbours successors predecessors adj adjacent out in_ both degree", _AROUND),
    ("path paths shortest_path traverse bfs dfs expand repeat", _HOPS),
    (
        "add_node add_nodes add_nodes_from add_vertex addv add_edge add_edges add_edges_from adde "
        "insert create upsert put write save merge update set append",
        'use graph.add([Calls("ann", "bob")])',
    ),
    ("remove remove_node remove_edge discard pop", "use graph.delete(elements)"),
    (
        "read_csv read_parquet from_pandas from_polars from_arrow import_csv ingest bulk_load "
        "load_csv copy_from",
        "use graph.load(frame, group=Calls)",
    ),
    ("begin begin_transaction tx commit rollback", "use with graph.transaction() as one: ..."),
    ("query ask select_from", "start with graph.get(...), graph.all(...) or graph.edge(...)"),
    (
        "where filter limit head select exclude summarise group_by groupby roll_up derive first "
        "to_list to_arrow to_polars to_pandas explain",
        "ask for something first: graph.all(Calls).where(Calls.count > 1).limit(10)",
    ),
    ("login user as_user reader with_authorizations", 'use graph.session(["secret"])'),
    ("size len num_nodes num_edges order number_of_nodes number_of_edges", "use graph.count()"),
    ("to_networkx to_nx", "use graph.all().to_networkx()"),
    ("groups labels classes types", "use graph.schema.groups"),
    ("clear drop stats compact evolve check tables vacuum verify backup", "see graph.admin"),
    ("create_index index indexes indices", "there are no indexes of properties yet"),
)


class NamesNearest:
    """Raises an AttributeError that says what to use in place of an attribute that is not there."""

    _called: ClassVar[str] = "it"
    _elsewhere: ClassVar[Mapping[str, str]] = {}

    if not TYPE_CHECKING:
        # Type checkers are to see the attributes that there are, and no others.
        def __getattr__(self, name: str) -> Any:
            """Raise: names the nearest thing there is."""
            if name.startswith("_"):
                # Packages look for many of these, and need no advice.
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            raise attribute_not_found(type(self), name)


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
    return AttributeNotFound(
        f"{cls._called} has no {name!r}", near=nearest(name, known) or None, hint=hint
    )
