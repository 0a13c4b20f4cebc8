"""Engines by name: the one door to them for everything above ``store``."""
