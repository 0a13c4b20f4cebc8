"""Lexigraph: a secure, aggregating property-graph database on sorted key-value cells.

The public names, nothing else. Heavy imports stay lazy: ``import lexigraph`` takes well under
150 ms.
"""

__version__ = "0.1.0"
