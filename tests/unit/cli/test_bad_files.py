"""Files that are wrong: every command says what is wrong and what to do, and shows no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.cli.main import run

GOOD = "source,destination,count\n" + "".join(f"a{at},b{at},{at}\n" for at in range(40))


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with lg.open("g", [Calls]):
        pass
    Path("good.csv").write_text(GOOD)
    Path("folder").mkdir()
    Path("folder.csv").mkdir()


def tell(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str
) -> tuple[int, str]:
    """Return how a command ends, and what it prints."""
    monkeypatch.setattr("sys.argv", ["lexigraph", *words])
    try:
        run()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
    told = capfd.readouterr()
    return code, " ".join((told.out + told.err).split())


ROWS: dict[str, tuple[str, bytes | None, str, str]] = {
    "missing": ("no.csv", None, "there is no file 'no.csv'", "path of a CSV"),
    "a directory": ("folder.csv", None, "is not a file", "Files that can be read"),
    "empty": ("x.csv", b"", "is empty", "names of the columns"),
    "a header alone": ("x.csv", b"source,destination\n", "holds no rows", "larger proportion"),
    "other columns": ("x.csv", b"x,y\n1,2\n", "'x', 'y' are not fields", "Name the columns"),
    "a short line": ("x.csv", b"source,destination\na\n", "cannot be read", "Check the file"),
    "no number": (
        "x.csv",
        b"source,destination,count\na,b,many\n",
        "it is not a whole number: 'many'",
        "--no-validate",
    ),
    "Latin-1": ("x.csv", b"source,destination\n\xe9,b\n", "cannot be read", "not encoded in UTF-8"),
    "not text": ("x.csv", b"a,b,c\n\xff\n\xfe,\x00\n", "cannot be read", "not encoded in UTF-8"),
    "no Parquet": ("x.parquet", b"PAR1 nonsense", "cannot be read", "Check the file"),
    "another format": ("x.txt", b"hello", "does not say its format", "Files that can be read"),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_that_cannot_be_sampled(
    name: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, data, wrong, hint = ROWS[name]
    if data is not None:
        Path(file).write_bytes(data)
    words = ["splits", "sample", "g", file, "out", "--count", "3", "--proportion", "1"]
    code, told = tell(capfd, monkeypatch, *words)
    assert code == 1
    assert wrong in told
    assert hint in told.partition("hint:")[2]
    assert "Traceback" not in told
    assert not Path("out").exists()


@pytest.mark.parametrize("file", ["folder", "no/out", "good.csv", "x" * 300])
def test_files_that_cannot_be_written(
    file: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, told = tell(capfd, monkeypatch, "splits", "sample", "g", "good.csv", file, "--count", "3")
    assert code == 1
    assert "already exists" in told or "cannot be written" in told
    assert "hint: Choose" in told
    assert Path("good.csv").read_text() == GOOD


SPLITS: dict[str, tuple[bytes | None, str, str]] = {
    "missing": (None, "cannot be read", "'lexigraph splits sample' wrote"),
    "empty": (b"\n\n", "has no split points", "splits sample"),
    "other text": (b"hello", "line 1 of 's' is not a split point", "a tab and a row"),
    "a bad escape": (b"elements\t\\x0", "line 1 of 's' is not a split point", "escapes"),
    "another table": (b"elements\ta\nother\ta", "line 2 of 's' is about 'other'", "elements"),
    "not text": (b"\xff\xfe\x00", "cannot be read", "'lexigraph splits sample' wrote"),
}


@pytest.mark.parametrize("name", SPLITS)
def test_split_points_that_cannot_be_applied(
    name: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, wrong, hint = SPLITS[name]
    if data is not None:
        Path("s").write_bytes(data)
    code, told = tell(capfd, monkeypatch, "splits", "apply", "g", "s")
    assert code == 1
    assert wrong in told
    assert hint in told.partition("hint:")[2]
    assert "Traceback" not in told


def test_a_sample_is_read_by_the_types_of_the_group_and_applied(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A reader that guesses makes numbers of these ids.
    Path("N.CSV").write_text("source,destination\n" + "".join(f"{at},9\n" for at in range(10, 40)))
    words = ["N.CSV", "s", "--count", "3", "--proportion", "1"]
    code, told = tell(capfd, monkeypatch, "splits", "sample", "g", *words)
    assert (code, told.partition(";")[0]) == (0, "3 split points in s")
    code, told = tell(capfd, monkeypatch, "splits", "apply", "g", "s")
    assert (code, told) == (0, "table elements: 3 split points")


@pytest.mark.parametrize(
    "command", [["sample", "g", "good.csv", "s", "--count", "3"], ["apply", "g", "s"]]
)
def test_a_namespace_is_for_clusters(
    command: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, told = tell(capfd, monkeypatch, "splits", *command, "--namespace", "n")
    assert code == 1
    assert "--namespace is for clusters" in told
    assert "Leave --namespace out" in told


PROPERTIES: dict[str, tuple[bytes | None, str, str]] = {
    "missing": (None, "cannot be read", "lines 'name=value'"),
    "empty": (b"", "needs accumulo.instance", "set it in the properties file"),
    "half": (b"instance.name=x\n", "needs accumulo.zookeepers", "list them"),
    "no setting": (b"# all\n\nsecret words\n", "line 3 of 'p' is not 'name=value'", "a comment"),
    "not text": (b"\xff\xfe\x00", "cannot be read", "lines 'name=value'"),
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_suites_do_not_start_without_a_cluster(
    name: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, wrong, hint = PROPERTIES[name]
    if data is not None:
        Path("p").write_bytes(data)
    code, told = tell(capfd, monkeypatch, "testing", "--properties", "p")
    assert code == 1
    assert wrong in told
    assert hint in told.partition("do:")[2]
    assert "secret" not in told
    assert "Traceback" not in told
