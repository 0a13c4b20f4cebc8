"""Links between pages, with the anchors that headings make."""

from __future__ import annotations

import re
from pathlib import Path

_FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)[^)]*\)")
_HEADING = re.compile(r"^#+ +(?P<title>.+?) *$", re.MULTILINE)


def broken_links(page: Path) -> list[str]:
    """Return the targets on the page that name no file or no heading; web addresses pass."""
    targets = [match["target"] for match in _LINK.finditer(_prose(page))]
    return [target for target in targets if not _resolves(page, target)]


def _resolves(page: Path, target: str) -> bool:
    if "://" in target or target.startswith("mailto:"):
        return True
    name, _, anchor = target.partition("#")
    path = page.parent / name if name else page
    if not path.exists():
        return False
    return not anchor or anchor in _anchors(path)


def _anchors(path: Path) -> set[str]:
    return {_slug(match["title"]) for match in _HEADING.finditer(_prose(path))}


def _slug(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _prose(path: Path) -> str:
    return _FENCED.sub("", path.read_text(encoding="utf-8"))
