"""Transforms of texts, and of other values into texts.

Layer ``functions``. Values become texts as Java writes them: ``true``, ``1.5``, ``[a, b]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from lexigraph.errors import InvalidValue, show
from lexigraph.functions.java_regex import compile_java
from lexigraph.functions.options import Option, choice, flag, integer
from lexigraph.functions.transforms.base import OfPresent, Transform

_TRIMMED = "".join(map(chr, range(0x21)))
_TEXT_OR_NONE = Option(
    object,
    None,
    lambda t: t is None or isinstance(t, str),
    "(a text)",
    {"type": ["string", "null"]},
)


CHARSETS: dict[str, str] = {
    "UTF-8": "utf-8",
    "UTF-16": "utf-16",
    "UTF-16BE": "utf-16-be",
    "UTF-16LE": "utf-16-le",
    "ISO-8859-1": "latin-1",
    "US-ASCII": "ascii",
}
"""The encodings that every Java has, by its names, and Python's names for them."""


def as_text(value: Any, charset: str = "UTF-8") -> str:
    """Write a value as Java does; bytes are decoded, and what cannot be decoded is U+FFFD.

    >>> as_text(True), as_text(("a", 1, None)), as_text(b"hi")
    ('true', '[a, 1, null]', 'hi')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return _decode(value, charset)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{as_text(k)}={as_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, str) or not isinstance(value, Iterable):
        return value if isinstance(value, str) else str(value)
    return "[" + ", ".join(map(as_text, value)) + "]"


def _decode(data: bytes, charset: str) -> str:
    # Without a mark of the byte order, Java reads UTF-16 as big-endian, Python as the machine is.
    if charset == "UTF-16" and data[:2] not in (b"\xfe\xff", b"\xff\xfe"):
        charset = "UTF-16BE"
    return data.decode(CHARSETS[charset], "replace")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidValue(f"a text is needed, not {show(value)}")
    return value


class ConcatTransform(Transform):
    """The values as texts, joined by ``separator``; absent ones are left out."""

    name = "concat"
    inputs = None
    options: ClassVar[Mapping[str, Option]] = {"separator": Option(str, ",")}

    def apply(self, *values: Any) -> Any:
        """Join what is there."""
        found = [as_text(value) for value in values if value is not None]
        return self.settings["separator"].join(found) if found else None


class ToText(OfPresent):
    """The value as a text; bytes are decoded by ``charset``."""

    name = "to-text"
    options: ClassVar[Mapping[str, Option]] = {"charset": choice("UTF-8", *CHARSETS)}

    def of(self, value: Any) -> str:
        """Write it."""
        return as_text(value, self.settings["charset"])


class Upper(OfPresent):
    """The text in upper case."""

    name = "upper-case"

    def of(self, value: Any) -> str:
        """Write it in capitals."""
        return as_text(value).upper()


class Lower(OfPresent):
    """The text in lower case."""

    name = "lower-case"

    def of(self, value: Any) -> str:
        """Write it in small letters."""
        return as_text(value).lower()


class Reverse(OfPresent):
    """The text from its end to its start."""

    name = "reverse"

    def of(self, value: Any) -> str:
        """Turn it round."""
        return _text(value)[::-1]


class Trim(OfPresent):
    """The text without spaces and control characters around it, up to U+0020 as in Java."""

    name = "trim"

    def of(self, value: Any) -> str:
        """Cut them off; other spaces, such as U+00A0, stay."""
        return _text(value).strip(_TRIMMED)


class Append(OfPresent):
    """The text with ``suffix`` appended."""

    name = "append"
    options: ClassVar[Mapping[str, Option]] = {"suffix": Option(str, "")}

    def of(self, value: Any) -> str:
        """Put it behind."""
        return _text(value) + str(self.settings["suffix"])


class Prepend(OfPresent):
    """The text with ``prefix`` before it."""

    name = "prepend"
    options: ClassVar[Mapping[str, Option]] = {"prefix": Option(str, "")}

    def of(self, value: Any) -> str:
        """Put it before."""
        return str(self.settings["prefix"]) + _text(value)


class Truncate(OfPresent):
    """The first ``length`` characters, with three dots where more were cut off and wanted."""

    name = "truncate"
    options: ClassVar[Mapping[str, Option]] = {
        "length": integer(0, 0, 2**31 - 1),
        "ellipses": flag(),
    }

    def of(self, value: Any) -> str:
        """Cut."""
        length, text = self.settings["length"], _text(value)
        if len(text) <= length:
            return text
        return text[:length] + ("..." if self.settings["ellipses"] else "")


class Replace(OfPresent):
    """The text with every ``search`` replaced."""

    name = "replace"
    options: ClassVar[Mapping[str, Option]] = {
        "search": Option(str, ""),
        "replacement": _TEXT_OR_NONE,
    }

    def of(self, value: Any) -> str:
        """Replace; without a replacement or a text to look for nothing changes."""
        search, replacement = self.settings["search"], self.settings["replacement"]
        if not search or replacement is None:
            return _text(value)
        return _text(value).replace(search, replacement)


class RegexReplace(OfPresent):
    """The text with every match of ``pattern`` replaced; ``$1`` is its first group."""

    name = "regex-replace"
    options: ClassVar[Mapping[str, Option]] = {
        "pattern": Option(str, ""),
        "replacement": Option(str, ""),
    }

    def of(self, value: Any) -> str:
        """Replace."""
        template = re.sub(r"\$(\d)", r"\\g<\1>", self.settings["replacement"].replace("\\", r"\\"))
        return compile_java(self.settings["pattern"]).sub(template, _text(value))


class Split(OfPresent):
    """The parts of a text between ``delimiter``; empty ones are left out."""

    name = "split"
    options: ClassVar[Mapping[str, Option]] = {"delimiter": _TEXT_OR_NONE}

    def of(self, value: Any) -> tuple[str, ...]:
        """Cut; without a delimiter at blanks."""
        return tuple(part for part in _text(value).split(self.settings["delimiter"]) if part)


class RegexSplit(OfPresent):
    """The parts of a text between matches of ``pattern``."""

    name = "regex-split"
    options: ClassVar[Mapping[str, Option]] = {"pattern": Option(str, "")}

    def of(self, value: Any) -> tuple[str, ...]:
        """Cut; empty parts at the end are left out, as Java does."""
        parts = compile_java(self.settings["pattern"]).split(_text(value))
        while len(parts) > 1 and not parts[-1]:
            parts.pop()
        return tuple(parts)


class JoinTransform(OfPresent):
    """The members of a collection as texts, joined by ``delimiter``; null is an empty text."""

    name = "join"
    options: ClassVar[Mapping[str, Option]] = {"delimiter": Option(str, "")}

    def of(self, value: Any) -> str:
        """Join."""
        texts = ("" if member is None else as_text(member) for member in value)
        return str(self.settings["delimiter"]).join(texts)


TEXTS = (
    *(ConcatTransform, ToText, Upper, Lower, Reverse, Trim, Append, Prepend, Truncate, Replace),
    *(RegexReplace, Split, RegexSplit, JoinTransform),
)
