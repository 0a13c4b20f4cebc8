"""Rules as classes of elements declare them: a condition, and what merges do with what breaks it.

Layer ``schema``. A bare condition is a rule that removes nothing that could count again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lexigraph.errors import InvalidOption, show
from lexigraph.schema.conditions import FieldCondition, as_condition


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredRule:
    """A condition for ``check=`` or ``rules``, with ``remove``."""

    condition: FieldCondition
    remove: bool = False

    def __repr__(self) -> str:
        """Show it as it was written."""
        return f"rule({self.condition!r}, remove={self.remove})"


def rule(condition: Any, *, remove: bool = False) -> DeclaredRule:
    """Return a rule for ``check=`` or ``rules``, made from a condition.

    With ``remove=True``, merges remove elements that break the rule, even if the rule is about
    merged values. This frees space, but later answers depend on when merges ran.

    >>> from lexigraph.schema.fields import this
    >>> rule(this <= 10, remove=True)
    rule(this <= 10, remove=True)
    """
    if not isinstance(remove, bool):
        raise InvalidOption(f"'remove' of a rule is True or False, not {show(remove)}")
    return DeclaredRule(as_condition(condition), remove)


def as_rule(value: Any) -> DeclaredRule:
    """Return a rule as it is; make one of a condition."""
    return value if isinstance(value, DeclaredRule) else DeclaredRule(as_condition(value))
