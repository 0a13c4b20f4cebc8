"""Stages by name, built in and users' own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidName, InvalidOption
from lexigraph.store.stages import registry
from lexigraph.store.stages.base import Families, Stage
from lexigraph.store.stages.builtin import BUILT_IN
from lexigraph.store.stages.registry import register_stage, stage_class, stage_names


@pytest.fixture(autouse=True)
def _own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", {})


class Own(Stage):
    name = "own"

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        return self.source.scan(range, families)


def test_every_built_in_stage_is_found_by_its_name() -> None:
    assert [stage_class(cls.name) for cls in BUILT_IN] == list(BUILT_IN)


def test_an_unknown_name_lists_the_nearest() -> None:
    with pytest.raises(InvalidOption, match=r"no stage 'gerp'.*grep"):
        stage_class("gerp")


def test_a_registered_stage_is_found_and_listed() -> None:
    register_stage(Own)
    assert stage_class("own") is Own
    assert "own" in stage_names()
    assert stage_names() == sorted(stage_names())


def test_registering_the_same_class_again_changes_nothing() -> None:
    assert register_stage(register_stage(Own)) is Own


@pytest.mark.parametrize("taken", ["own", "versions"])
def test_a_taken_name_is_refused(taken: str) -> None:
    register_stage(Own)
    other = type("Other", (Own,), {"name": taken})
    with pytest.raises(InvalidName, match=f"'{taken}' is taken by"):
        register_stage(other)


@pytest.mark.parametrize("name", ["", "1st", "a b", None, 5])
def test_a_name_that_a_spec_could_not_write_is_refused(name: object) -> None:
    with pytest.raises(InvalidName, match="needs a class attribute 'name'"):
        register_stage(type("Odd", (Own,), {"name": name}))


@pytest.mark.parametrize("thing", [object, "own", Own.scan])
def test_what_is_no_stage_is_refused(thing: object) -> None:
    with pytest.raises(InvalidName, match="is not a subclass of Stage"):
        register_stage(thing)  # type: ignore[type-var]


def test_a_stage_that_cannot_run_is_refused() -> None:
    class Unfinished(Stage):
        name = "unfinished"

    with pytest.raises(InvalidName, match="Unfinished does not define scan"):
        register_stage(Unfinished)
