"""What a transform is: a named function from selected values to projected ones.

Layer ``functions``. Transforms run in the client, behind the last filter that is pushed down. A
value that is absent comes in as ``None``, and ``None`` that goes out makes the field absent. One
that gives several values gives a tuple.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from lexigraph.errors import InvalidOption, InvalidValue, LexigraphError, show
from lexigraph.functions.options import Option, read_options


class Transform(ABC):
    """One function over values; subclass it and register it with ``TRANSFORMS.register``.

    >>> from lexigraph.functions.transforms.registry import transform_for
    >>> transform_for("concat", {"separator": "-"})("a", "b")
    'a-b'
    """

    name: ClassVar[str]
    options: ClassVar[Mapping[str, Option]] = {}
    inputs: ClassVar[int | None] = 1
    """How many values it takes; ``None`` for any number."""

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self.settings = read_options(f"transform {self.name!r}", self.options, options or {})

    @abstractmethod
    def apply(self, *values: Any) -> Any:
        """Return the value for these; ``None`` stands for an absent one."""

    def __call__(self, *values: Any) -> Any:
        """Apply it, and say what was wrong with values that it cannot take."""
        if self.inputs is not None and len(values) != self.inputs:
            raise InvalidOption(
                f"transform {self.name!r} takes {self.inputs} values, not {len(values)}"
            )
        try:
            return self.apply(*values)
        except LexigraphError:
            raise
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            shown = ", ".join(show(value) for value in values)
            raise InvalidValue(f"transform {self.name!r} of {shown}: {error}") from error

    def to_json(self) -> dict[str, Any]:
        """Write it: the options that are not the default stand beside the name."""
        given = {
            name: value
            for name, value in self.settings.items()
            if value != self.options[name].default
        }
        return {"name": self.name, **given}

    def __repr__(self) -> str:
        """Show the name and the options."""
        return f"<transform {self.to_json()}>"


class OfPresent(Transform):
    """A transform that gives nothing for nothing."""

    def apply(self, *values: Any) -> Any:
        """Skip absent values."""
        return None if values[0] is None else self.of(values[0])

    @abstractmethod
    def of(self, value: Any) -> Any:
        """Return the value for one that is there."""
