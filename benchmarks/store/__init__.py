"""The embedded engine measured against its bars and DuckDB: ``python -m benchmarks.store``."""
