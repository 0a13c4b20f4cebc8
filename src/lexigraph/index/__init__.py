"""Indexes: they observe writes and answer look-ups. The first kind is equality on one field."""
