"""Java's regular expressions in Python: read alike, translated, or refused.

Layer ``functions``. Java's classes ``\\d \\w \\s`` and its ``(?i)`` are ASCII, its dot and dollar
know five line ends. What Python would read otherwise and cannot be translated is refused: nested
classes and intersections, ``\\p{..}``, ``\\R``, ``\\G``, ``\\X``, flags other than i, s, m.
"""

from __future__ import annotations

import re

from lexigraph.errors import InvalidOption, show

_ENDS = "\\n\\r\\x85\\u2028\\u2029"
_DOT = f"[^{_ENDS}]"
_LAST_END = r"(?:(?=\r\n\Z)|(?<!\r)(?=\n\Z)|(?=[\r\x85\u2028\u2029]?\Z))"
_SAME = frozenset("dDwWsStnrfxu\\" + "123456789")
_TRANSLATED = {
    "z": r"\Z",
    "Z": _LAST_END,
    "A": r"\A",
    "a": r"\x07",
    "e": r"\x1b",
    "h": r"[ \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000]",
    "v": r"[\n\x0b\f\r\x85\u2028\u2029]",
    "b": r"(?u:\b)",
    # Not as \B: in Python before 3.14 that does not hold in an empty text.
    "B": r"(?!(?u:\b))",
}
_FLAGS = re.compile(r"\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")


