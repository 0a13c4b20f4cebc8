"""Every error that Lexigraph raises, as one tree.

::

    LexigraphError                        .code (stable)  .hint (what to do)  .context
     ├ UsageError (ValueError)            InvalidKey InvalidVisibility InvalidName InvalidValue
     │                                    InvalidBytes InvalidOption InvalidOperator
     │                                    NotGranted Closed
     ├ NotFoundError (LookupError)        GraphNotFound TableNotFound GroupNotFound VertexNotFound
     │                                    EdgeNotFound PropertyNotFound IndexNotFound
     │                                    CursorNotFound AttributeNotFound
     ├ SchemaError                        ValidationError MigrationError
     ├ ConstraintError                    UniqueViolation MultiplicityViolation
     │                                    CardinalityViolation StaticViolation
     ├ QueryError                         SyntaxProblem SemanticProblem QueryTimeout QueryCancelled
     ├ TransactionError                   Conflict ReadOnly
     ├ StoreError (OSError)               Locked Corruption FormatVersion Full SnapshotExpired
     │  │                                 CursorExpired
     │  └ ClusterError                    Unreachable Authorization
     ├ UnsupportedError (NotImplementedError)
     └ InternalError                      our bug, also any panic of the native core

Catch a branch or a leaf; branches that people know from Python also inherit the builtin in
brackets. ``code`` never changes once released. Lowest layer: imports nothing of the package.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar


class LexigraphError(Exception):
    """The root. ``code`` is stable, ``hint`` says what to do next, ``context`` holds the facts.

    >>> error = TableNotFound("there is no table 'peple'", near=["people"])
    >>> error.code, error.context["near"]
    ('not-found.table', ['people'])
    >>> print(error)
    there is no table 'peple' (did you mean: people?)
    """

    code: ClassVar[str] = "error"
    hint: str = ""

    def __init__(self, message: str, *, hint: str | None = None, **context: Any) -> None:
        near = context.get("near")
        if near:
            message = f"{message} (did you mean: {', '.join(map(str, near))}?)"
        super().__init__(message)
        self.message = message
        self.context = context
        if hint is not None:
            self.hint = hint
        # A traceback shows notes below the message, so nobody has to know of ``hint``.
        if self.hint:
            self.add_note(f"Hint: {self.hint}")

    def replace_hint(self, hint: str) -> None:
        """Replace the hint, if more is known than where the error was raised."""
        notes = [one for one in getattr(self, "__notes__", ()) if one != f"Hint: {self.hint}"]
        self.hint, self.__notes__ = hint, [f"Hint: {hint}", *notes]

    def __str__(self) -> str:
        """Return the message alone; a traceback shows ``hint`` below it."""
        return self.message

    def __repr__(self) -> str:
        """Show class, code and message."""
        return f"{type(self).__name__}({self.code!r}, {self.message!r})"

    def __reduce__(self) -> Any:
        """Survive pickling with code, hint and context, so that pools can hand errors back."""
        return _rebuild, (type(self), self.message), self.__dict__


def _rebuild(cls: type[LexigraphError], message: str) -> LexigraphError:
    # Not through __init__: the message already holds what __init__ would add to it.
    error = cls.__new__(cls)
    Exception.__init__(error, message)
    return error


def nearest(name: object, names: Iterable[str]) -> list[str]:
    """Return up to three names that look most like the one asked for, best first: for ``near``.

    >>> nearest("coutn", ["sum", "count"]), nearest(5, ["count"])
    (['count'], [])
    """
    from difflib import get_close_matches

    return get_close_matches(name, list(names)) if isinstance(name, str) else []


def show(value: object, limit: int = 80) -> str:
    """Print a value for a message: short, and without failing on huge, deep or odd ones.

    >>> show("x" * 100, 10)
    "'xxxxxx..."
    """
    try:
        text = repr(value)
    except Exception:  # a user's __repr__, an int past Python's limit of digits, a deep nest
        text = f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= limit else text[: limit - 3] + "..."


class UsageError(LexigraphError, ValueError):
    """The call itself is wrong; nothing was read or written."""

    code = "usage"
    hint = ""


class InvalidKey(UsageError):
    """A key, range or key part that a cell cannot have."""

    code = "usage.key"
    hint = "Keys are text or bytes of at most 1 MiB in all; timestamps are signed 64-bit integers."


class InvalidVisibility(UsageError):
    """A visibility expression that does not follow the grammar.

    >>> raise InvalidVisibility("unexpected '|'", expression="A&B|C", position=3)
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidVisibility: unexpected '|'
      A&B|C
         ^
    """

    code = "usage.visibility"
    hint = (
        "Join terms with & or |, and use brackets to mix them. Write a term with other characters "
        "with lexigraph.security.quote(term)."
    )

    def __init__(
        self,
        message: str,
        *,
        expression: str | None = None,
        position: int | None = None,
        hint: str | None = None,
        **context: Any,
    ) -> None:
        if expression is not None and position is not None:
            message = f"{message}{_caret(expression, position)}"
        super().__init__(message, hint=hint, expression=expression, position=position, **context)
        self.expression = expression
        self.position = position

    @classmethod
    def at(cls, message: str, expression: bytes, offset: int) -> InvalidVisibility:
        r"""Point at a byte of an expression; what cannot be printed is shown as ``\xNN``.

        ``context["offset"]`` keeps the byte, ``position`` is its place in the printed text.

        >>> InvalidVisibility.at("a term is missing here", b'"\xc3\xa9"&', 5).position
        4
        """
        shown, before = _printable(expression), _printable(expression[:offset])
        return cls(message, expression=shown, position=len(before), offset=offset)


def _printable(raw: bytes) -> str:
    text = raw.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _caret(text: str, position: int, *, width: int = 72) -> str:
    # A stored label may be a megabyte long: show the neighbourhood, not all of it.
    start = max(0, min(position - width // 2, len(text) - width))
    end = start + width
    left, right = "..." if start else "", "..." if end < len(text) else ""
    column = len(left) + position - start
    return f"\n  {left}{text[start:end]}{right}\n  {' ' * column}^"


class InvalidName(UsageError):
    """A name for a table, stage, codec or graph that is not allowed or already taken."""

    code = "usage.name"
    hint = "Choose another name: letters, digits, '_', '-' and '.', starting with a letter."


class InvalidValue(UsageError):
    """A value that the codec, property or function cannot hold."""

    code = "usage.value"
    hint = ""


class InvalidBytes(UsageError):
    """Bytes that the asked-for codec did not write."""

    code = "usage.bytes"
    hint = "Read the bytes with the codec that wrote them, or check where they were cut."


class InvalidOption(UsageError):
    """An option, field or stage that a scan, table or engine does not know or cannot combine."""

    code = "usage.option"
    hint = ""


class InvalidOperator(UsageError, TypeError):
    """An index, operator or built-in function that an object does not support."""

    code = "usage.operator"
    hint = ""


class NotGranted(UsageError):
    """A scan asked for authorizations beyond those it was granted."""

    code = "usage.not-granted"
    hint = "Ask only for granted authorizations, or let the owner open the graph with more."


class Closed(UsageError):
    """The engine, table or snapshot was closed before."""

    code = "usage.closed"
    hint = "Open it again, or close it only after its results have been read."


class NotFoundError(LexigraphError, LookupError):
    """Something named does not exist; the message lists the nearest names."""

    code = "not-found"
    hint = ""


class GraphNotFound(NotFoundError):
    """No graph of that name."""

    code = "not-found.graph"


class TableNotFound(NotFoundError):
    """No table of that name."""

    code = "not-found.table"
    hint = (
        "Create it with engine.create_table(name); engine.tables() lists the tables. "
        "If a graph was open, it was dropped meanwhile: open it again."
    )


class GroupNotFound(NotFoundError):
    """No group of that name in the schema."""

    code = "not-found.group"


class VertexNotFound(NotFoundError):
    """No such vertex, as far as the caller may see."""

    code = "not-found.vertex"


class EdgeNotFound(NotFoundError):
    """No such edge, as far as the caller may see."""

    code = "not-found.edge"


class PropertyNotFound(NotFoundError):
    """The group has no such property."""

    code = "not-found.property"


class IndexNotFound(NotFoundError):
    """No index of that name."""

    code = "not-found.index"


class CursorNotFound(NotFoundError):
    """No cursor of changes of that name."""

    code = "not-found.cursor"
    hint = "Make one that starts now: graph.changes(name). List them: graph.admin.cursors()."


class AttributeNotFound(NotFoundError, AttributeError):
    """A class, a question, a session or an answer has no such attribute; names the nearest."""

    code = "not-found.attribute"
    hint = "Use what the message names, or look at dir(...) for all that there is."


class SchemaError(LexigraphError):
    """The schema is wrong or disagrees with the stored one."""

    code = "schema"
    hint = "Fix the schema or class, or open the graph without a schema."


class ValidationError(SchemaError):
    """An element breaks its schema; says which element, which property and why."""

    code = "schema.validation"
    hint = ""

    def __init__(
        self,
        message: str,
        *,
        element: Any = None,
        property: str | None = None,  # noqa: A002 - the house's word for it
        reason: str | None = None,
        hint: str | None = None,
        **context: Any,
    ) -> None:
        super().__init__(
            message, hint=hint, element=element, property=property, reason=reason, **context
        )
        self.element, self.property, self.reason = element, property, reason


class MigrationError(SchemaError):
    """A schema change that stored data does not allow."""

    code = "schema.migration"
    hint = "Run the migration as a dry run first; it counts what would be lost."


class ConstraintError(LexigraphError):
    """A write breaks a rule of the table or schema; nothing of it was stored."""

    code = "constraint"
    hint = "Fix the write and send it again; nothing of it was stored."


class UniqueViolation(ConstraintError):
    """A value that must be unique is taken."""

    code = "constraint.unique"


class MultiplicityViolation(ConstraintError):
    """An edge that its label's multiplicity forbids."""

    code = "constraint.multiplicity"


