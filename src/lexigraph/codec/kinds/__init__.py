"""Codecs of single values, by kind."""
