"""Visibility expressions: who may see a cell.

A ``Visibility`` is valid once it exists; the bytes it was made from stay as they are, because
``A&B`` and ``B&A`` are two labels of two different cells. Security layer.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexigraph.errors import InvalidVisibility, UsageError
from lexigraph.security.authorizations import ALL, All, Authorizations
from lexigraph.security.grammar import LabelNode, NodeKind, parse
from lexigraph.security.normal import write_sorted
from lexigraph.types import to_bytes


class Visibility:
    """A parsed visibility expression. The empty one is visible to everyone.

    >>> label = Visibility("admin&(audit|legal)")
    >>> label.evaluate(Authorizations(["admin", "legal"]))
    True
    >>> label.evaluate(["admin"])
    False
    """

    __slots__ = ("_expression", "_nodes")

    def __init__(self, expression: str | bytes = b"") -> None:
        self._expression = to_bytes(expression, what="visibility", error=InvalidVisibility)
        self._nodes = parse(self._expression)

    @staticmethod
    def is_valid(expression: str | bytes) -> bool:
        """Return whether an expression follows the grammar, without raising.

        >>> Visibility.is_valid("A&(B|C)"), Visibility.is_valid("A&B|C")
        (True, False)
        """
        try:
            Visibility(expression)
        except InvalidVisibility:
            return False
        return True

    @property
    def expression(self) -> bytes:
        """The bytes it was made from, unchanged: the label as a cell stores it."""
        return self._expression

    @property
    def tree(self) -> LabelNode | None:
        """The root of the parsed expression, as written; None if it is empty.

        >>> Visibility("A|B").tree.children
        (Node(TERM, b'A'), Node(TERM, b'B'))
        """
        return self._nodes[-1] if self._nodes else None

    @property
    def tokens(self) -> frozenset[bytes]:
        """Every token that the expression names, unquoted.

        >>> sorted(Visibility('A&("b c"|A)').tokens)
        [b'A', b'b c']
        """
        return frozenset(node.token for node in self._nodes if node.kind is NodeKind.TERM)

    def evaluate(self, authorizations: Iterable[str | bytes] | All) -> bool:
        """Return whether a reader with these authorizations sees what has this label.

        >>> Visibility("A|B").evaluate(Authorizations(["B"])), Visibility("A").evaluate(ALL)
        (True, True)
        """
        if authorizations is ALL:
            return True
        held = Authorizations(authorizations)
        if not self._nodes:
            return True
        values: list[bool] = []
        for node in self._nodes:
            if node.kind is NodeKind.TERM:
                values.append(node.token in held)
            elif node.kind is NodeKind.AND:
                values.append(all(values[child.index] for child in node.children))
            else:
                values.append(any(values[child.index] for child in node.children))
        return values[-1]

    def flatten(self) -> Visibility:
        """Return the sorted form with every term as it was written, as Accumulo's ``flatten``.

        >>> Visibility('(C|"B")&(A&(A))').flatten()
        Visibility('A&("B"|C)')
        """
        return Visibility(write_sorted(self._nodes, self._expression))

    def normalise(self) -> Visibility:
        """Return the one form that equal expressions share: sorted, without needless quotes.

        >>> Visibility('(C|"B")&(A&"A")').normalise()
        Visibility('A&(B|C)')
        """
        return Visibility(write_sorted(self._nodes))

    def __bytes__(self) -> bytes:
        """Return the label as a cell stores it."""
        return self._expression

    def __str__(self) -> str:
        r"""Return the expression as text; bytes that are not UTF-8 come as ``\xNN``."""
        return self._expression.decode("utf-8", "backslashreplace")

    def __repr__(self) -> str:
        """Show the expression as the call that makes it."""
        try:
            return f"Visibility({self._expression.decode()!r})"
        except UnicodeDecodeError:
            return f"Visibility({self._expression!r})"

    def __eq__(self, other: object) -> bool:
        """Compare the bytes: equal labels of cells, not equivalent ones."""
        return isinstance(other, Visibility) and self._expression == other._expression

    def __hash__(self) -> int:
        """Hash the bytes, in step with equality."""
        return hash((Visibility, self._expression))

    def __reduce__(self) -> tuple[type[Visibility], tuple[bytes]]:
        """Pickle the bytes alone: a deep tree would exhaust the pickler's stack."""
        return Visibility, (self._expression,)


Label = str | bytes | Visibility
"""A label as people write it; text stands for its UTF-8."""


def label_bytes(
    label: Label, *, what: str = "visibility", error: type[UsageError] = InvalidVisibility
) -> bytes:
    """Return a label as a cell stores it; text is not parsed.

    >>> label_bytes(Visibility("A&B")), label_bytes("A")
    (b'A&B', b'A')
    """
    return (
        label.expression
        if isinstance(label, Visibility)
        else to_bytes(label, what=what, error=error)
    )


def conjunction(labels: Iterable[str | bytes | Visibility]) -> Visibility:
    """Return the normalised AND of several labels: the label of what was merged from them.

    Empty labels ask for nothing and drop out.

    >>> conjunction(["B|C", b"A", "", "C|B"])
    Visibility('A&(B|C)')
    """
    parts = [label if isinstance(label, Visibility) else Visibility(label) for label in labels]
    joined = b"&".join(b"(" + part.expression + b")" for part in parts if part.expression)
    return Visibility(joined).normalise()
