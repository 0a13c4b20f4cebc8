r"""The grammar of visibility expressions, byte for byte as Apache Accumulo 2.1 reads it.

Terms are joined with only ``&`` or only ``|``; brackets are needed to mix them. A term is plain
(letters, digits, ``_ - . : /``) or in double quotes, where it may hold any byte and ``\`` stands
only before ``"`` and ``\``. Security layer. Nothing in here may recurse: a stored label can nest
as deep as it is long.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

from lexigraph.errors import InvalidVisibility
from lexigraph.types import to_bytes

_PLAIN = re.compile(rb"[A-Za-z0-9_\-.:/]+")
# Possessive, so that a long or hostile label costs one pass and no backtracking.
_QUOTED = re.compile(rb'"((?:[^"\\]++|\\["\\])*+)"')
_ESCAPE = re.compile(rb'\\(["\\])')
_NEEDS_ESCAPE = re.compile(rb'(["\\])')

_AND, _OR, _OPEN, _CLOSE, _QUOTE, _BACKSLASH = b'&|()"\\'


class NodeKind(IntEnum):
    """What a node is. The order is the order of siblings in a flattened expression."""

    TERM = 1
    OR = 2
    AND = 3


class LabelNode:
    """One node of a parsed expression: ``expression[start:end]`` is how it was written.

    Only terms have a ``token`` (unquoted), only AND and OR have ``children``. ``index`` is the
    node's place in the list that ``parse`` returns: children come before their parents.
    """

    __slots__ = ("children", "end", "index", "kind", "start", "token")

    def __init__(
        self,
        kind: NodeKind,
        start: int,
        end: int,
        index: int,
        token: bytes,
        children: tuple[LabelNode, ...],
    ) -> None:
        self.kind, self.start, self.end, self.index = kind, start, end, index
        self.token, self.children = token, children

    def __repr__(self) -> str:
        """Show the node without its descendants, which may be many."""
        if self.kind is NodeKind.TERM:
            return f"Node(TERM, {self.token!r})"
        return f"Node({self.kind.name}, {len(self.children)} children)"


def quote(term: str | bytes) -> bytes:
    r"""Write a token so that it reads back as itself; plain tokens stay as they are.

    The empty token has no written form; like Accumulo, ``quote`` gives it back empty.

    >>> quote("org/unit.9"), quote('say "hi"')
    (b'org/unit.9', b'"say \\"hi\\""')
    """
    raw = to_bytes(term, what="term")
    if not raw or _PLAIN.fullmatch(raw):
        return raw
    return b'"' + _NEEDS_ESCAPE.sub(rb"\\\1", raw) + b'"'


class _Group:
    """The brackets being read: operator so far, finished children, where it was opened."""

    __slots__ = ("children", "operator", "start")

    def __init__(self, start: int) -> None:
        self.start, self.operator = start, 0
        self.children: list[LabelNode] = []


def parse(expression: bytes) -> Sequence[LabelNode]:
    """Return the nodes of an expression, children first, the root last; none if it is empty.

    >>> parse(b"A&(B|C)")
    [Node(TERM, b'A'), Node(TERM, b'B'), Node(TERM, b'C'), Node(OR, 2 children), \
Node(AND, 2 children)]
    >>> parse(b"A&B|C")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidVisibility: & and | cannot be mixed without brackets
      A&B|C
         ^
    """
    nodes: list[LabelNode] = []
    if not expression:
        return nodes
    position, length = 0, len(expression)
    group = _Group(0)
    outer: list[_Group] = []
    operand: LabelNode | None = None
    while position < length:
        byte = expression[position]
        if byte in (_AND, _OR):
            if operand is None:
                raise _missing_term(expression, position)
            if group.operator not in (0, byte):
                raise _problem("& and | cannot be mixed without brackets", expression, position)
            group.operator = byte
            group.children.append(operand)
            operand = None
            position += 1
        elif byte == _CLOSE:
            if operand is None:
                raise _missing_term(expression, position)
            if not outer:
                raise _problem("this bracket closes nothing", expression, position)
            operand = _close(group, operand, position, nodes)
            group = outer.pop()
            position += 1
        elif byte == _OPEN:
            if operand is not None:
                raise _missing_operator(expression, position)
            outer.append(group)
            position += 1
            group = _Group(position)
        else:
            end, token = _read_term(expression, position)
            if operand is not None:
                raise _missing_operator(expression, position)
            operand = LabelNode(NodeKind.TERM, position, end, len(nodes), token, ())
            nodes.append(operand)
            position = end
    if operand is None:
        raise _missing_term(expression, position)
    if outer:
        raise _problem("this bracket is never closed", expression, group.start - 1)
    _close(group, operand, position, nodes)
    return nodes


def _close(group: _Group, last: LabelNode, end: int, nodes: list[LabelNode]) -> LabelNode:
    if not group.operator:
        return last
    kind = NodeKind.AND if group.operator == _AND else NodeKind.OR
    node = LabelNode(kind, group.start, end, len(nodes), b"", (*group.children, last))
    nodes.append(node)
    return node


def _read_term(expression: bytes, position: int) -> tuple[int, bytes]:
    if plain := _PLAIN.match(expression, position):
        return plain.end(), plain.group()
    if expression[position] != _QUOTE:
        raise _problem("this character is only allowed inside quotes", expression, position)
    quoted = _QUOTED.match(expression, position)
    if quoted is None:
        raise _bad_quotes(expression, position)
    token = quoted.group(1)
    if not token:
        raise _problem("quotes must hold at least one character", expression, position)
    return quoted.end(), _ESCAPE.sub(rb"\1", token) if b"\\" in token else token


def _bad_quotes(expression: bytes, start: int) -> InvalidVisibility:
    position = start + 1
    while (position := expression.find(b"\\", position)) >= 0:
        if expression[position + 1 : position + 2] not in (b'"', b"\\"):
            return _problem('inside quotes \\ may only stand before " and \\', expression, position)
        position += 2
    return _problem("this quote is never closed", expression, start)


def _missing_term(expression: bytes, position: int) -> InvalidVisibility:
    return _problem("a term is missing here", expression, position)


def _missing_operator(expression: bytes, position: int) -> InvalidVisibility:
    return _problem("& or | is missing here", expression, position)


def _problem(message: str, expression: bytes, position: int) -> InvalidVisibility:
    return InvalidVisibility.at(message, expression, position)
