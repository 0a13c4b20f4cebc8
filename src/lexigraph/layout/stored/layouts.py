"""The layouts of one graph: a default and, for some groups, others.

Layer ``layout``. The catalogue keeps them. A group keeps its layout for good; a group that is added
later gets the default, unless another is chosen for it then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lexigraph.errors import InvalidOption, SchemaError, UnsupportedError, show
from lexigraph.layout import BoundLayout, ByteEntity, Layout, layout_for
from lexigraph.layout.mixed import BoundMixed, MixedPart
from lexigraph.layout.stored.catalogue import Entry, StoredLayout
from lexigraph.layout.table_names import plain_name
from lexigraph.schema import Schema

_COPY = "to change it, copy the graph into a new one."


@dataclass(frozen=True, slots=True)
class Choice:
    """What a caller says about the layouts of a graph: the default, and those of some groups."""

    default: Layout | str | None = None
    groups: Mapping[str, Layout | str] = field(default_factory=dict)

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def of(given: Layout | str | Choice | None) -> Choice:
        """Return a choice; one layout is the default."""
        return given if isinstance(given, Choice) else Choice(given)

    def __post_init__(self) -> None:
        """Refuse what is not a layout."""
        for name, layout in self.groups.items():
            if not isinstance(layout, Layout | str):
                raise InvalidOption(
                    f"group_layouts names {show(layout)} for group {name!r}, which is not a layout",
                    hint="Pass the name of a layout, such as 'classic', or a Layout.",
                )

    def check(self, schema: Schema) -> None:
        """Refuse groups that a schema does not have."""
        for name in self.groups:
            schema.group(name)
        self.check_records(schema)

    def check_records(self, schema: Schema) -> None:
        """Refuse layouts for groups of records, which have one of their own."""
        for name in self.groups:
            if name in schema.records.groups:
                raise UnsupportedError(
                    f"{name!r} is a group of records, whose layout is always 'records'",
                    hint="Leave it out of group_layouts.",
                )


@dataclass(frozen=True, slots=True)
class OtherLayout:
    """A layout that some groups have in place of the default."""

    layout: Layout
    groups: tuple[str, ...]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Layouts:
    """The layouts of a graph, with their options."""

    default: Layout
    others: tuple[OtherLayout, ...] = ()

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def chosen(choice: Choice, schema: Schema) -> Layouts:
        """Return the layouts of a new graph."""
        choice.check(schema)
        default = ByteEntity() if choice.default is None else _made(choice.default)
        found = Layouts(default)
        for group, layout in choice.groups.items():
            found = found._with(group, _made(layout), _is_equal)
        return found

    @staticmethod
    def stored(entry: Entry, choice: Choice) -> Layouts:
        """Return the layouts of a graph that is there; a choice may bring those without a name."""
        default = _again_or_stored(StoredLayout(entry.layout, entry.options), choice.default)
        others = []
        for one in entry.others:
            given = [choice.groups[group] for group in one.groups if group in choice.groups]
            own = next((layout for layout in given if isinstance(layout, Layout)), None)
            others.append(OtherLayout(_again_or_stored(one, own), one.groups))
        return Layouts(default, tuple(others))

    @property
    def choice(self) -> Choice:
        """The choice that names all of them."""
        groups = {group: one.layout for one in self.others for group in one.groups}
        return Choice(self.default, groups)

    def adding(self, choice: Choice, groups: Iterable[str]) -> Layouts:
        """Return the layouts with those that a choice names for new groups.

        A name, or a layout with some of the options, stands for the one that the graph has.
        """
        found = self
        for group in groups:
            if group in choice.groups:
                found = found._with(group, _made(choice.groups[group]), _fits)
        return found

    def _with(self, group: str, layout: Layout, same: Callable[[Layout, Layout], bool]) -> Layouts:
        if same(self.default, layout):
            return self
        others = list(self.others)
        for at, one in enumerate(others):
            if same(one.layout, layout):
                others[at] = replace(one, groups=(*one.groups, group))
                return replace(self, others=tuple(others))
        return replace(self, others=(*others, OtherLayout(layout, (group,))))

    def bind(self, schema: Schema) -> BoundLayout:
        """Fit them to a schema; each sees its own groups, and the ids of all."""
        if not self.others:
            return self.default.bind(schema)
        named = {group for one in self.others for group in one.groups}
        rest = [name for name in schema.groups if name not in named]
        parts = [MixedPart("", self.default.bind(schema.part(rest)))] if rest else []
        for prefix, one in zip(self._prefixes(), self.others, strict=True):
            parts.append(MixedPart(prefix, one.layout.bind(schema.part(one.groups))))
        return BoundMixed(schema, parts)

    def fitted(self, bound: BoundLayout) -> Layouts:
        """Return layouts that give this very bound layout again, with what binding numbered."""
        default = self.default
        if not isinstance(bound, BoundMixed):
            return replace(self, default=_again(default, bound.options))
        others: list[OtherLayout] = []
        for part in bound.parts[len(bound.parts) - len(self.others) :]:
            one = self.others[len(others)]
            others.append(replace(one, layout=_again(one.layout, part.layout.options)))
        if len(bound.parts) > len(self.others):
            default = _again(default, bound.parts[0].layout.options)
        return Layouts(default, tuple(others))

    def entry(self, entry: Entry) -> Entry:
        """Return an entry of the catalogue that has them."""
        others = tuple(
            StoredLayout(one.layout.name, one.layout.options, one.groups) for one in self.others
        )
        return replace(entry, layout=self.default.name, options=self.default.options, others=others)

    @property
    def text(self) -> str:
        """Their names, and the groups that do not have the default.

        >>> Layouts(ByteEntity(), (OtherLayout(layout_for("classic"), ("Road",)),)).text
        'byte-entity, classic for Road'
        """
        others = (f"{one.layout.name} for {' '.join(one.groups)}" for one in self.others)
        return ", ".join([self.default.name, *others])

    def _prefixes(self) -> list[str]:
        found: list[str] = []
        for one in self.others:
            name, number = plain_name(one.layout.name), 1
            prefix = f"{name}."
            while prefix in found:
                number += 1
                prefix = f"{name}-{number}."
            found.append(prefix)
        return found


def check_choice(name: str, entry: Entry, choice: Choice) -> None:
    """Raise UnsupportedError if a choice names another layout than a graph or a group has."""
    default = StoredLayout(entry.layout, entry.options)
    _check_same(f"graph {name!r}", default, choice.default)
    held = {group: one for one in entry.others for group in one.groups}
    for group, layout in choice.groups.items():
        if group in entry.schema.groups:
            what = f"group {group!r} of graph {name!r}"
            _check_same(what, held.get(group, default), layout)


def check_ids(before: BoundLayout, after: BoundLayout) -> None:
    """Refuse groups whose ids would change the bytes of all ids that are stored."""
    if not before.schema.groups:
        return
    stored, wanted = _id_codecs(before), _id_codecs(after)
    if stored != wanted:
        new = sorted(after.schema.groups.keys() - before.schema.groups.keys())
        raise SchemaError(
            f"the ids of {', '.join(map(repr, new))} do not have the type of the ids in the graph: "
            f"they are stored as {', '.join(sorted(stored))}, and together they would be stored as "
            f"{', '.join(sorted(wanted))}",
            hint="Give the new groups ids of the stored type, or copy the graph into a new one "
            "whose schema has all groups.",
        )


def _id_codecs(layout: BoundLayout) -> frozenset[str]:
    plans = (layout.part_of(name).key_plan for name in layout.schema.groups)
    return frozenset(codec for plan in plans for codec in plan.id_codecs)


def _made(given: Layout | str) -> Layout:
    return given if isinstance(given, Layout) else layout_for(given)


def _again_or_stored(stored: StoredLayout, given: Layout | str | None) -> Layout:
    if isinstance(given, Layout) and given.name == stored.layout:
        return _again(given, stored.options)
    return layout_for(stored.layout, stored.options)


def _check_same(what: str, held: StoredLayout, given: Layout | str | None) -> None:
    called = given.name if isinstance(given, Layout) else given
    if called is not None and called != held.layout:
        raise UnsupportedError(
            f"{what} has the layout {held.layout!r}, not {show(called)}",
            hint=f"Leave the layout out; {_COPY}",
        )
    asked = given.options if isinstance(given, Layout) else {}
    for option, value in asked.items():
        there = held.options.get(option)
        if there != value:
            raise UnsupportedError(
                f"{what} has the layout option {option}={there!r}, not {value!r}",
                hint=f"Leave the layout out; {_COPY}",
            )


def _is_equal(held: Layout, given: Layout) -> bool:
    return type(held) is type(given) and held.options == given.options


def _fits(held: Layout, given: Layout) -> bool:
    return type(held) is type(given) and {**held.options, **given.options} == held.options


def _again(layout: Layout, options: Mapping[str, Any]) -> Layout:
    return type(layout)(**options) if options else layout
