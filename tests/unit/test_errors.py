"""The error tree: codes stay, hints help, the drawing is true, errors travel between processes."""

from __future__ import annotations

import inspect
import pickle
import re
import traceback

import pytest

from lexigraph import errors
from lexigraph.errors import LexigraphError
from lexigraph.extras import install_hint

# Released codes never change: people match on them. Add lines, never edit one.
CODES = {
    "LexigraphError": "error",
    "UsageError": "usage",
    "InvalidKey": "usage.key",
    "InvalidVisibility": "usage.visibility",
    "InvalidName": "usage.name",
    "InvalidValue": "usage.value",
    "InvalidBytes": "usage.bytes",
    "InvalidOption": "usage.option",
    "InvalidOperator": "usage.operator",
    "NotGranted": "usage.not-granted",
    "Closed": "usage.closed",
    "NotFoundError": "not-found",
    "GraphNotFound": "not-found.graph",
    "TableNotFound": "not-found.table",
    "GroupNotFound": "not-found.group",
    "VertexNotFound": "not-found.vertex",
    "EdgeNotFound": "not-found.edge",
    "PropertyNotFound": "not-found.property",
    "IndexNotFound": "not-found.index",
    "CursorNotFound": "not-found.cursor",
    "AttributeNotFound": "not-found.attribute",
    "SchemaError": "schema",
    "ValidationError": "schema.validation",
    "MigrationError": "schema.migration",
    "ConstraintError": "constraint",
    "UniqueViolation": "constraint.unique",
    "MultiplicityViolation": "constraint.multiplicity",
    "CardinalityViolation": "constraint.cardinality",
    "StaticViolation": "constraint.static",
    "QueryError": "query",
    "SyntaxProblem": "query.syntax",
    "SemanticProblem": "query.semantic",
    "QueryTimeout": "query.timeout",
    "QueryCancelled": "query.cancelled",
    "TransactionError": "transaction",
    "Conflict": "transaction.conflict",
    "ReadOnly": "transaction.read-only",
    "StoreError": "store",
    "Locked": "store.locked",
    "Corruption": "store.corruption",
    "FormatVersion": "store.format-version",
    "Full": "store.full",
    "SnapshotExpired": "store.snapshot-expired",
    "CursorExpired": "store.cursor-expired",
    "ClusterError": "store.cluster",
    "Unreachable": "store.cluster.unreachable",
    "Authorization": "store.cluster.authorization",
    "UnsupportedError": "unsupported",
    "InternalError": "internal",
}

BUILTINS = {
    "UsageError": ValueError,
    "NotFoundError": LookupError,
    "AttributeNotFound": AttributeError,
    "StoreError": OSError,
    "UnsupportedError": NotImplementedError,
}

CLASSES = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value) and issubclass(value, LexigraphError)
]

each_class = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)


def drawn_branches() -> dict[str, str]:
    """Read the drawing: each class below its branch, each branch below what it is drawn under."""
    drawing = (errors.__doc__ or "").split("::\n\n", 1)[1].split("\n\n", 1)[0]
    parents: dict[str, str] = {}
    branch = top = "LexigraphError"
    for line in drawing.splitlines()[1:]:
        head = re.match(r"[ │]*[├└] (\w+)(?: \(\w+\))?", line)
        if head:
            nested = line.strip().startswith("│")
            branch, above = head[1], top if nested else "LexigraphError"
            parents[branch] = above
            top = top if nested else branch
        rest = line[head.end() :] if head else line
        parents |= dict.fromkeys(re.findall(r"\b[A-Z]\w+\b", rest), branch)
    return parents


def test_every_class_keeps_its_code() -> None:
    assert {cls.__name__: cls.code for cls in CLASSES} == CODES


def test_no_two_classes_share_a_code() -> None:
    assert len({cls.code for cls in CLASSES}) == len(CLASSES)


