"""Split points are chosen by a sample, kept in a file for people, and applied by another call."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import lexigraph as lg
from lexigraph.cli.main import app
from lexigraph.errors import InvalidValue, ReadOnly, UsageError, ValidationError
from lexigraph.layout.stored.splits import escape, unescape


class Met(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


MET = [Met(f"p{number:04}", "q", count=1) for number in range(2000)]


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    path = ":memory:" if request.param == "memory" else tmp_path / "g.lexi"
    with lg.open(path, [Met]) as made:
        yield made


def test_a_sample_divides_what_is_to_be_added_about_evenly(graph: Any, tmp_path: Path) -> None:
    file = tmp_path / "splits.txt"
    assert graph.admin.sample_splits(MET, file, count=3, proportion=0.5) == 3
    assert graph.all().count() == 0
    assert graph.admin.apply_splits(file) == {"elements": 3}
    splits = graph._access.engine.splits("graph.elements")
    # Half of the cells are at p0000 to p1999, half at q: the sources split in about two.
    assert splits[0][:2] in (b"p0", b"p1")
    assert [escape(row) for row in splits] == [
        line.split("\t")[1] for line in file.read_text().splitlines()
    ]


def test_the_same_elements_give_the_same_file(graph: Any, tmp_path: Path) -> None:
    files = [tmp_path / "one", tmp_path / "other"]
    for file in files:
        graph.admin.sample_splits(iter(MET), file, count=7, proportion=0.1)
    assert files[0].read_bytes() == files[1].read_bytes() != b""


def test_a_file_that_is_there_is_not_written_over(graph: Any, tmp_path: Path) -> None:
    file = tmp_path / "splits.txt"
    file.write_text("looked at\n")
    with pytest.raises(UsageError, match="already exists"):
        graph.admin.sample_splits(MET, file, count=3)
    assert file.read_text() == "looked at\n"


def test_an_element_that_does_not_fit_is_told_or_passed_over(graph: Any, tmp_path: Path) -> None:
    rows = [{"source": "a", "destination": "b", "count": 1}, {"source": 5, "destination": "b"}]
    file = tmp_path / "splits.txt"
    with pytest.raises(ValidationError):
        graph.admin.sample_splits(rows, file, count=3, proportion=1.0)
    assert not file.exists()
    given = {"count": 3, "proportion": 1.0, "validate": False}
    assert graph.admin.sample_splits(rows, file, **given) == 2


@pytest.mark.parametrize("proportion", [0, -0.5, 1.5, True, "0.1", float("nan")])
def test_a_proportion_that_is_none_is_refused(
    graph: Any, tmp_path: Path, proportion: object
) -> None:
    with pytest.raises(InvalidValue, match="proportion is a number"):
        graph.admin.sample_splits(MET, tmp_path / "s", count=3, proportion=proportion)


@pytest.mark.parametrize("line", ["elements", "elements\tä", "elements\t\\xq", "others\tann"])
def test_a_line_that_is_no_split_point_changes_nothing(
    graph: Any, tmp_path: Path, line: str
) -> None:
    file = tmp_path / "splits.txt"
    file.write_text(f"elements\tann\n{line}\n", encoding="latin-1")
    with pytest.raises((InvalidValue, UsageError), match=r"line 2|cannot be read"):
        graph.admin.apply_splits(file)
    assert graph._access.engine.splits("graph.elements") == []


def test_every_byte_can_be_written_to_a_line() -> None:
    row = bytes(range(256))
    assert "\n" not in escape(row)
    assert unescape(escape(row)) == row


def test_a_graph_that_is_read_only_is_not_divided(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g.lexi", [Met]) as made:
        made.admin.sample_splits(MET, tmp_path / "s", count=3)
    with (
        lg.open(tmp_path / "g.lexi", read_only=True) as graph,
        pytest.raises(ReadOnly),
    ):
        graph.admin.apply_splits(tmp_path / "s")


def test_the_commands_do_the_same(tmp_path: Path) -> None:
    where, data, file = str(tmp_path / "g.lexi"), tmp_path / "met.csv", tmp_path / "splits.txt"
    lines = [f"p{number:04},q,1" for number in range(2000)]
    data.write_text("\n".join(["source,destination,count", *lines]))
    with lg.open(where, [Met], name="met"):
        pass
    runner = CliRunner()
    chosen = ["--count", "4", "--proportion", "0.2", "--group", "Met", "--graph", "met"]
    sampled = runner.invoke(app, ["splits", "sample", where, str(data), str(file), *chosen])
    assert (sampled.exit_code, len(file.read_text().splitlines())) == (0, 4), sampled.output
    [line] = sampled.output.splitlines()
    # What is printed is what to type.
    program, *told = shlex.split(line.partition("apply them with: ")[2])
    assert program == "lexigraph"
    applied = runner.invoke(app, told)
    assert "table elements: 4 split points" in applied.output
    with lg.open(where, name="met") as graph:
        assert len(graph._access.engine.splits("met.elements")) == 4


def test_tables_of_records_are_divided_too(tmp_path: Path) -> None:
    file = tmp_path / "splits"
    file.write_text("records.vertices\tann\\x00\\x02\n", encoding="ascii")
    with lg.open(":memory:", authorizations=lg.ALL) as graph:
        graph.add_edge("ann", "KNOWS", "bob", id=1)
        assert graph.admin.apply_splits(file) == {"records.vertices": 1}
        assert graph.vertex("ann").edges().count() == 1
