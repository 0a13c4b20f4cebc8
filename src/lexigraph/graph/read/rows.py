"""Rows as an answer: figures of a summary, or distinct combinations of fields.

Layer ``graph``. Rows are a plan over named columns. Each method returns new rows and nothing is
read until they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from lexigraph.errors import UsageError, show
from lexigraph.graph.other_names import SUMMARY_OPERATORS
from lexigraph.graph.read import frames
from lexigraph.graph.read.arguments import read_flag, read_limit
from lexigraph.graph.read.asked_text import READ_SUMMARY
from lexigraph.graph.read.conditions import expression_of
from lexigraph.graph.read.results import MORE_ROWS, SHOWN_ROWS, Results
from lexigraph.graph.read.terms import ComputedTerm, DescendingTerm
from lexigraph.graph.read.view import AnyField, field_name
from lexigraph.plan import Explanation, Scope, Sort, SortKey, Top, count, explain, run
from lexigraph.plan.logical.expressions import Call, ColumnValue, Expression
from lexigraph.plan.logical.names import columns_of
from lexigraph.plan.logical.rows import Filter, Node


class Rows(Results[dict[str, Any]]):
    """A summary: one row of values and results for each combination."""

    _called = "a summary"
    _operators = SUMMARY_OPERATORS

    def __init__(
        self, scope: Callable[[], Scope], node: Node, columns: frames.Columns, what: str
    ) -> None:
        self._scope, self._node, self._named, self._what = scope, node, columns, what

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Read and give the rows: in the order asked for, otherwise in that of their values."""
        return iter(run(self._node, self._scope()))

    def order_by(
        self, *columns: AnyField | ComputedTerm | DescendingTerm, descending: bool = False
    ) -> Rows:
        """Sort the rows by columns; absent values come last. Holds all rows.

        ``lg.desc("calls")`` turns one column, ``descending`` all of them.
        """
        keys = self._keys(columns, descending=read_flag("descending", descending))
        told = f"ordered by {', '.join(map(str, keys))}"
        return self._with(Sort(self._node, keys), told)

    def top(self, n: int, *, by: Any) -> Rows:
        """Return the ``n`` rows with the largest values of ``by``, largest first. Holds ``n``."""
        given = by if isinstance(by, list | tuple) else (by,)
        return self.order_by(*given, descending=True).limit(n)

    def limit(self, count: int) -> Rows:
        """Return at most this many rows: the first ones."""
        most, node = read_limit(count), self._node
        if isinstance(node, Sort):
            return self._with(Top(node.of, most, node.keys), f"limit {most}")
        return self._with(Top(node, most), f"limit {most}")

    def where(self, *conditions: Any) -> Rows:
        """Keep rows that satisfy all conditions on their columns: ``lg.field("calls") > 10``.

        A condition may also be a function of a row, which gets a dict.
        """
        node = self._node
        for one in conditions:
            node = Filter(node, expression_of(one, tuple(self._named)))
        columns_of(node, self._scope().schema)
        told = ", ".join(f"where {getattr(one, '__name__', one)!s}" for one in conditions)
        return self._with(node, told)

    def count(self) -> int:
        """Count the rows."""
        return count(self._node, self._scope())

    def explain(self, *, run: bool = False) -> Explanation:
        """Show how it is answered; with ``run``, also how many cells that reads."""
        return explain(self._node, self._scope(), run=run)

    def _keys(self, columns: tuple[Any, ...], *, descending: bool) -> tuple[SortKey, ...]:
        if not columns:
            raise UsageError("name at least one column to order by")
        found = []
        for one in columns:
            turned = isinstance(one, DescendingTerm)
            found.append(SortKey(_value(one.of if turned else one), descending != turned))
        keys = tuple(found)
        columns_of(Sort(self._node, keys), self._scope().schema)
        return keys

    def _with(self, node: Node, told: str) -> Rows:
        return Rows(self._scope, node, self._named, f"{self._what}, {told}")

    def _rows(self) -> Iterator[Mapping[str, Any]]:
        return iter(self)

    def _columns(self) -> frames.Columns:
        return self._named

    def __repr__(self) -> str:
        """Show what is asked, without asking."""
        return f"<summary: {self._what}>"

    def __str__(self) -> str:
        """Return what is asked and how to read the answer, without asking."""
        return f"summary: {self._what}\n{READ_SUMMARY}"

    def _repr_html_(self) -> str:
        from lexigraph.tables import html_table

        rows = list(islice(self, SHOWN_ROWS + 1))
        table = html_table(rows[:SHOWN_ROWS], list(self._named))
        return table + (MORE_ROWS if len(rows) > SHOWN_ROWS else "")


def _value(one: Any) -> Expression:
    if isinstance(one, ComputedTerm):
        return Call(one.function, (ColumnValue(field_name(one.field)),), one.name)
    if not isinstance(one, str) and not hasattr(one, "name"):
        raise UsageError(f"a column is named by text or by a field, not {show(one)}")
    return ColumnValue(field_name(one))