@each_class
def test_a_code_starts_with_the_code_of_its_branch(cls: type[LexigraphError]) -> None:
    parent = cls.__mro__[1]
    if issubclass(parent, LexigraphError) and parent is not LexigraphError:
        assert cls.code.startswith(f"{parent.code}.")


@each_class
def test_every_class_hints_at_what_to_do(cls: type[LexigraphError]) -> None:
    assert not cls.hint or re.fullmatch(r"[A-Z].{15,}\.", cls.hint)


def test_the_drawn_tree_is_the_real_one() -> None:
    real = {cls.__name__: cls.__mro__[1].__name__ for cls in CLASSES if cls is not LexigraphError}
    assert drawn_branches() == real


@each_class
def test_branches_are_also_the_builtin_that_people_catch(cls: type[LexigraphError]) -> None:
    inherited = {builtin for builtin in BUILTINS.values() if issubclass(cls, builtin)}
    ancestry = {base.__name__ for base in cls.__mro__}
    assert inherited == {builtin for name, builtin in BUILTINS.items() if name in ancestry}


@each_class
def test_errors_survive_pickling_with_every_attribute(cls: type[LexigraphError]) -> None:
    error = cls("no 'peple'", hint="Look again, please.", near=["people"], table="t")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is cls
    assert (str(copy), copy.code) == ("no 'peple' (did you mean: people?)", CODES[cls.__name__])
    assert copy.__dict__ == error.__dict__
    assert copy.args == error.args


def test_a_validation_error_keeps_element_property_and_reason_when_pickled() -> None:
    error = errors.ValidationError("bad", element=("ann", 3), property="age", reason="negative")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.element, copy.property, copy.reason) == (("ann", 3), "age", "negative")
    assert copy.context == {"element": ("ann", 3), "property": "age", "reason": "negative"}


def test_a_syntax_problem_keeps_its_place_when_pickled() -> None:
    error = errors.SyntaxProblem("unexpected ')'", line=2, column=3, excerpt="a ) b")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.line, copy.column, copy.excerpt) == (2, 3, "a ) b")
    assert str(copy) == "unexpected ')' (line 2, column 3)\n  a ) b\n    ^"


def test_a_visibility_error_keeps_its_caret_when_pickled() -> None:
    error = errors.InvalidVisibility("unexpected '|'", expression="A&B|C", position=3)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == "unexpected '|'\n  A&B|C\n     ^"
    assert (copy.expression, copy.position) == ("A&B|C", 3)


def test_a_visibility_error_without_a_place_draws_no_caret() -> None:
    assert str(errors.InvalidVisibility("empty term")) == "empty term"


def test_a_store_error_prints_its_message_not_an_errno() -> None:
    error = errors.Locked("another process writes", holder=42)
    assert str(error) == "another process writes"
    assert error.errno is None


def test_a_hint_of_its_own_leaves_the_class_hint_alone() -> None:
    before = errors.Closed.hint
    assert errors.Closed("closed", hint="Open the table again.").hint == "Open the table again."
    assert errors.Closed.hint == before


def test_a_conflict_is_worth_trying_again() -> None:
    assert errors.Conflict.retryable is True


def test_the_repr_shows_class_code_and_message() -> None:
    assert repr(errors.Full("no space")) == "Full('store.full', 'no space')"


def test_a_traceback_shows_the_hint_below_the_message() -> None:
    error = errors.InvalidName("no such name", hint="Choose another.")
    for shown in (error, pickle.loads(pickle.dumps(error))):
        lines = "".join(traceback.format_exception(shown)).splitlines()
        assert lines[-2:] == ["lexigraph.errors.InvalidName: no such name", "Hint: Choose another."]
        assert str(shown) == "no such name"


def test_the_hint_of_an_extra_names_packages_and_not_an_index() -> None:
    for extra, package in (("cli", "typer"), ("sketches", "pyroaring"), ("arrow", "pyarrow")):
        told = install_hint(extra)
        assert f"'{package}>=" in told
        assert f"pip install '.[{extra}]'" in told
        assert "lexigraph[" not in told
