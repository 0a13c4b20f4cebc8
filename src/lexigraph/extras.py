"""Packages that not everyone has: how to install them.

Imports nothing of the package, so that every layer can say it.
"""

from __future__ import annotations


def install_hint(extra: str) -> str:
    """Return how to install the packages of an extra: by their names, or from a clone.

    Lexigraph itself is not on a package index, so its extras cannot be installed by its name.

    >>> install_hint("networkx")
    "Run: pip install 'networkx>=3.0' (or, in a clone of Lexigraph: pip install '.[networkx]')."
    """
    from importlib.metadata import PackageNotFoundError, requires

    try:
        told = [one.partition(";") for one in requires("lexigraph") or ()]
    except PackageNotFoundError:
        told = []
    wanted = f"extra=='{extra}'"
    packages = [
        f"'{name.strip()}'"
        for name, _, marker in told
        if marker.replace(" ", "").replace('"', "'") == wanted
    ]
    clone = f"in a clone of Lexigraph: pip install '.[{extra}]'"
    if not packages:
        return f"Run {clone}."
    return f"Run: pip install {' '.join(packages)} (or, {clone})."
