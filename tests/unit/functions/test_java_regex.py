"""Java's regular expressions: what matches, what does not, what is refused."""

from __future__ import annotations

import pytest

from lexigraph.errors import InvalidOption
from lexigraph.functions.java_regex import compile_java


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("", ""),
        ("a|bc", "bc"),
        (r"\w\d\s", "a1\x0b"),
        (r"[\w.-]+", "a-b.c"),
        ("[^a-c]", "\n"),
        ("[]a]+", "]a"),
        (r"[\]\[]+", "[]"),
        ("[a|b&]+", "a|&"),
        (".", "😀"),
        ("(?s).", "\u2028"),
        ("(?s:.)a", "\ra"),
        ("a(?s).b", "a\nb"),
        ("(?i)straße", "STRAßE"),
        ("(?i)a(?-i)b", "Ab"),
        ("a(?i:b)c", "aBc"),
        ("(a(?i)b)c", "aBc"),
        (r"\x41\u0042\x{1F600}", "AB😀"),
        (r"\0101\cA\e\a\t", "A\x01\x1b\x07\t"),
        (r"\Qa.b*\Ec", "a.b*c"),
        (r"\Qa.b", "a.b"),
        (r"(?<year>\d+)-\k<year>", "12-12"),
        (r"(a)\1", "aa"),
        ("a++b", "aab"),
        ("(?>a+)b", "aab"),
        ("(?=a)a(?!b)", "a"),
        (r"(?<=\A)a\z", "a"),
        (r"\h\v", " \n"),
        (r"\bword\b", "word"),
        (r"é\B²\b", "é²"),
        (r"\B-\B", "-"),
        (r"\B", ""),
        ("a{2,3}", "aaa"),
        (r"\-\/\é", "-/é"),
        ("(?m)^a$\n^b$", "a\nb"),
    ],
)
def test_these_match_the_whole_text(pattern: str, text: str) -> None:
    assert compile_java(pattern).fullmatch(text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\d", "٣"),
        (r"\w", "é"),
        ("(?i)é", "É"),
        (".", "\r"),
        (".", "\x85"),
        ("a(?i:b)c", "aBC"),
        ("(a(?i)b)c", "aBC"),
        ("(?s:a).", "a\n"),
    ],
)
def test_these_do_not(pattern: str, text: str) -> None:
    assert not compile_java(pattern).fullmatch(text)


@pytest.mark.parametrize("end", ["", "\n", "\r", "\r\n", "\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("dollar", ["$", r"\Z"])
def test_the_dollar_stands_before_one_last_line_end(dollar: str, end: str) -> None:
    found = compile_java(f"a{dollar}").search(f"a{end}")
    assert found is not None
    assert found.end() == 1


@pytest.mark.parametrize("text", ["a\n\n", "ab", "a\nb"])
def test_the_dollar_stands_nowhere_else(text: str) -> None:
    assert not compile_java("a$").search(text)


def test_the_dollar_does_not_part_the_two_characters_of_a_line_end() -> None:
    assert not compile_java("\r$").search("\r\n")


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "*",
        "[a",
        "a\\",
        "[a-z&&[b]]",
        "[a[b]]",
        "[a--b]",
        r"\p{L}",
        r"\R",
        r"\G",
        r"\X",
        r"\N{DIGIT ONE}",
        r"[\b]",
        "(?x)a b",
        "(?u)a",
        "(?d)a",
        "(?i)a|b",
        "(?#note)a",
        "(?P<n>a)",
        "(?P=n)",
        "(?(1)a|b)",
        "(?<=a+)b",
        r"\k<none>",
        r"\x{110000}",
        r"\0",
        "a{99999999999}",
    ],
)
def test_what_python_would_read_otherwise_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidOption, match="pattern"):
        compile_java(pattern)


def test_a_refusal_names_the_option_and_the_place() -> None:
    with pytest.raises(InvalidOption, match=r"option 'row' .*\\p.* near position 3"):
        compile_java(r"a\p{L}", "option 'row'")
