"""Rows of tables under an element: changes, what a commit holds of them, and what a reader sees."""
