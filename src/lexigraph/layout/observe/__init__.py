"""Observers of writes: what they are shown, what they may ask, and when they are called."""
