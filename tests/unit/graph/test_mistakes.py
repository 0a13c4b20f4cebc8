"""Whatever is passed to a graph ends in an answer or in an error of ours, never in Python's own."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import partial, reduce, wraps
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    InvalidOption,
    InvalidValue,
    LexigraphError,
    ReadOnly,
    SchemaError,
    SemanticProblem,
    UnsupportedError,
    UsageError,
    ValidationError,
)
from lexigraph.schema import schema_to_gaffer, schema_to_json


class Person(lg.Vertex, summary=True):
    id: str
    count: int = lg.sum(default=1)
    tags: Any = lg.last(default=None)


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by(default=date(2026, 1, 1))
    count: int = lg.sum(default=1)


DEEP: list[Any] = []
for _ in range(3000):
    DEEP = [DEEP]
ODD = [
    *(None, -1, 1.5, float("nan"), 2**63, 10**30, True, "", "a", "\ud800", b"", b"\xff"),
    *([], {}, (), ("a", "b"), [None], [Calls], [["a"]], {"a": 1}, object(), Calls, Person, date),
    *(Calls.count, range(3), {1}, datetime(2026, 1, 1), timedelta(1), DEEP),
]
NEEDED: dict[str, Any] = {
    **{"first": ["a"], "second": ["b"], "vertices": ["a"], "elements": [Calls("a", "b")]},
    **{"function": str, "count": 1, "schema": [Person, Calls], "frames": []},
}
"""What is right for parameters that have no default; ``a`` for all others."""


class Asked:
    """The methods of a field; the conditions they make are asked of a graph."""

    def __init__(self, field: Any, graph: lg.Graph) -> None:
        self._field, self._all = field, graph.all(Calls if field is Calls.day else Person)

    def __dir__(self) -> list[str]:
        return ["is_in", "between", "matches", "has_text", "contains", "age_off", *COMPARISONS]

    def __getattr__(self, name: str) -> Any:
        make = getattr(self._field, COMPARISONS.get(name, name))

        @wraps(make)
        def ask(*positional: Any, **named: Any) -> Any:
            return self._all.where(make(*positional, **named))

        return ask


COMPARISONS = {op: f"__{op}__" for op in ("eq", "ne", "lt", "le", "gt", "ge")}
FIELDS = {"id": Person.id, "count": Person.count, "day": Calls.day, "tags": Person.tags}
Make = Callable[[lg.Graph], Any]
FACES: dict[str, Make] = {
    "graph": lambda graph: graph,
    "question": lambda graph: graph.get("a", "b"),
    "edges": lambda graph: graph.all(Calls),
    "prepared": lambda graph: graph.get().edges(Calls).prepare(),
    "transaction": lambda graph: graph.transaction(),
    "admin": lambda graph: graph.admin,
    **{f"field {name}": partial(Asked, field) for name, field in FIELDS.items()},
}


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    path = ":memory:" if request.param == "memory" else tmp_path / "db"
    with lg.open(path, [Person, Calls]) as graph:
        graph.add([Person("a"), Calls("a", "b"), Calls("b", "c")])
        yield graph


def use(answer: Any) -> None:
    """Read some of whatever was answered."""
    if isinstance(answer, lg.Query):
        answer.count()
        answer.to_arrow()
        answer.explain()
    if isinstance(answer, Iterator | lg.Query):
        for _ in zip(range(3), answer, strict=False):
            pass
    repr(answer)


PLACED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)


def calls_of(face: Any, name: str) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Give arguments of a method of which one is odd."""
    parameters = inspect.signature(getattr(face, name)).parameters.values()
    for odd in parameters:
        for value in ODD:
            positional: list[Any] = []
            named: dict[str, Any] = {}
            for one in parameters:
                if one is odd and one.kind is one.VAR_KEYWORD:
                    named["made"] = value
                elif one is odd and one.kind is one.KEYWORD_ONLY:
                    named[one.name] = value
                elif one is odd:
                    positional.append(value)
                elif one.default is one.empty and one.kind in PLACED:
                    positional.append(NEEDED.get(one.name, "a"))
                elif one.default is one.empty and one.kind is one.KEYWORD_ONLY:
                    named[one.name] = NEEDED.get(one.name, 1)
            yield positional, named


