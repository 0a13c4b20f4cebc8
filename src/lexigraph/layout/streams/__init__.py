"""Streaming values of records: their bytes, beside the tables of vertices and edges."""
