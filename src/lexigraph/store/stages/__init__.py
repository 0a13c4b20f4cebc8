"""Stages: what can be done to cells on their way out of a table, as close to the data as can be."""
