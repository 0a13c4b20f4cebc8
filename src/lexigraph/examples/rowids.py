"""Row ids that sort by how they are asked for: reversed domains, time buckets, shards.

Layer ``examples``. A page's visits lie in rows ``com.google.code_201003``: pages of one domain are
neighbours, no row grows for ever, and a question about some months reads the rows of those months
and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from lexigraph import ALL, Mutations, Range, Table
from lexigraph.codec import KeyRange
from lexigraph.codec.rowid import RowPlan, reverse_domain

BY_MONTH = RowPlan(bucket="month", form="plain")
BY_SHARD = RowPlan(shards=3, form="plain")

Visit = tuple[str, date, str]
"""A domain, the day, and who came."""


def sample_visits() -> Iterator[Visit]:
    """Yield a visit a day to each of three pages, from March to May 2010.

    >>> next(sample_visits()), len(list(sample_visits()))
    (('code.google.com', datetime.date(2010, 3, 1), 'v0'), 276)
    """
    for number in range(92):
        for domain in ("code.google.com", "labs.google.com", "mail.yahoo.com"):
            yield domain, date(2010, 3, 1) + timedelta(days=number), f"v{number}"


def write_visits(table: Table, visits: Iterable[Visit], plan: RowPlan = BY_MONTH) -> int:
    """Write each visit to the row that the plan gives it; return the commit timestamp.

    >>> from lexigraph import MemoryEngine
    >>> table = MemoryEngine().create_table("visits")
    >>> _ = write_visits(table, sample_visits())
    >>> _ = write_visits(table, sample_visits(), BY_SHARD)
    >>> sorted({cell.row.decode() for cell in table.scan(ranges=[Range.prefix("com.google.c")])})
    ... # doctest: +NORMALIZE_WHITESPACE
    ['com.google.code_00', 'com.google.code_01', 'com.google.code_02',
     'com.google.code_201003', 'com.google.code_201004', 'com.google.code_201005']
    """
    batch = Mutations()
    for domain, day, visitor in visits:
        moment = day if plan.bucket else None
        row = plan.row(reverse_domain(domain).encode(), moment=moment, spread=visitor.encode())
        batch.put(row, "visit", f"{day} {visitor}")
    return table.write(batch)


def months_of(domain: str, first: date, last: date) -> list[Range]:
    """Return the ranges that hold a page's visits between two days: whole months, nothing else.

    >>> ranges = months_of("code.google.com", date(2010, 3, 9), date(2010, 4, 2))
    >>> [item.start.row for item in ranges]
    [b'com.google.code_201003', b'com.google.code_201004']
    """
    identifier = reverse_domain(domain).encode()
    return key_ranges(BY_MONTH.ranges_of(identifier, dates=(first, last)))


def visits_between(table: Table, domain: str, first: date, last: date) -> list[str]:
    """Return a page's visits from ``first`` to ``last``: whole months are read, days are cut out.

    >>> from lexigraph import MemoryEngine
    >>> table = MemoryEngine().create_table("visits")
    >>> _ = write_visits(table, sample_visits())
    >>> visits_between(table, "code.google.com", date(2010, 4, 29), date(2010, 5, 1))
    ['2010-04-29 v59', '2010-04-30 v60', '2010-05-01 v61']
    """
    days = {"start": f"{first}", "end": f"{last + timedelta(days=1)}", "end_inclusive": False}
    cells = table.scan(ranges=months_of(domain, first, last), stages=[("qualifier-slice", days)])
    return [cell.qualifier.decode() for cell in cells]


def cells_in(table: Table, ranges: Iterable[Range]) -> int:
    """Count the cells that lie in some ranges: what a scan of these ranges has to look at.

    The owner's view, before any stage of the scan chooses among them.

    >>> from lexigraph import MemoryEngine
    >>> table = MemoryEngine().create_table("visits")
    >>> _ = write_visits(table, sample_visits())
    >>> march = months_of("code.google.com", date(2010, 3, 9), date(2010, 3, 10))
    >>> cells_in(table, march), cells_in(table, [Range()])
    (31, 276)
    """
    return sum(1 for _ in table.scan(ranges=ranges, authorizations=ALL))


def key_ranges(pairs: Iterable[KeyRange]) -> list[Range]:
    """Turn the codec's pairs of start and end into ranges of whole rows.

    >>> key_ranges([(b"a", b"b")])[0].contains(Range.row(b"b").start)
    False
    """
    return [Range.rows(start, end, end_inclusive=False) for start, end in pairs]
