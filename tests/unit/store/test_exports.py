from __future__ import annotations

import subprocess
import sys

import pytest

from lexigraph import store


@pytest.mark.parametrize("name", store.__all__)
def test_every_public_name_is_there_and_listed(name: str) -> None:
    assert getattr(store, name) is not None
    assert name in dir(store)


def test_every_name_with_a_home_is_public() -> None:
    assert sorted(store._HOME_OF) == sorted(store.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Cells'"):
        store.Cells  # noqa: B018


def test_the_package_alone_loads_no_engine() -> None:
    code = "import lexigraph.store, sys; print('lexigraph.store.memory.engine' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
