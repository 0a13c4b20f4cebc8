"""Predicates: questions about the fields of an element."""
