"""The embedded engine: a directory on disk."""
