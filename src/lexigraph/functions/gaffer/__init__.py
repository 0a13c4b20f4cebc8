"""Gaffer's names and JSON for our functions."""
