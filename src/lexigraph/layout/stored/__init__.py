"""Graphs as an engine stores them: catalogue, tables, what deletes left to be merged."""
