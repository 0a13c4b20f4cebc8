"""The memory engine."""
