"""What ``import lexigraph`` may cost: no heavy package, no native module."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = {"pyarrow", "rich", "hypothesis", "jsonschema", "polars", "pandas", "numpy"}

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
