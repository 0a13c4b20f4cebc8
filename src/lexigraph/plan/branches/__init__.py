"""Branches of a question: the scans of some groups of one table, and what is left to the client."""
