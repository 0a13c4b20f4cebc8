"""What checks print: whole lines, which can be copied."""

from __future__ import annotations

import pytest

from lexigraph.cli.doctor import show_report
from lexigraph.store.checks import PROBLEM, Checked, CheckReport


@pytest.mark.parametrize("columns", ["20", "80"])
def test_what_to_do_is_on_one_line_however_narrow_the_terminal_is(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    command = "setauths -u ann -s " + ",".join(f"label{number}" for number in range(50))
    step = Checked("grants", PROBLEM, f"user 'ann' lacks [bold]{'x' * 100}\nand more", command)
    show_report(CheckReport([step]), as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert [line.strip() for line in lines[1:4]] == [
        f"grants  problem  user 'ann' lacks [bold]{'x' * 100}",
        "and more",
        f"do: {command}",
    ]
