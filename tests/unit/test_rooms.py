"""The rooms of the house: packages stay small."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import lexigraph

ROOT = Path(lexigraph.__file__).parent
MOST = 17
"""How many modules a package may have."""


def test_no_package_has_too_many_modules() -> None:
    sizes = {
        str(init.parent.relative_to(ROOT)): len(list(init.parent.glob("*.py"))) - 1
        for init in ROOT.rglob("__init__.py")
    }
    large = {name: size for name, size in sizes.items() if size > MOST}
    assert large == {}


def test_a_module_names_its_own_layer() -> None:
    wrong = {}
    for path in ROOT.rglob("*.py"):
        room = path.relative_to(ROOT).parts[0].removesuffix(".py")
        said = re.search(r"Layer ``(\w+)``", ast.get_docstring(ast.parse(path.read_text())) or "")
        if said is not None and said[1] != room:
            wrong[str(path.relative_to(ROOT))] = said[1]
    assert wrong == {}


def names_of(path: Path) -> list[str]:
    """Return the public classes and type aliases that a module defines."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    found = [node.name for node in body if isinstance(node, ast.ClassDef)]
    targets = [one for node in body if isinstance(node, ast.Assign) for one in node.targets]
    names = [one.id for one in targets if isinstance(one, ast.Name)]
    found += [name for name in names if not name.isupper()]
    return [name for name in found if name[0].isupper()]


def test_no_two_things_have_one_name() -> None:
    homes: dict[str, list[str]] = {}
    for path in ROOT.rglob("*.py"):
        rooms = path.relative_to(ROOT).parts
        if rooms[0] not in {"testing", "examples"}:
            for name in names_of(path):
                homes.setdefault(name, []).append("/".join(rooms))
    several = {name: found for name, found in homes.items() if len(found) > 1}
    assert several == {}


ABOVE_PLAN = ("cli", "display", "graph")
BYTES = {"Cell", "CellBatch", "KeyPlan", "MutationBatch", "Place", "Range", "ScanSpec", "StageSpec"}
"""What holds or describes cells: import contracts do not see names that a package exports."""
READS = {"count_run", "prepare", "read_raw", "row_reader", "scan"}
"""The methods of an engine that read."""


def seen_bytes(source: str) -> set[str]:
    """Return what a module imports or calls that only layers below ``graph`` may."""
    tree = list(ast.walk(ast.parse(source)))
    names = {one.name for node in tree if isinstance(node, ast.ImportFrom) for one in node.names}
    calls = (node.func for node in tree if isinstance(node, ast.Call))
    called = {one.attr for one in calls if isinstance(one, ast.Attribute) and is_engine(one.value)}
    return (names & BYTES) | (called & READS)


def is_engine(node: ast.expr) -> bool:
    """Return whether an expression is called an engine or a table of one."""
    return ast.unparse(node).rpartition(".")[2].partition("(")[0].lstrip("_") in {"engine", "table"}


def test_nothing_above_plan_scans_or_holds_cells() -> None:
    found = {
        str(path.relative_to(ROOT)): seen
        for room in ABOVE_PLAN
        for path in (ROOT / room).rglob("*.py")
        if (seen := seen_bytes(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        "from lexigraph.store import Range",
        "from lexigraph import Cell",
        "self._stored.engine.scan(table, spec)",
        "engine.table(name).scan()",
        "self._engine.read_raw(table, [])",
    ],
)
def test_a_scan_above_plan_is_seen(source: str) -> None:
    assert seen_bytes(source)


WORDS = ("Group", "Property", "Aggregate", "Place", "Column", "Key", "Element")
"""Words of the house that the core uses too, each for one thing."""


def test_a_word_of_the_house_is_one_type_of_the_core() -> None:
    native = ROOT.parents[1] / "native"
    if not native.is_dir():
        pytest.skip("the sources of the core are only in a clone")
    defined = re.compile(rf"^(?:pub(?:\(\w+\))? )?(?:struct|enum|trait|type) ({'|'.join(WORDS)})\b")
    found = [
        name
        for path in native.glob("*/src/**/*.rs")
        for line in path.read_text(encoding="utf-8").splitlines()
        for name in defined.findall(line)
    ]
    assert sorted(found) == sorted(WORDS)