def compile_java(pattern: str, what: str = "pattern") -> re.Pattern[str]:
    """Compile a pattern in Java's syntax; ``what`` names the option in the error.

    >>> bool(compile_java(r"r\\d+").fullmatch("r12")), bool(compile_java(".").fullmatch("\\r"))
    (True, False)
    """
    translation = _Translation(pattern, what)
    try:
        return re.compile(translation.run(), re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise InvalidOption(
            f"{what} {show(pattern)} is not a regular expression: {error}"
        ) from error


class _Translation:
    def __init__(self, pattern: str, what: str) -> None:
        self.pattern = pattern
        self.what = what
        self.at = 0
        self.dotall = self.multiline = False
        self.groups: list[tuple[bool, bool]] = []
        # How many groups were opened for inline flags, for each group that is open now.
        self.flag_groups = [0]

    def run(self) -> str:
        out: list[str] = []
        while self.at < len(self.pattern):
            out.append(self._step())
        return "".join(out) + ")" * self.flag_groups[-1]

    def _step(self) -> str:
        char = self.pattern[self.at]
        if char == "\\":
            return self._escape()
        if char == "[":
            return self._class()
        if char == "(":
            return self._group()
        self.at += 1
        if char == ")":
            if self.groups:
                self.dotall, self.multiline = self.groups.pop()
            closing = self.flag_groups.pop() if len(self.flag_groups) > 1 else 0
            return ")" * closing + ")"
        if char == "|" and self.flag_groups[-1]:
            raise self._refused("'|' after an inline flag", "Write the flag as a group: (?i:a|b).")
        if char == ".":
            return "(?s:.)" if self.dotall else _DOT
        if char == "$":
            return rf"(?=[{_ENDS}]|\Z)" if self.multiline else _LAST_END
        if char == "^" and self.multiline:
            return rf"(?:\A|(?<=[{_ENDS}])(?!\Z))"
        return char

    def _escape(self) -> str:
        if self.at + 1 >= len(self.pattern):
            raise self._refused("a lone backslash at the end")
        char = self.pattern[self.at + 1]
        if char == "Q":
            end = self.pattern.find("\\E", self.at + 2)
            text = self.pattern[self.at + 2 : end if end >= 0 else None]
            self.at = end + 2 if end >= 0 else len(self.pattern)
            return re.escape(text)
        self.at += 2
        if char in _TRANSLATED:
            return _TRANSLATED[char]
        if char == "k":
            return self._named_reference()
        return self._plain_escape(char)

    def _plain_escape(self, char: str) -> str:
        if char == "0":
            match = re.compile("[0-3]?[0-7]{1,2}").match(self.pattern, self.at)
            if not match:
                raise self._refused("an octal escape without digits")
            self.at = match.end()
            return re.escape(chr(int(match[0], 8)))
        if char == "x" and self.pattern.startswith("{", self.at):
            match = re.compile(r"\{([0-9a-fA-F]{1,6})\}").match(self.pattern, self.at)
            if not match or int(match[1], 16) > 0x10FFFF:
                raise self._refused("\\x{..} without a code point")
            self.at = match.end()
            return re.escape(chr(int(match[1], 16)))
        if char == "c" and self.at < len(self.pattern):
            self.at += 1
            return re.escape(chr(ord(self.pattern[self.at - 1]) ^ 64))
        if char.isalnum() and char.isascii() and char not in _SAME:
            raise self._refused(f"the escape \\{char}")
        return "\\" + char if char.isascii() else char

    def _named_reference(self) -> str:
        match = re.compile("<([a-zA-Z][a-zA-Z0-9]*)>").match(self.pattern, self.at)
        if not match:
            raise self._refused("\\k without a name")
        self.at = match.end()
        return f"(?P={match[1]})"

    def _class(self) -> str:
        out = ["["]
        self.at += 1
        if self.pattern.startswith("^", self.at):
            out.append("^")
            self.at += 1
        first = True
        while True:
            if self.at >= len(self.pattern):
                raise self._refused("a class without its ']'")
            char = self.pattern[self.at]
            if char == "[" or self.pattern.startswith(("&&", "--"), self.at):
                raise self._refused("a nested class, '&&' or '--' in a class")
            if char == "]" and not first:
                self.at += 1
                return "".join([*out, "]"])
            first = False
            if char == "\\":
                out.append(self._class_escape())
                continue
            self.at += 1
            out.append("\\" + char if char in "]|~&" else char)

    def _class_escape(self) -> str:
        following = self.pattern[self.at + 1 : self.at + 2]
        if following and following in "QbBzZAhvk":
            raise self._refused(f"the escape \\{following} in a class")
        return self._escape()

    def _group(self) -> str:
        flags = _FLAGS.match(self.pattern, self.at)
        if flags and (flags[1] or flags[2] or flags[3] == ")"):
            return self._flags(flags)
        self.groups.append((self.dotall, self.multiline))
        self.flag_groups.append(0)
        if re.compile(r"\(\?<[a-zA-Z]").match(self.pattern, self.at):
            self.at += 3
            return "(?P<"
        head = re.compile(r"\((?:\?(?:[:=!>]|<[=!]))?").match(self.pattern, self.at)
        if self.pattern.startswith("(?", self.at) and (head is None or head.end() - self.at < 3):
            raise self._refused("this kind of group")
        self.at += head.end() - self.at if head else 1
        return head[0] if head else "("

    def _flags(self, match: re.Match[str]) -> str:
        on, off = match[1], match[2] or ""
        if set(on + off) - set("ism"):
            raise self._refused(f"the flags {match[0]!r}", "Use only the flags i, s and m.")
        scoped = match[3] == ":"
        if scoped:
            self.groups.append((self.dotall, self.multiline))
            self.flag_groups.append(0)
        self.dotall = ("s" in on or self.dotall) and "s" not in off
        self.multiline = ("m" in on or self.multiline) and "m" not in off
        self.at = match.end()
        case = "i" if "i" in on else "-i" if "i" in off else ""
        if scoped:
            return f"(?{case}:" if case else "(?:"
        if not case:
            return ""
        self.flag_groups[-1] += 1
        return f"(?{case}:"

    def _refused(self, found: str, hint: str | None = None) -> InvalidOption:
        return InvalidOption(
            f"{self.what} {show(self.pattern)} uses {found} near position {self.at}, "
            "which is not in the subset of Java's syntax that is supported",
            hint=hint or "See docs/reference/deviations.md for the subset.",
        )
