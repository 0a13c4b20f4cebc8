"""Schemas in Gaffer's JSON."""
