"""Folders of large values: in memory, in a directory, or anywhere that fsspec reaches."""
