"""All edges, and ways of several steps, in SQL, for systems whose edges are rows of two numbers."""

from __future__ import annotations

_START = "SELECT number FROM vertices WHERE id = ?"
_SECOND = f"""edges one JOIN edges two ON two.source = one.destination
    WHERE one.source = ({_START})"""

EDGES = """SELECT a.id AS source, b.id AS destination, day, weight FROM edges
    JOIN vertices a ON a.number = source JOIN vertices b ON b.number = destination"""

WALK_ENDS = {
    2: f"SELECT count(DISTINCT two.destination) FROM {_SECOND}",
    3: f"""WITH second AS MATERIALIZED (SELECT DISTINCT two.destination AS v FROM {_SECOND})
        SELECT count(DISTINCT destination) FROM second JOIN edges ON source = v""",
}


def hops(steps: int) -> str:
    """Count what lies within so many steps, less what lies within one step fewer."""
    within = [f"w0 AS MATERIALIZED ({_START.replace('number', 'number AS v')})"]
    for step in range(1, steps + 1):
        before = f"w{step - 1}"
        within.append(
            f"w{step} AS MATERIALIZED (SELECT destination AS v FROM {before} JOIN edges"
            f" ON source = v UNION SELECT v FROM {before})"
        )
    fewer = f"(SELECT count(*) FROM w{steps - 1})"
    return f"WITH {', '.join(within)} SELECT (SELECT count(*) FROM w{steps}) - {fewer}"
