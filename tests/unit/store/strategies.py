"""Small universes of keys and cells, so that equal and neighbouring ones are common."""

from __future__ import annotations

from hypothesis import strategies as st

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell, Key
from lexigraph.cells.ranges import Range, order

parts = st.sampled_from([b"", b"a", b"a\x00", b"b", b"\xff"])
timestamps = st.sampled_from([MIN_TIMESTAMP, 1, 2, MAX_TIMESTAMP])
keys = st.builds(Key, parts, parts, st.just(b""), st.just(b""), timestamps, st.booleans())


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    start, end = draw(st.none() | keys), draw(st.none() | keys)
    if start is not None and end is not None and order(start) > order(end):
        start, end = end, start
    return Range(start, draw(st.booleans()), end, draw(st.booleans()))


cells = st.builds(
    Cell,
    parts,
    parts,
    parts,
    st.sampled_from([b"", b"A"]),
    timestamps,
    st.booleans(),
    st.binary(max_size=3),
)
