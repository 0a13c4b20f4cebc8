"""Who may see a cell: visibility expressions and authorizations, exactly as Apache Accumulo 2.1.

Works on bytes (text means its UTF-8), in plain Python without the native module; the core in Rust
gives the same answers and the same error positions. Imports only ``types`` and ``errors``.
"""

from lexigraph.security.authorizations import ALL, All, Authorizations, check_granted
from lexigraph.security.grammar import LabelNode, NodeKind, quote
from lexigraph.security.label_cache import LabelCache
from lexigraph.security.visibility import Visibility, conjunction

__all__ = [
    "ALL",
    "All",
    "Authorizations",
    "LabelCache",
    "LabelNode",
    "NodeKind",
    "Visibility",
    "check_granted",
    "conjunction",
    "quote",
]
