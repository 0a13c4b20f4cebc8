"""Aggregators: states that merge."""
