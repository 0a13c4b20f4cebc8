"""Walks and paths: which edges they follow, and how they are shown."""