class CardinalityViolation(ConstraintError):
    """More values than the property's cardinality allows."""

    code = "constraint.cardinality"


class StaticViolation(ConstraintError):
    """A change of a vertex whose class is static."""

    code = "constraint.static"


class QueryError(LexigraphError):
    """A query cannot be read or answered."""

    code = "query"
    hint = ""


class SyntaxProblem(QueryError):
    """The query text does not follow the language's grammar."""

    code = "query.syntax"

    def __init__(
        self,
        message: str,
        *,
        line: int = 1,
        column: int = 1,
        excerpt: str = "",
        hint: str | None = None,
        **context: Any,
    ) -> None:
        if excerpt:
            message = f"{message} (line {line}, column {column})\n  {excerpt}\n  " + (
                " " * (column - 1) + "^"
            )
        super().__init__(message, hint=hint, line=line, column=column, excerpt=excerpt, **context)
        self.line, self.column, self.excerpt = line, column, excerpt


class SemanticProblem(QueryError):
    """The query reads well but asks for something that makes no sense here."""

    code = "query.semantic"


class QueryTimeout(QueryError):
    """The query ran past its time limit."""

    code = "query.timeout"
    hint = "Narrow the query, or allow more time with timeout_s."


class QueryCancelled(QueryError):
    """The query was cancelled."""

    code = "query.cancelled"
    hint = "Run it again if you still need the answer."


