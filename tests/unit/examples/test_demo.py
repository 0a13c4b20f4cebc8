"""The demo ends by itself and shows what it says, in a pipe as in a narrow terminal."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lexigraph.examples import traffic

EVENTS = 3000


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module")
def lines(scratch: Path) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-m", "lexigraph.examples.demo", str(EVENTS)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "TMPDIR": str(scratch), "TZ": "UTC"},
        stdin=subprocess.DEVNULL,
        check=True,
    )
    return ran.stdout.splitlines()


def counts(tmp_path: Path, *hidden: str) -> Counter[str]:
    """Count vehicles by junction from the file itself, but for some kinds."""
    traffic.write_events(tmp_path / "events.csv", EVENTS)
    found: Counter[str] = Counter()
    with (tmp_path / "events.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["vehicle"] not in hidden:
                found[row["destination"]] += int(row["count"])
    return found


def test_it_says_at_the_start_what_it_does_and_how_long_that_takes(lines: list[str]) -> None:
    assert "3,000 counts become a graph" in lines[0]
    assert "less than a minute" in lines[1]


def test_no_line_is_wider_than_a_terminal_of_80_columns(lines: list[str]) -> None:
    assert [line for line in lines if len(line) > 80] == []


def test_there_are_no_colour_codes_in_a_pipe(lines: list[str]) -> None:
    assert [line for line in lines if "\x1b" in line] == []


def test_it_leaves_nothing_behind(lines: list[str], scratch: Path) -> None:
    assert lines
    assert list(scratch.iterdir()) == []


def test_each_step_says_how_long_it_took(lines: list[str]) -> None:
    titles = [at for at, line in enumerate(lines) if re.match(r"\d\. ", line)]
    assert [lines[at][0] for at in titles] == list("12345678")
    assert all(re.fullmatch(r"[\d,.]+ ms", lines[at + 1]) for at in titles)


def test_two_people_see_the_states_of_a_record_that_they_may_see(lines: list[str]) -> None:
    assert [one.split() for one in lines if one.split()[:1] in (["anybody"], ["council"])] == [
        ["anybody", "repaired", "repaired,", "new"],
        ["council", "watched", "watched,", "repaired,", "new"],
    ]


def test_two_people_see_the_sums_that_the_file_has_for_them(
    lines: list[str], tmp_path: Path
) -> None:
    council, public = counts(tmp_path), counts(tmp_path, "lorry", "patrol")
    for junction, count in council.most_common(4):
        [row] = [line.split() for line in lines if f" {junction} " in line and "council&" in line]
        assert row[2] == f"{public[junction]:,}"
        assert row[4] == f"{count:,}"


def test_a_week_has_the_same_sum_in_three_ways(lines: list[str]) -> None:
    def total(pattern: str) -> int:
        found = (re.match(rf" {pattern} +([\d,]+) +[\d.]+ *$", line) for line in lines)
        return sum(int(one[1].replace(",", "")) for one in found if one)

    by_day = total(r"\w{3} \d\d \w{3}")
    assert by_day == total(f"(?:{'|'.join(traffic.USUAL)})") == total("all") > 0


def test_what_is_too_old_later_is_not_seen_and_then_removed(lines: list[str]) -> None:
    assert any(line.startswith("29 of 60 days") for line in lines)
    [(before, after)] = re.findall(r"([\d,]+) cells before, ([\d,]+) after", "\n".join(lines))
    assert int(before.replace(",", "")) > 1.5 * int(after.replace(",", ""))


def test_the_explanation_tells_where_stages_run(lines: list[str]) -> None:
    assert any("stage roll-up: where engine" in line for line in lines)