@pytest.mark.parametrize("face", FACES)
def test_odd_arguments_are_answered_or_refused_by_us(
    face: str, graph: lg.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Some of them name files.
    monkeypatch.chdir(tmp_path)
    make, asked = FACES[face], 0
    # What ends the graph itself leaves nothing to ask.
    left_out = {"close", "drop", "clear", "to_networkx"}
    names = [name for name in dir(make(graph)) if name[0] != "_" and name not in left_out]
    for name in names:
        if not callable(getattr(make(graph), name)):
            continue
        for positional, named in calls_of(make(graph), name):
            if positional[1:] and positional[1] is date:
                # A function of the caller's own, which may raise what it likes.
                continue
            asked += 1
            with suppress(LexigraphError):
                use(getattr(make(graph), name)(*positional, **named))
    assert asked > 20 or face == "admin"


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda graph: graph.hops("a", [Calls]), UsageError, "a group is a class"),
        (lambda graph: graph.between(None, ["a"]), UsageError, "collection of vertices"),
        (lambda graph: graph.within(5), InvalidValue, "a vertex of this graph"),
        (lambda graph: graph.edge(["a"], "b").to_list(), UsageError, "str"),
        (lambda graph: graph.walk("a", 5), UsageError, "a hop is a group"),
        (lambda graph: graph.walk("a", Calls, limit=-1), UsageError, "a limit is a number"),
        (lambda graph: graph.get("a").edges(directed="no"), UsageError, "True, False or None"),
        (lambda graph: graph.all().derive(None, str, "count"), UsageError, "names of properties"),
        (lambda graph: graph.all().derive((), str, "count"), UsageError, "at least one"),
        (lambda graph: graph.all().derive("x", 5, "count"), UsageError, "a function"),
        (lambda graph: graph.all().where(Person), UsageError, "a condition"),
        (lambda graph: graph.all().summarise(by=5), UsageError, "names of properties"),
        (lambda graph: graph.all().to_batches(rows=0), UsageError, "size of a batch"),
        (
            lambda graph: graph.all().derive(("x", "y"), lambda n: n, "count").to_list(),
            SemanticProblem,
            "1 values for 2 names",
        ),
        (lambda graph: graph.admin.evolve(5), SchemaError, "list of classes"),
        (lambda _: Calls.count.is_in(5), InvalidOption, "collection of values"),
        (lambda _: Calls.day.is_in("2026"), InvalidOption, "collection of values"),
        (lambda _: Calls.day.age_off(datetime(2026, 1, 1)), InvalidOption, "a timedelta, not date"),
        (lambda _: Person.id.has_text({1}), InvalidOption, "has_text needs text"),
        (lambda _: Person.id.matches({1}), InvalidOption, "matches needs a regular expr"),
        (lambda _: "a" | (Person.id == "a"), UsageError, "a condition is needed"),
        (lambda _: Calls.day.age_off(5), InvalidOption, "span of time"),
        (lambda _: Calls.day.age_off(days=10**30), InvalidOption, "span of time"),
        (lambda _: lg.sum(defualt=1), InvalidOption, "did you mean: default"),
        (lambda _: lg.aggregate(5), InvalidOption, "named by text"),
        (lambda _: schema_to_json([Calls]), SchemaError, "a Schema is needed"),
        (lambda _: schema_to_gaffer(None), SchemaError, "a Schema is needed"),
        (lambda _: lg.sum(check=5), InvalidOption, "list of conditions"),
        (lambda _: lg.sum(name=5), InvalidOption, "is text"),
        (lambda _: lg.sum(doc="\ud800"), InvalidOption, "is text"),
        (lambda _: lg.open("\ud800", [Calls]), UsageError, "path"),
        (lambda _: type("Odd", (lg.Vertex,), {}, group="\ud800"), SchemaError, "is text"),
    ],
)
def test_mistakes_are_told_in_our_words(
    graph: lg.Graph, ask: Callable[[Any], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        ask(graph)


@pytest.mark.parametrize("join", [operator.or_, operator.and_])
@pytest.mark.parametrize("turned", [False, True])
def test_hundreds_of_conditions_join(
    graph: lg.Graph, join: Callable[[Any, Any], Any], turned: object
) -> None:
    names = ["a", *map(str, range(1000))]
    each = [lg.field(Person.id) == name for name in names]
    if join is operator.and_:
        each = [~one for one in each]
    joined = reduce(lambda one, other: join(other, one) if turned else join(one, other), each)
    found = graph.all(Person).where(joined).to_list()
    assert [one.id for one in found] == (["a"] if join is operator.or_ else [])
    assert repr(joined).count("vertex ==") == 1001


def test_conditions_that_really_nest_are_refused_as_they_are_made(graph: lg.Graph) -> None:
    low = lg.field(Person.count) > 0
    with pytest.raises(InvalidOption, match="nest at most 32 deep") as caught:
        reduce(lambda nested, _: ~(nested & low), range(500), low)
    assert "is_in" in caught.value.hint


def test_a_deep_list_is_no_value_and_no_seed(graph: lg.Graph) -> None:
    with pytest.raises(ValidationError, match="nest at most"):
        graph.add([Person("d", tags=DEEP)])
    with pytest.raises(UsageError, match="nest"):
        graph.all(Person).where(Person.tags == DEEP)
    with pytest.raises(UsageError, match="nest"):
        graph.get(DEEP)


def test_more_than_can_be_counted_is_all(graph: lg.Graph) -> None:
    for most in (2**63, 10**30):
        assert len(graph.all(Calls).limit(most).to_list()) == 2
        assert graph.all(Calls).limit(most).to_arrow().num_rows == 2
        assert len(list(graph.walk("a", Calls, Calls, limit=most))) == 1
        assert graph.hops("a", Calls, steps=most) == []
        assert graph.hops("a", Calls, steps=most, within=True) == ["b", "c"]
        assert [one.num_rows for one in graph.all(Calls).to_batches(rows=most)] == [2]


def test_a_type_that_cannot_be_read_is_named() -> None:
    class Odd(lg.Vertex, summary=True):
        id: str
        what: Nowhere  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(SchemaError, match="class Odd cannot be read: name 'Nowhere'"):
        lg.open(":memory:", [Odd])


def test_json_in_place_of_classes_is_told_who_reads_it() -> None:
    for given in ({"edges": {}, "types": {}}, '{"edges": {}}'):
        with pytest.raises(SchemaError, match="list of classes") as caught:
            lg.open(":memory:", given)
        assert "schema_from_gaffer" in caught.value.hint


def test_who_cannot_write_is_told_why(tmp_path: Path) -> None:
    lg.open(tmp_path / "db", [Calls]).close()
    with lg.open(tmp_path / "db", [Calls], read_only=True) as graph:
        with pytest.raises(ReadOnly, match="opened read-only") as caught:
            graph.add([Calls("a", "b")])
        assert "read_only" in caught.value.hint
        with pytest.raises(UnsupportedError) as refused:
            graph.session(role="writer")
        assert "read_only" in refused.value.hint
    with lg.open(tmp_path / "db", [Calls]) as graph:
        with graph.snapshot() as moment, pytest.raises(ReadOnly, match="a snapshot is read-only"):
            moment.add([Calls("a", "b")])
        with pytest.raises(ReadOnly) as caught:
            graph.session().add([Calls("a", "b")])
        assert "role" in caught.value.hint


@pytest.mark.parametrize("timeout_s", ["x", 10**50, float("nan"), 0])
def test_a_time_limit_is_read_when_a_session_is_made(timeout_s: Any) -> None:
    with lg.open(":memory:", [Calls]) as graph, pytest.raises(InvalidOption, match="timeout_s"):
        graph.session(timeout_s=timeout_s)