class TransactionError(LexigraphError):
    """A transaction cannot go on."""

    code = "transaction"
    hint = "Start the transaction again from the beginning."


class Conflict(TransactionError):
    """Something that was read has changed since; nothing was written. Worth trying again."""

    code = "transaction.conflict"
    hint = "Take a new snapshot, read again and write again."
    retryable: ClassVar[bool] = True


class ReadOnly(TransactionError):
    """A write through something opened for reading."""

    code = "transaction.read-only"
    hint = "Open it without read_only=True, or ask the owner for the writer role."


class StoreError(LexigraphError, OSError):
    """The store below failed; the message says what is safe."""

    code = "store"
    hint = "Check the path, its permissions and the free disk space."


class Locked(StoreError):
    """Somebody else has what is needed; the message names whom."""

    code = "store.locked"
    hint = "Close the other user of the store, or wait longer with lock_timeout_s."


class Corruption(StoreError):
    """Stored bytes fail their check; names table and block."""

    code = "store.corruption"
    hint = "Run verify, then restore the table from a backup."


class FormatVersion(StoreError):
    """The files were written by a version this one cannot read."""

    code = "store.format-version"
    hint = "Open with the version that the message names, or export there and import here."


class Full(StoreError):
    """No space left; nothing of the batch was stored."""

    code = "store.full"
    hint = "Make room on the disk or raise map_size_bytes, and write the batch again."


class SnapshotExpired(StoreError):
    """A snapshot was kept past the age limit."""

    code = "store.snapshot-expired"
    hint = "Take a new snapshot; raise the age limit only if readers really need longer."


class CursorExpired(StoreError):
    """A cursor of changes fell behind: entries that it has not seen were removed."""

    code = "store.cursor-expired"
    hint = (
        "Call restart() of the feed, then read the graph again to rebuild what you made of its "
        "changes."
    )


class ClusterError(StoreError):
    """The cluster could not do what was asked."""

    code = "store.cluster"
    hint = "Check that the cluster runs, and that its address and user are correct."


class Unreachable(ClusterError):
    """No server answered in time."""

    code = "store.cluster.unreachable"


class Authorization(ClusterError):
    """The cluster refused the user or a permission."""

    code = "store.cluster.authorization"
    hint = "Ask an administrator to grant the permission."


class UnsupportedError(LexigraphError, NotImplementedError):
    """This engine or layout cannot do it; names the feature and a way around."""

    code = "unsupported"
    hint = "Use another engine or layout."


class InternalError(LexigraphError):
    """A defect of Lexigraph itself."""

    code = "internal"
    hint = "This is our bug: please report it with the message and the steps that led here."
