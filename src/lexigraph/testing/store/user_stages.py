"""A user's own stage: it runs on every engine, and the placement says where.

Layer ``testing``.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexigraph.errors import InvalidOption
from lexigraph.store import Cell, Engine, Mutations, Range, ScanSpec, Table, TableSettings
from lexigraph.store.stages.base import Families, Stage
from lexigraph.store.stages.registry import register_stage
from lexigraph.testing.store.base import StoreTests, read, resume_points, stage, values


class Shout(Stage):
    """A stage that no engine knows: values in capitals."""

    name = "testing-shout"
    default_priority = 60

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells with their values in capitals."""
        for cell in self.source.scan(range, families):
            yield cell._replace(value=cell.value.upper())


class UserStages(StoreTests):
    """A user's own stages, and where stages run."""

    @pytest.fixture
    def words(self, raw: Table) -> Table:
        """Return a table of a few words, some of them labelled."""
        register_stage(Shout)
        raw.write(Mutations().put("a", value="one").put("b", value="two", visibility="A"))
        raw.put("c", value="three")
        return raw

    def test_a_users_own_stage_runs(self, words: Table) -> None:
        """On cells that its reader may see."""
        assert values(read(words, ScanSpec(stages=[stage(Shout.name)]))) == ["ONE", "THREE"]

    def test_it_runs_in_its_place_among_others(self, words: Table) -> None:
        """By priority, whether the others are the engine's or not."""
        found = {}
        for priority in (5, 90):
            stages = [stage(Shout.name, priority=priority), stage("grep", priority=50, term="t")]
            found[priority] = values(read(words, ScanSpec(stages=stages)))
        assert found == {5: [], 90: ["THREE"]}

    def test_it_can_be_a_stage_of_the_table(self, engine: Engine, words: Table) -> None:
        """As any other."""
        settings = TableSettings(max_versions=None, scan_stages=[stage(Shout.name)])
        engine.configure_table("raw", settings)
        assert values(read(words, ScanSpec())) == ["ONE", "THREE"]

    def test_its_scan_can_be_cut_and_resumed(self, words: Table) -> None:
        """Behind any cell."""
        spec = ScanSpec(stages=[stage(Shout.name)])
        whole = read(words, spec)
        rests = [read(words, spec.resumed(point)) for point in resume_points(whole)]
        assert rests == [whole[1:], []]

    def test_the_placement_names_every_stage_in_its_place(
        self, engine: Engine, words: Table
    ) -> None:
        """Those of the table too, the closest to the data first."""
        engine.configure_table("raw", TableSettings(max_versions=2))
        spec = ScanSpec(
            stages=[stage("limit", cells=1), stage("grep", term="t"), stage(Shout.name)]
        )
        names = [place.stage.name for place in engine.placement("raw", spec)]
        assert names == ["versions", "grep", Shout.name, "limit"]

    def test_the_placement_says_what_the_capabilities_say(
        self, engine: Engine, words: Table
    ) -> None:
        """Once a stage runs in the client, all above it do."""
        spec = ScanSpec(
            stages=[stage(Shout.name), stage("versions", max=1), stage("limit", cells=1)]
        )
        places = engine.placement("raw", spec)
        runs = [engine.capabilities.runs(place.stage.name) for place in places]
        expected = [all(runs[: number + 1]) for number in range(len(runs))]
        assert [place.in_engine for place in places] == expected

    @pytest.mark.parametrize(
        "stages",
        [
            [stage("versoins", max=1)],
            [stage("versions", maximum=1)],
            [stage("versions", max=0)],
            [stage("grep", priority=7, term="a"), stage("age-off", priority=7, ttl=1)],
            [stage("limit", priority=5, cells=1), stage("sum", priority=9, encoding="text")],
        ],
    )
    def test_a_mistake_in_a_stage_is_found_before_any_cell_is_read(
        self, words: Table, stages: list[object]
    ) -> None:
        """An unknown name or option, a bad value, a place taken twice, grouping above a limit."""
        with pytest.raises(InvalidOption):
            words.engine.scan("raw", ScanSpec(stages=stages))  # type: ignore[arg-type]
