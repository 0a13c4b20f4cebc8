"""The logical plan: what is asked for, as data."""
