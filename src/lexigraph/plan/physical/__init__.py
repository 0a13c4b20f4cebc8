"""The physical plan: running a question by what its engine can do."""
