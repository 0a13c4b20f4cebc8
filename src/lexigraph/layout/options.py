"""Variations of a layout with two rows for each edge: the options that Gaffer's guide dreams of.

Layer ``layout``. Each helps some questions at the cost of others; the defaults are the documented
rows. Options are kept with a graph and never change what stored bytes mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from lexigraph.errors import InvalidOption, nearest, show

NEIGHBOUR, DUPLICATES = "neighbour", "duplicates"
MAX_SHARDS = 128
MAX_GROUPS = 255


@dataclass(frozen=True, slots=True)
class KeyOptions:
    """How rows and columns differ from the documented ones.

    >>> KeyOptions(shards=8).to_json()
    {'shards': 8}
    >>> KeyOptions.from_json({"shard": 8})
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: a layout has no option 'shard' (did you mean: shards, shard_by?)
    """

    shards: int = 1
    """Rows start with one of so many shards, so that the edges of one vertex lie in several parts
    of the table and can be read by as many machines. Every question about a vertex asks them all.
    """
    shard_by: str = NEIGHBOUR
    """What decides the shard of an edge: ``neighbour``, its two ends; ``duplicates``, chance for
    groups that keep duplicates (thousands of them may have one key), its ends for the others."""
    short_columns: bool = False
    """The family is two bytes, what kind of row it is and which group, and the row ends without
    its flag."""
    fixed_length: bool = False
    """Ids of one width stand in rows as they are: no escapes, no delimiters."""
    table_per_group: bool = False
    """Each group has a table of its own."""
    group_numbers: Mapping[str, int] = field(default_factory=dict)
    """Which byte stands for which group in short columns; new groups take the next one."""

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        """Check each option."""
        if not _is_int(self.shards) or not 1 <= self.shards <= MAX_SHARDS:
            raise InvalidOption(f"shards is 1 to {MAX_SHARDS}, not {show(self.shards)}")
        if self.shard_by not in (NEIGHBOUR, DUPLICATES):
            raise InvalidOption(
                f"shard_by is {NEIGHBOUR!r} or {DUPLICATES!r}, not {show(self.shard_by)}"
            )
        for name in ("short_columns", "fixed_length", "table_per_group"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidOption(f"{name} is true or false, not {show(getattr(self, name))}")
        numbers = self.group_numbers
        good = isinstance(numbers, Mapping) and all(
            isinstance(group, str) and _is_int(number) and 1 <= number <= MAX_GROUPS
            for group, number in numbers.items()
        )
        if not good or len(set(numbers.values())) < len(numbers):
            raise InvalidOption(
                f"group_numbers gives each group a number of its own, 1 to {MAX_GROUPS}, "
                f"not {show(numbers)}"
            )

    def to_json(self) -> dict[str, Any]:
        """Write what is not the default."""
        usual = asdict(KeyOptions())
        return {name: value for name, value in asdict(self).items() if value != usual[name]}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> KeyOptions:
        """Read options; unknown ones are refused."""
        known = [item.name for item in fields(KeyOptions)]
        for name in data:
            if name not in known:
                raise InvalidOption(
                    f"a layout has no option {name!r}",
                    near=nearest(name, known),
                    hint=f"Available: {', '.join(known)}.",
                )
        return KeyOptions(**data)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
