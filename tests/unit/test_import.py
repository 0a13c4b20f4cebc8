"""What ``import lexigraph`` may cost: no heavy package, no native module."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys

import pytest

import lexigraph
from lexigraph import security, store

HEAVY = {
    *("pyarrow", "rich", "hypothesis", "jsonschema", "polars", "pandas", "numpy"),
    *("typer", "jpype"),
}

# A finder in front of all others: every look-up of the native module fails as if never built.
WITHOUT_NATIVE = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "lexigraph._native":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
"""


def run_python(code: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    return {name.partition(".")[0] for name in json.loads(run_python(code))}


def test_import_loads_no_heavy_package() -> None:
    assert modules_after("import lexigraph") & HEAVY == set()


def test_a_heavy_package_would_be_noticed() -> None:
    assert modules_after("import lexigraph, hypothesis") & HEAVY == {"hypothesis"}


def test_import_works_without_the_native_module() -> None:
    out = run_python(f"{WITHOUT_NATIVE}\nimport lexigraph\nprint(lexigraph.__version__)")
    assert out.strip()


def test_import_loads_no_layer_before_it_is_used() -> None:
    code = "import lexigraph, sys\nprint(*sorted(m for m in sys.modules if 'lexigraph' in m))"
    assert run_python(code).split() == ["lexigraph"]


def test_using_every_public_name_loads_no_heavy_package() -> None:
    assert modules_after("from lexigraph import *") & HEAVY == set()


def test_every_public_name_is_there_and_listed() -> None:
    for name in lexigraph.__all__:
        assert hasattr(lexigraph, name)
        assert name in dir(lexigraph)


def test_names_that_are_not_public_are_not_listed() -> None:
    assert sorted(dir(lexigraph)) == sorted([*lexigraph.__all__, "__version__"])


def test_the_errors_can_be_caught_by_their_names() -> None:
    code = "import lexigraph\nprint(lexigraph.errors.TableNotFound.code, lexigraph.Conflict.code)"
    assert run_python(code).split() == ["not-found.table", "transaction.conflict"]


def test_the_owners_view_prints_its_name() -> None:
    assert (str(lexigraph.ALL), repr(lexigraph.ALL)) == ("ALL", "ALL")


def test_a_public_name_is_the_object_of_its_layer() -> None:
    assert lexigraph.MemoryEngine is store.MemoryEngine
    assert lexigraph.ALL is security.ALL


def test_type_checkers_see_exactly_the_public_names() -> None:
    tree = ast.parse(inspect.getsource(lexigraph))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imported = [
        alias.name
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert sorted(imported) == sorted(lexigraph.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="lexigraph has no 'MemoryEngin'"):
        lexigraph.MemoryEngin  # noqa: B018
