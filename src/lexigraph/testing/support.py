"""The page of support: which engine has which behaviour, from the suite and its marks alone.

Layer ``testing``. A row is a test, so the page cannot promise what no test asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lexigraph.store import Capabilities
from lexigraph.testing import graph, records, store
from lexigraph.testing.backend import Backend, Topic
from lexigraph.testing.marks import Gap
from lexigraph.testing.suite import behaviours_of, gap_of

YES = "yes"
Suite = Mapping[str, type[Topic]]


def support_page(
    suites: Iterable[Suite],
    graphs: Iterable[Suite] = (),
    of_records: Iterable[Suite] = (),
    *,
    note: str = "",
) -> str:
    """Return the page for some engines: their suites of the store, of graphs and of records."""
    gaps = Gaps()
    backends = [_backend(suite) for suite in suites]
    tables = _behaviours("the store", store.TOPICS, backends, gaps)
    tables += _behaviours("graphs", graph.TOPICS, [_backend(suite) for suite in graphs], gaps)
    backends_of = [_backend(suite) for suite in of_records]
    tables += _behaviours("records", records.TOPICS, backends_of, gaps)
    lines = [
        "# Support",
        "",
        note,
        "What each engine guarantees, and which behaviours it has. Each row of the tables below",
        "*Gaps* is a test of `lexigraph.testing`. A gap is a strict mark on a test: the build",
        "fails if the test passes although it is marked. The kinds of gaps are:",
        "",
        "- `notimpl`: not written yet",
        "- `notyet`: the system below the engine cannot do it at present",
        "- `never`: impossible by design; the engine raises UnsupportedError",
        "- `unpromised`: the test may pass or fail; the engine does not promise the behaviour",
        "",
        "## Guarantees",
        "",
        *_guarantees([backend.capabilities for backend in backends]),
        "",
        "## Gaps",
        "",
        *gaps.legend(),
        *tables,
    ]
    return "\n".join(lines).rstrip() + "\n"


def _backend(suite: Suite) -> Backend:
    return next(iter(suite.values())).backend


def _behaviours(
    of: str, topics: Sequence[type[Topic]], backends: list[Backend], gaps: Gaps
) -> list[str]:
    count = sum(len(behaviours_of(topic)) for topic in topics)
    title = f"## Behaviours of {of}: {count} in {len(topics)} topics"
    return [title, "", *(line for topic in topics for line in _topic(topic, backends, gaps))]


class Gaps:
    """The gaps met on the way, numbered for the legend."""

    def __init__(self) -> None:
        self.met: list[Gap] = []

    def show(self, gap: Gap | None) -> str:
        """Return the entry of one behaviour."""
        if gap is None:
            return YES
        if gap not in self.met:
            self.met.append(gap)
        return f"{gap.kind} ({self.met.index(gap) + 1})"

    def legend(self) -> list[str]:
        """Return what the numbers mean."""
        if not self.met:
            return ["No engine has a gap.", ""]
        return [f"{number}. {gap.kind}: {gap.reason}" for number, gap in enumerate(self.met, 1)] + [
            ""
        ]


def _guarantees(engines: list[Capabilities]) -> list[str]:
    return [
        _row(["", *(engine.engine for engine in engines)]),
        _row(["---"] * (len(engines) + 1)),
        *(_row([name, *map(say, engines)]) for name, say in GUARANTEES.items()),
    ]


def _topic(topic: type[Topic], backends: list[Backend], gaps: Gaps) -> list[str]:
    title = (topic.__doc__ or topic.__name__).splitlines()[0].rstrip(".")
    rows = [
        _row([_sentence(test), *(gaps.show(gap_of(backend, topic, test)) for backend in backends)])
        for test in behaviours_of(topic)
    ]
    names = [backend.name for backend in backends]
    return [
        f"### {title}",
        "",
        _row(["behaviour", *names]),
        _row(["---"] * (len(names) + 1)),
        *rows,
        "",
    ]


def _sentence(test: str) -> str:
    """Return the name of a test as the sentence that it is."""
    return test.removeprefix("test_").replace("_", " ")


def _row(entries: Iterable[str]) -> str:
    return f"| {' | '.join(entries)} |"


def _atomic(engine: Capabilities) -> str:
    return "batch over all tables" if engine.atomic_unit == "batch" else f"one {engine.atomic_unit}"


def _durability(engine: Capabilities) -> str:
    return ", ".join(engine.durabilities) or "none: gone with the process"


def _sums(engine: Capabilities) -> str:
    return "exact" if engine.atomic_unit == "batch" else "a batch sent again may count twice"


def _pushed_down(engine: Capabilities) -> str:
    return "all" if engine.stages is None else f"{len(engine.stages)}; others run in the client"


GUARANTEES = {
    "atomic unit": _atomic,
    "snapshot reads: a result is fixed when its iteration starts": lambda e: _yes(e.snapshots),
    "transactions (snapshot, recorded read ranges, one write)": (
        lambda e: "serialisable; a change is a Conflict" if e.transactions else "no"
    ),
    "conditional writes on one row": lambda e: _yes(e.conditional_writes),
    "durability": _durability,
    "sums after faults": _sums,
    "processes": lambda e: "many" if e.many_processes else "one",
    "stages that run in the engine": _pushed_down,
    "elements by column, decoded natively": lambda e: _yes("frames" in e.operators),
    "edges followed natively": lambda e: _yes("edges" in e.operators),
    "splits": lambda e: _yes(e.splits),
    "locality groups": lambda e: _yes(e.locality_groups),
    "bloom filters": lambda e: _yes(e.bloom),
}
"""What is said about an engine, from its capabilities."""


def _yes(there: object) -> str:
    return YES if there else "no"
