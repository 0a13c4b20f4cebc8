"""Paths between two vertices: what is searched, and how it is read from a graph."""
