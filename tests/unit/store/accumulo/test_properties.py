"""How a cluster is named, and that no password is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexigraph.errors import InvalidOption
from lexigraph.store.accumulo.properties import (
    PASSWORD_VARIABLE,
    USER_VARIABLE,
    ClusterProperties,
    read_properties,
)

SECRET = "s3cret-of-ann"
NEEDED = {
    "accumulo.instance": "main",
    "accumulo.zookeepers": "zk1:2181,zk2:2181",
    "accumulo.user": "ann",
    "accumulo.password": SECRET,
}


def read(**more: str) -> ClusterProperties:
    return read_properties({**NEEDED, **{k.replace("__", "."): v for k, v in more.items()}})


def test_a_url_names_zookeepers_and_instance() -> None:
    found = read_properties("accumulo://zk1:2181,zk2/main/", user="ann", password=SECRET)
    assert (found.zookeepers, found.instance) == ("zk1:2181,zk2", "main")
    assert found.url == "accumulo://zk1:2181,zk2/main"


def test_a_file_has_the_names_of_gaffers_store_properties(tmp_path: Path) -> None:
    path = tmp_path / "store.properties"
    lines = [f"{name} = {value}" for name, value in NEEDED.items()]
    path.write_text("\n".join(["# a comment", "! another", "", *lines]))
    found = read_properties(path)
    assert (found.instance, found.user, found.password) == ("main", "ann", SECRET)


def test_a_file_may_have_the_names_of_accumulos_client(tmp_path: Path) -> None:
    path = tmp_path / "accumulo-client.properties"
    path.write_text(
        "instance.name=main\ninstance.zookeepers=zk\nauth.principal=ann\n"
        f"auth.token={SECRET}\nssl.enabled=true\nsasl.enabled=false\n"
    )
    client = read_properties(path).for_client()
    assert client["instance.name"] == "main"
    assert client["auth.token"] == SECRET
    assert (client["ssl.enabled"], client["sasl.enabled"]) == ("true", "false")


def test_user_and_password_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(USER_VARIABLE, "bob")
    monkeypatch.setenv(PASSWORD_VARIABLE, "of-bob")
    found = read_properties("accumulo://zk/main")
    assert (found.user, found.password) == ("bob", "of-bob")


def test_arguments_come_before_the_file_and_the_file_before_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(USER_VARIABLE, "bob")
    assert read_properties(NEEDED).user == "ann"
    assert read_properties(NEEDED, user="eve").user == "eve"


@pytest.mark.parametrize(
    "url",
    [
        *("accumulo://", "accumulo:///main", "accumulo://zk", "accumulo://zk/"),
        *("accumulo://zk/a/b", "accumulo://zk/a?b", "accumulo://zk/a#b"),
    ],
)
def test_a_url_that_names_no_cluster_is_refused(url: str) -> None:
    with pytest.raises(InvalidOption, match="does not name a cluster"):
        read_properties(url, user="ann", password=SECRET)


def test_a_url_with_a_password_is_refused_and_not_repeated() -> None:
    with pytest.raises(InvalidOption) as refused:
        read_properties(f"accumulo://ann:{SECRET}@zk/main")
    assert SECRET not in str(refused.value) + refused.value.hint


@pytest.mark.parametrize("missing", sorted(NEEDED))
def test_what_is_missing_is_named(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(USER_VARIABLE, raising=False)
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)
    with pytest.raises(InvalidOption, match=f"needs {missing}"):
        read_properties({name: value for name, value in NEEDED.items() if name != missing})


def test_a_misspelt_property_is_refused_with_the_nearest() -> None:
    with pytest.raises(InvalidOption, match=r"did you mean: accumulo\.batchScannerThreads"):
        read(accumulo__batchScannerThread="5")


def test_no_repr_shows_the_password() -> None:
    assert SECRET not in repr(read())
    assert SECRET not in read().url


def test_a_broken_line_is_named_by_its_number_alone(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_text(f"accumulo.user=ann\n{SECRET}\n")
    with pytest.raises(InvalidOption, match="line 2") as refused:
        read_properties(path)
    assert SECRET not in str(refused.value)


def test_a_file_that_is_not_there_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="cannot be read"):
        read_properties(tmp_path / "none.properties")


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("accumulo.batchScannerThreads", 10),
        ("accumulo.entriesForBatchScanner", 50_000),
        ("accumulo.maxBufferSizeForBatchWriterInBytes", 1_000_000),
        ("accumulo.maxTimeOutForBatchWriterInMilliseconds", 1000),
        ("accumulo.numThreadsForBatchWriter", 10),
        ("accumulo.clientSideBloomFilterSize", 838_860_800),
        ("accumulo.maxBloomFilterToPassToAnIterator", 8_388_608),
    ],
)
def test_numbers_have_their_documented_defaults(name: str, default: int) -> None:
    assert read_properties(NEEDED).numbers[name] == default
    assert read_properties({**NEEDED, name: "7"}).numbers[name] == 7
    for wrong in ("0", "-1", "x", "", "1.5", "²", str(2**31)):
        with pytest.raises(InvalidOption, match=name):
            read_properties({**NEEDED, name: wrong})


def test_what_gaffer_calls_its_store_is_taken_and_other_stores_are_refused() -> None:
    old = {"gaffer.store.class": "gaffer.accumulostore.AccumuloStore"}
    new = {
        "gaffer.store.class": "uk.gov.gchq.gaffer.accumulostore.AccumuloStore",
        "gaffer.store.properties.class": "uk.gov.gchq.gaffer.accumulostore.AccumuloProperties",
    }
    for given in (old, new):
        assert read_properties({**NEEDED, **given}).instance == "main"
    with pytest.raises(InvalidOption, match=r"gaffer\.store\.class names .*MapStore"):
        read_properties({**NEEDED, "gaffer.store.class": "uk.gov.gchq.gaffer.mapstore.MapStore"})
    mock = {"gaffer.store.class": "gaffer.accumulostore.MockAccumuloStore"}
    with pytest.raises(InvalidOption) as refused:
        read_properties({**NEEDED, **mock})
    assert "lexigraph.open" in refused.value.hint
    with pytest.raises(InvalidOption, match="MapStoreProperties"):
        read_properties({**NEEDED, "gaffer.store.properties.class": "x.MapStoreProperties"})


def test_graphs_follow_defaults_where_nothing_is_given() -> None:
    found = read_properties(NEEDED)
    assert (found.preferences.layout, found.preferences.validates) == (None, True)
    assert found.preferences.false_positive_rate == 0.0002
    assert found.for_tables == {}


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("gaffer.store.accumulo.keypackage.class", "uk.gov.gchq.OtherKeyPackage"),
        ("gaffer.store.accumulo.enable.validator.iterator", "yes"),
        ("accumulo.falsePositiveRate", "0"),
        ("accumulo.falsePositiveRate", "1"),
        ("accumulo.falsePositiveRate", "few"),
        ("accumulo.file.replication", "0"),
    ],
)
def test_what_a_property_cannot_be_is_refused_by_its_name(name: str, wrong: str) -> None:
    with pytest.raises(InvalidOption, match=name):
        read_properties({**NEEDED, name: wrong})
