"""``python -m lexigraph.store.embedded.verify PATH``: checks a directory and prints what it found.

Layer ``store``, only for ``embedded``. One line of JSON each: what is being checked, and last the
outcome. Run as a process of its own because a damaged page may end it.
"""

from __future__ import annotations

import json
import sys

from lexigraph.errors import LexigraphError
from lexigraph.store.embedded.native import load_native


def main() -> int:
    """Check the directory that the command line names."""
    [path] = sys.argv[1:]
    print(json.dumps({"checking": f"the file of {path}"}), flush=True)
    try:
        found = load_native().verify(path)
    except LexigraphError as failure:
        print(json.dumps({"error": type(failure).__name__, "message": str(failure)}), flush=True)
        return 1
    names = ("tables", "blocks", "cells", "problems", "count")
    print(json.dumps(dict(zip(names, found, strict=True))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
