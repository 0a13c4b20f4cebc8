"""What whoever set up an engine wants of the graphs on it: data, read by the layers above.

Layer ``store``. No answer depends on it but what ``validates`` says; layouts and filters change how
much is read and sent.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preferences:
    """Settings of an engine that graphs follow."""

    layout: str | None = None
    """The layout of graphs that are made without naming one; those that are there must have it."""
    validates: bool = True
    """Whether tables hide, and at merges remove, what breaks a rule of the schema."""
    seeds_per_scan: int = 4096
    """How many vertices one scan looks up; each scan brings along the filters of its question."""
    client_filter_bits: int = 2**32
    """How many bits the client's own filter of a set of vertices has at most; it stays exact."""
    passed_filter_bits: int = 2**32
    """The same of a filter that a scan brings along."""
    false_positive_rate: float = 1 / 16
    """How many others such a filter may let through; it grows up to its size for that."""
