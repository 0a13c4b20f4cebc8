"""Codecs by name, and codecs of users."""

from __future__ import annotations

import pytest

from lexigraph.codec import Codec, codec_for, names, part_codec, register, registry, tuple_codec
from lexigraph.errors import InvalidName, InvalidValue


class Grade(Codec[str]):
    """School grades: A is best, and a plus beats none."""

    name = "grade"

    def encode(self, value: str) -> bytes:
        if not isinstance(value, str) or not value:
            raise InvalidValue("a grade is a letter with or without a plus")
        return value.replace("+", "\x00").encode()

    def decode(self, data: bytes) -> str:
        return data.decode().replace("\x00", "+")


@pytest.fixture
def grade(monkeypatch: pytest.MonkeyPatch) -> Grade:
    monkeypatch.setattr(registry, "_CODECS", dict(registry._CODECS))
    codec = Grade()
    register(codec)
    return codec


def test_a_users_codec_is_found_by_name(grade: Grade) -> None:
    assert codec_for("grade") is grade
    assert "grade" in names()


def test_a_users_codec_is_escaped_inside_tuples_and_reversed_like_any_other(grade: Grade) -> None:
    codec = tuple_codec(part_codec("grade", descending=True), codec_for("int8"))
    values = [("B", 1), ("A+", 1), ("A+", 2), ("A", 0)]
    keys = [codec.encode(value) for value in values]
    assert keys == sorted(keys)
    assert [codec.decode(key) for key in keys] == values


def test_a_taken_name_is_refused(grade: Grade) -> None:
    with pytest.raises(InvalidName, match="already a codec named 'grade'"):
        register(Grade())


@pytest.mark.parametrize("name", ["", "1a", "a b", "a(b)", "é", None])
def test_a_name_that_a_plan_could_not_write_is_refused(name: str) -> None:
    codec = Grade()
    codec.name = name
    with pytest.raises(InvalidName, match="not a valid name for a codec"):
        register(codec)


def test_a_class_in_place_of_an_instance_is_refused() -> None:
    with pytest.raises(InvalidValue, match=r"instance of lexigraph\.codec\.Codec"):
        register(Grade)  # type: ignore[arg-type]


def test_an_unknown_name_lists_the_nearest() -> None:
    with pytest.raises(InvalidName, match=r"there is no codec 'decimals'.*did you mean: decimal"):
        codec_for("decimals")


def test_what_is_no_name_at_all_is_unknown_too() -> None:
    with pytest.raises(InvalidName, match="there is no codec None"):
        codec_for(None)  # type: ignore[arg-type]


def test_the_names_that_key_plans_hold_stay() -> None:
    assert set(names()) >= {
        *("null", "bool", "int", "int8", "int16", "int32", "int64", "float", "float32", "decimal"),
        *("str", "bytes", "date", "time", "datetime", "naive_datetime", "timedelta", "uuid"),
        *("ip", "geo", "any"),
    }


def test_a_codec_shows_its_name() -> None:
    assert repr(part_codec("str", descending=True, nulls="last")) == (
        "<codec nullable(descending(str),last)>"
    )


def test_widths_add_up() -> None:
    assert tuple_codec(codec_for("int8"), codec_for("uuid")).width == 17
    assert tuple_codec(codec_for("int8"), codec_for("str")).width is None
    assert part_codec("int8", descending=True).width == 1
    assert part_codec("int8", nulls="first").width is None
