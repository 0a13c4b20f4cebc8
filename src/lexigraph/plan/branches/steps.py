"""The client's half of a view: the steps of one group that no stage runs.

Layer ``plan``. Takes elements as cells gave them and gives those of the answer. Whatever a scan has
done already is not done again; the order of the steps is that of ``algebra.Steps``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.codec import codec_for
from lexigraph.functions import Aggregator, parse_predicate
from lexigraph.functions.predicates.base import Test
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.fields import GroupFields, PlanField
from lexigraph.plan.branches.aggregators import merges, other_aggregators
from lexigraph.plan.branches.branch import Branch
from lexigraph.plan.branches.merging import Merger, fields_after, make_merger
from lexigraph.plan.branches.present import Presenter, plain_field, reader_of, results_of
from lexigraph.plan.element import Element
from lexigraph.plan.logical.elements import Derive, Elements, Where
from lexigraph.plan.scope import Scope

E = TypeVar("E", bound=Element)

_IDS = ("vertex", "source", "destination", "directed")


class GroupSteps:
    """What the client does with the elements of one group."""

    def __init__(
        self, name: str, asked: Elements, branch: Branch, scope: Scope, *, shows_matched: bool
    ) -> None:
        keys = scope.keys
        # The time of filters about age: the same that the engine goes by in those it runs itself.
        now = scope.time
        group, steps = keys.group(name), asked.view[name]
        self._name, self._keys, self._now = name, keys, now
        self.presenter = Presenter(group, keys, shows_matched=shows_matched)
        self.merger = None
        started: Mapping[str, Aggregator] = branch.aggregators.get(name, {})
        if name in branch.merged and merges(group, steps, by_visibility=asked.by_visibility):
            self.merger = make_merger(group, steps, keys, by_visibility=asked.by_visibility)
            started = other_aggregators(group, steps, keys)
        self._calls = [one.call for one in steps.before if one.call is not None]
        fields = fields_after(group, keys, started)
        after = [one for one in steps.after if one.call or not branch.pushes_after]
        self._after = self._tests(after, GroupFields([fields], f"group {name!r}", now))
        self._made = [(plain_field(n), n) for one in steps.derived_by for n in one.into]
        self._transforms = [AppliedTransform(one) for one in steps.transforms]
        for transient, kind in steps.transient.items():
            field = plain_field(transient)
            fields[field] = PlanField(field, codec_for(kind.codec))
        self._last = self._tests(steps.last, GroupFields([fields], f"group {name!r}", now))
        self._keep = None if steps.keep is None else frozenset(steps.keep)
        self._drop = frozenset(steps.drop)

    def _tests(self, filters: Iterable[Where], fields: GroupFields) -> list[Test]:
        tests: list[Test] = []
        for one in filters:
            if one.call is not None:
                tests.append(self._calling(one.call))
            if one.where is not None:
                where = self._keys.predicate(self._name, one.where, self._now)
                tests.append(parse_predicate(where, bytes_from_json).bind(fields))
        return tests

    def _calling(self, call: Callable[[Element], bool]) -> Test:
        return lambda element: call(self._shown(element))

    def _shown(self, element: StoredElement) -> Element:
        """Present an element with what it was merged by."""
        shown = self.presenter.present(element)
        if not self._made:
            return shown
        held = element.properties
        made = {name: held[field] for field, name in self._made if field in held}
        return replace(shown, properties={**shown.properties, **made})

    @property
    def left_to_do(self) -> str | None:
        """What the client has to leave out or merge, as a reason; ``None`` if nothing."""
        if self.merger:
            return f"elements of {self._name!r} merge in the client"
        if self._calls or self._after:
            return f"a filter of {self._name!r} runs in the client"
        return f"a filter of {self._name!r} comes after its transforms" if self._last else None

    def admit(self, element: StoredElement) -> bool:
        """Run the filters before merging."""
        if not self._calls:
            return True
        shown = self.presenter.present(element)
        return all(call(shown) for call in self._calls)

    def passes(self, element: StoredElement) -> bool:
        """Run the filters after merging."""
        return all(test(element) for test in self._after)

    def present(self, element: StoredElement) -> Element | None:
        """Transform, filter for the last time, and keep the properties that are asked for."""
        shown = self._shown(element)
        for transform in self._transforms:
            shown = transform.apply(shown)
        if self._last:
            stored = self.presenter.store(shown, element)
            if not all(test(stored) for test in self._last):
                return None
        if self._keep is None and not self._drop:
            return shown
        return replace(shown, properties=self._project(shown.properties))

    def _project(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        keep, drop = self._keep, self._drop
        return {
            name: item
            for name, item in properties.items()
            if (keep is None or name in keep) and name not in drop
        }


class AppliedTransform:
    """A function of some properties, ready to be called for elements."""

    def __init__(self, transform: Derive) -> None:
        self._transform = transform
        self._readers = [reader_of(name) for name in transform.fields]

    def apply(self, element: E) -> E:
        """Return the element with what the function makes."""
        transform = self._transform
        into = transform.into
        values = results_of(transform, (read(element) for read in self._readers))
        properties = dict(element.properties)
        ids: dict[str, Any] = {}
        for name, value in zip(into, values, strict=True):
            if name in _IDS and name not in element.properties:
                ids[name] = value
            elif value is None:
                properties.pop(name, None)
            else:
                properties[name] = value
        return replace(element, properties=properties, **ids)


class ClientSteps:
    """The client's half for all groups of a branch."""

    def __init__(
        self, asked: Elements, branch: Branch, scope: Scope, *, shows_matched: bool
    ) -> None:
        self.groups = {
            name: GroupSteps(name, asked, branch, scope, shows_matched=shows_matched)
            for name in branch.groups
        }

    @property
    def left_to_do(self) -> str | None:
        """What the client has to leave out or merge, as a reason; ``None`` if nothing."""
        return next((why for steps in self.groups.values() if (why := steps.left_to_do)), None)

    @property
    def is_plain(self) -> bool:
        """Whether the client shows everything that a scan returns."""
        return self.left_to_do is None

    def merged(self, found: Iterable[tuple[Any, StoredElement]]) -> Iterator[StoredElement]:
        """Filter and merge elements that come with their row; those of one row come together."""
        current: Any = None
        open_merger: Merger | None = None
        for row, element in found:
            steps = self.groups[element.group]
            # The row of an edge need not tell which way it goes: its family may.
            place = (row, element.group, element.directed, element.matched)
            if open_merger is not None and place != current:
                yield from self._passing(open_merger.results(), self.groups[current[1]])
                open_merger = None
            if not steps.admit(element):
                continue
            if steps.merger is None:
                if steps.passes(element):
                    yield element
                continue
            current, open_merger = place, steps.merger
            open_merger.add(element)
        if open_merger is not None:
            yield from self._passing(open_merger.results(), self.groups[current[1]])

    def _passing(
        self, elements: Iterable[StoredElement], steps: GroupSteps
    ) -> Iterator[StoredElement]:
        return (element for element in elements if steps.passes(element))

    def present(self, elements: Iterable[StoredElement]) -> Iterator[Element]:
        """Give the elements of the answer."""
        for element in elements:
            shown = self.groups[element.group].present(element)
            if shown is not None:
                yield shown
