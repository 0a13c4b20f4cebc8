"""What the element stages share: their plan, and ranges widened to whole groups of cells.

Layer ``store``. A result lies in a scan when its own key does; so a stage that makes one cell of
several reads every group whole and then looks at the key of what it made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lexigraph.cells.cell import MAX_TIMESTAMP, Key
from lexigraph.cells.ranges import Range, following_key
from lexigraph.errors import InvalidOption, nearest
from lexigraph.keyplan import KeyPlan
from lexigraph.store.stages.base import CellSource, StageContext, StageScope
from lexigraph.store.stages.cells.cell_stage import CellStage
from lexigraph.store.stages.options import TEXT, StageOption

PLAN = StageOption("plan", TEXT, required=True)


class ElementStage(CellStage):
    """A stage that reads cells by the key plan that its option ``plan`` names."""

    options: ClassVar[tuple[StageOption, ...]] = (PLAN,)
    scan_only: ClassVar[bool] = False
    """Whether what it gives no longer fits its plan, so that a merge could never run it twice."""

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        if self.scan_only and context.scope is not StageScope.SCAN:
            raise InvalidOption(
                f"stage {self.name!r} changes what cells mean and runs in scans only",
                hint="Merge with 'aggregate' or 'filter', and put this stage into the scan.",
            )
        self.plan = find_plan(self.settings["plan"], context)


def find_plan(name: str, context: StageContext) -> KeyPlan:
    """Return the plan of that name, compiled.

    >>> find_plan("calls", StageContext())
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: there is no key plan 'calls'
    """
    plans = context.plans
    if name not in plans:
        raise InvalidOption(
            f"there is no key plan {name!r}",
            near=nearest(name, plans),
            hint="Pass it in 'plans' of the scan or table, or name it with 'as' in an earlier "
            "roll-up.",
        )
    plan = KeyPlan.parse(plans[name], f"plans.{name}")
    # The next stage of the stack finds it compiled.
    plans[name] = plan
    return plan


def widen_to_columns(range: Range) -> Range:
    """Move both ends outwards to whole columns.

    >>> inside = Range(Key(b"r", timestamp=5), True, Key(b"r", timestamp=3), True)
    >>> widen_to_columns(inside).contains(Key(b"r", timestamp=9))
    True
    """
    start, end = range.start, range.end
    first = start and start._replace(timestamp=MAX_TIMESTAMP, deleted=True)
    return _widen(range, first, end and following_key(end[:4]))


def widen_to_families(range: Range) -> Range:
    """Move both ends outwards to all of their family within their row.

    >>> inside = Range(Key(b"r", b"f", b"q"), True, Key(b"r", b"f", b"q"), True)
    >>> widen_to_families(inside).contains(Key(b"r", b"f", b"a"))
    True
    """
    start, end = range.start, range.end
    first = start and Key(start.row, start.family, deleted=True)
    return _widen(range, first, end and following_key(end[:2]))


def _widen(range: Range, start: Key | None, end: Key | None) -> Range:
    return range if range.empty else Range(start, True, end, False)
