"""Generated expressions, valid and broken."""

from __future__ import annotations

from hypothesis import strategies as st

from lexigraph.security import quote

# Few tokens, so that siblings often repeat; some need quotes, one is not UTF-8.
TOKENS = [b"A", b"B", b"C", b"a b", b'"', b"\\", b"\xff", "é".encode()]

tokens = st.sampled_from(TOKENS)
any_token = st.binary(min_size=1, max_size=20)


def _needlessly_quoted(token: bytes) -> bytes:
    written = quote(token)
    return written if written.startswith(b'"') else b'"' + written + b'"'


terms = tokens.flatmap(lambda token: st.sampled_from([quote(token), _needlessly_quoted(token)]))


def _groups(inner: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    bracketed = inner.map(lambda expression: b"(" + expression + b")")
    members = st.lists(terms | bracketed, min_size=1, max_size=4)
    return st.builds(
        lambda operator, parts: operator.join(parts), st.sampled_from([b"&", b"|"]), members
    )


expressions = st.recursive(terms, _groups, max_leaves=12) | st.just(b"")

_noise = st.sampled_from([b"&", b"|", b"(", b")", b'"', b"\\", b"A", b" ", b"\x00", b"\xff", b""])


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Take an expression and put, drop or change a few bytes; the result may still be valid."""
    expression = draw(expressions)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(expression)))
        dropped = draw(st.integers(0, 2))
        expression = expression[:at] + draw(_noise) + expression[at + dropped :]
    return expression
