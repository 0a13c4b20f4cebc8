"""The demo ends by itself and shows what it says, in a pipe as in a narrow terminal."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def lines() -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-m", "lexigraph.examples.demo"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        check=True,
    )
    return ran.stdout.splitlines()


def row_of(lines: list[str], *start: str) -> list[str]:
    rows = (line.split() for line in lines)
    return next(row for row in rows if row[: len(start)] == list(start))


def test_it_says_at_the_start_what_it_does_and_how_long_that_takes(lines: list[str]) -> None:
    assert "labels, sums, documents, ranges" in lines[0]
    assert "about a second" in lines[1]


def test_no_line_is_wider_than_a_terminal_of_80_columns(lines: list[str]) -> None:
    assert [line for line in lines if len(line) > 80] == []


def test_there_are_no_colour_codes_in_a_pipe(lines: list[str]) -> None:
    assert [line for line in lines if "\x1b" in line] == []


@pytest.mark.parametrize(
    "row",
    [
        "name (none) Ann Bell Ann Bell Ann Bell",
        "allergy care - penicillin penicillin",
        "hiv test lab&care - - negative",
        "notes psych - - sleeps badly",
    ],
)
def test_three_people_see_what_their_labels_allow(lines: list[str], row: str) -> None:
    assert row.split() in [line.split() for line in lines]


def test_weights_are_summed_before_and_after_a_merge(lines: list[str]) -> None:
    assert row_of(lines, "E001", "units_sold") == ["E001", "units_sold", "P001", "780", "781"]
    assert row_of(lines, "P002", "sold_by") == ["P002", "sold_by", "E003", "566", "566"]


def test_documents_with_three_terms_are_found_by_those_who_may_read_them(lines: list[str]) -> None:
    found = {document: row_of(lines, document)[-1] for document in ("d1", "d2", "d6")}
    assert found == {"d1": "everyone", "d2": "everyone", "d6": "staff"}
    assert not any(line.split()[:1] in (["d3"], ["d4"]) for line in lines)


def test_a_range_of_dates_gives_the_two_in_it(lines: list[str]) -> None:
    born = [line.split()[0] for line in lines if line.split()[1:2] == ["born"]]
    assert born == ["bob", "carla"]
