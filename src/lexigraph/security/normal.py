"""One form for all the ways to write the same expression.

Nested groups of the same operator are rolled up, siblings are sorted and deduplicated (terms,
then ORs, then ANDs; shorter groups first), groups of one are lifted. Security layer. The result
is equivalent to what went in, and putting it in again gives it back unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key

from lexigraph.security.grammar import LabelNode, NodeKind, quote


class _Form:
    """A node in its final order; ``text`` is how a term is written."""

    __slots__ = ("children", "kind", "text")

    def __init__(self, kind: NodeKind, text: bytes, children: list[_Form]) -> None:
        self.kind, self.text, self.children = kind, text, children


def write_sorted(nodes: Sequence[LabelNode], expression: bytes | None = None) -> bytes:
    """Write the nodes that ``parse`` gave in sorted form.

    Terms stay as written in ``expression``; without it each token is quoted afresh, which is
    what makes ``"A"`` and ``A`` one term.
    """
    absorbed = bytearray(len(nodes))
    for node in nodes:
        for child in node.children:
            absorbed[child.index] = child.kind is node.kind
    forms: list[_Form | None] = []
    for node in nodes:
        if node.kind is NodeKind.TERM:
            written = quote(node.token) if expression is None else expression[node.start : node.end]
            forms.append(_Form(NodeKind.TERM, written, []))
        elif absorbed[node.index]:
            # Its parent gathers its children: sorting them at each level of a long chain would
            # take quadratic time.
            forms.append(None)
        else:
            forms.append(_sort(node.kind, _gather(node, forms)))
    root = forms[-1] if forms else None
    return _write(root) if root is not None else b""


def _gather(node: LabelNode, forms: list[_Form | None]) -> list[_Form]:
    gathered: list[_Form] = []
    pending = list(node.children)
    while pending:
        child = pending.pop()
        form = forms[child.index]
        if form is None:
            pending.extend(child.children)
        elif form.kind is node.kind:
            gathered.extend(form.children)
        else:
            gathered.append(form)
    return gathered


def _sort(kind: NodeKind, children: list[_Form]) -> _Form:
    children.sort(key=_order)
    distinct = children[:1]
    for child in children[1:]:
        if _compare(distinct[-1], child):
            distinct.append(child)
    return distinct[0] if len(distinct) == 1 else _Form(kind, b"", distinct)


def _compare(a: _Form, b: _Form) -> int:
    pending = [(a, b)]
    while pending:
        a, b = pending.pop()
        if a.kind is not b.kind:
            return a.kind - b.kind
        if a.text != b.text:
            return -1 if a.text < b.text else 1
        if len(a.children) != len(b.children):
            return len(a.children) - len(b.children)
        pending.extend(reversed(list(zip(a.children, b.children, strict=True))))
    return 0


_order = cmp_to_key(_compare)


def _write(root: _Form) -> bytes:
    out: list[bytes] = []
    pending: list[_Form | bytes] = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, bytes):
            out.append(item)
        elif item.kind is NodeKind.TERM:
            out.append(item.text)
        else:
            operator = b"&" if item.kind is NodeKind.AND else b"|"
            for place, child in enumerate(reversed(item.children)):
                if place:
                    pending.append(operator)
                pending.extend([child] if child.kind is NodeKind.TERM else [b")", child, b"("])
    return b"".join(out)
