"""Random changes of few elements, names and times, so that they meet."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write import changes as kinds

VERTICES = ("ann", "bob")
EDGES = ("e1", "e2")
LABELS = ("KNOWS", "KNOWS", "PAID", "PAID", "FOLLOWS", "OWNS", "BORN", "LEADS", "WED")
VISIBILITIES = (b"", b"", b"a", b"b", b"a&b")
HELD: tuple[frozenset[str] | None, ...] = (
    None,
    frozenset(),
    frozenset("a"),
    frozenset("b"),
    frozenset("ab"),
)
NAMES = {"name": "single", "tags": "list", "roles": "set"}

visibilities = st.sampled_from(VISIBILITIES)


@st.composite
def times(draw: st.DrawFn, commit: int) -> int | None:
    """Draw a time of its own, or mostly none."""
    if draw(st.integers(0, 4)):
        return None
    return draw(st.integers(1, commit + 9))


@st.composite
def given_values(draw: st.DrawFn, commit: int) -> kinds.GivenValue:
    name = draw(st.sampled_from(tuple(NAMES)))
    entries = draw(st.lists(st.sampled_from("st"), max_size=1))
    metadata = tuple(
        kinds.GivenMetadata(
            key=one,
            value=draw(st.integers(1, 3)),
            visibility=draw(st.sampled_from((None, b"", b"a"))),
        )
        for one in entries
    )
    return kinds.GivenValue(
        name=name,
        value=draw(st.sampled_from(("x", "x", "y", None))),
        visibility=draw(st.none() | visibilities),
        metadata=metadata,
        time=draw(times(commit)),
        cardinality=NAMES[name],
    )


@st.composite
def shapes(draw: st.DrawFn) -> EdgeShape:
    label = draw(st.sampled_from(LABELS))
    properties: tuple[tuple[str, Any], ...] = ()
    if label == "PAID":
        day, total = draw(st.sampled_from((1, 2, None))), draw(st.sampled_from((5, 6, None)))
        properties = (("sum", total), ("day", day))
    ends = (draw(st.sampled_from(VERTICES)), draw(st.sampled_from(VERTICES)))
    return EdgeShape(label, *ends, draw(st.booleans()), properties)


def _added(commit: int) -> dict[str, Any]:
    return {
        "values": st.lists(given_values(commit), max_size=2).map(tuple),
        "visibility": visibilities,
        "time": times(commit),
        "replace": st.integers(0, 4).map(lambda one: one == 0),
        "new": st.integers(0, 6).map(lambda one: one == 0),
    }


def _keyed(name: str) -> st.SearchStrategy[bytes]:
    from tests.unit.layout.records.write.model import ANY, list_key

    if name == "name":
        return st.just(b"")
    keys = [ANY.encode(one) for one in "xy"]
    if name == "tags":
        keys = [list_key(one, number) for one in keys for number in range(2)]
    return st.sampled_from(keys)


@st.composite
def named(draw: st.DrawFn) -> tuple[str, bytes]:
    name = draw(st.sampled_from(tuple(NAMES)))
    return name, draw(_keyed(name))


@st.composite
def of_values(draw: st.DrawFn, commit: int, subjects: st.SearchStrategy[Any]) -> kinds.RecordChange:
    """Draw a change of a value."""
    subject, time = draw(subjects), draw(times(commit))
    name, key = draw(named())
    one, other = draw(visibilities), draw(visibilities)
    common: dict[str, Any] = {"subject": subject, "name": name}
    hiding = {"key": key, "value_visibility": one, "visibility": other, "time": time}
    kind = draw(
        st.sampled_from(
            ["put", "put", "append", "delete", "delete", "metadata", "move", "hide", "show"]
        )
    )
    if kind in ("put", "append"):
        made = kinds.PutValue if kind == "put" else kinds.AppendValue
        return made(subject=subject, value=draw(given_values(commit)))
    if kind == "delete":
        hard = draw(st.booleans())
        which = draw(st.sampled_from(((None, None), (key, None), (None, one), (key, one))))
        return kinds.DeleteValues(**common, key=which[0], visibility=which[1], hard=hard, time=time)
    if kind == "metadata":
        value = draw(st.sampled_from((1, 2, None)))
        return kinds.SetMetadata(
            **common,
            key=key,
            visibility=one,
            entry=draw(st.sampled_from("st")),
            value=value,
            entry_visibility=draw(st.sampled_from((b"", b"a"))),
        )
    if kind == "move":
        return kinds.MoveValue(**common, key=key, frm=one, to=other, time=time)
    return (kinds.HideValue if kind == "hide" else kinds.ShowValue)(**common, **hiding)


@st.composite
def of_elements(
    draw: st.DrawFn, commit: int, subjects: st.SearchStrategy[Any]
) -> kinds.RecordChange:
    """Draw a change of an element that may be there."""
    subject, time, visibility = draw(subjects), draw(times(commit)), draw(visibilities)
    own = "label" if isinstance(subject, VertexSubject) else "relabel"
    kind = draw(
        st.sampled_from(("delete", "delete", "delete", "move", "hide", "show", own, "require"))
    )
    if kind == "delete":
        only = draw(st.sampled_from((None, None, None, visibility)))
        return kinds.DeleteElement(
            subject=subject, hard=draw(st.booleans()), visibility=only, time=time
        )
    if kind == "move":
        past = draw(st.integers(0, 2)) == 0
        return kinds.MoveElement(
            subject=subject,
            to=visibility,
            frm=draw(st.none() | visibilities),
            past=past,
            time=None if past else time,
        )
    if kind in ("hide", "show"):
        made = kinds.Hide if kind == "hide" else kinds.Show
        return made(subject=subject, visibility=draw(st.sampled_from((b"", b"a"))), time=time)
    if kind == "relabel":
        return kinds.Relabel(edge=subject, label=draw(st.sampled_from(LABELS)), time=time)
    if kind == "label":
        label = draw(st.sampled_from("PQ"))
        if draw(st.booleans()):
            return kinds.AddLabel(vertex=subject, label=label, visibility=visibility, time=time)
        return kinds.DeleteLabel(
            vertex=subject,
            label=label,
            visibility=draw(st.sampled_from((None, visibility))),
            hard=draw(st.booleans()),
            time=time,
        )
    made_require = kinds.Require if draw(st.booleans()) else kinds.Release
    return made_require(subject=subject, expression=draw(st.sampled_from((b"a", b"b"))), time=time)


def changes(
    commit: int, ids: tuple[str, ...] = VERTICES, edge_ids: tuple[str, ...] = EDGES
) -> list[st.SearchStrategy[kinds.RecordChange]]:
    """Return what may happen to vertices, then what may happen to edges."""
    added = _added(commit)
    labels = st.lists(st.sampled_from("PQ"), max_size=2, unique=True).map(tuple)
    vertex, edge = st.sampled_from(ids), st.sampled_from(edge_ids)
    add_vertex = st.builds(kinds.AddVertex, id=vertex, labels=labels, **added)
    add_edge = st.builds(kinds.AddEdge, id=edge, shape=shapes(), **added)
    found = []
    for add, subject in (
        (add_vertex, vertex.map(VertexSubject)),
        (add_edge, edge.map(EdgeSubject)),
    ):
        values, elements = of_values(commit, subject), of_elements(commit, subject)
        found.append(st.one_of(add, add, values, elements, elements))
    return found


@st.composite
def commits(draw: st.DrawFn, commit: int) -> list[kinds.RecordChange]:
    """Draw the changes of a commit: of anything, or several of one element."""
    if draw(st.booleans()):
        return draw(st.lists(st.one_of(*changes(commit)), min_size=1, max_size=4))
    ids, edge_ids = draw(st.sampled_from(VERTICES)), draw(st.sampled_from(EDGES))
    one = draw(st.sampled_from((0, 1)))
    return draw(st.lists(changes(commit, (ids,), (edge_ids,))[one], min_size=2, max_size=5))
