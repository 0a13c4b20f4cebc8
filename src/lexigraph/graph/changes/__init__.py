"""Changes of a graph as their readers get them: from the log, and right after a commit."""
