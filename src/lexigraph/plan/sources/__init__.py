"""Where a question looks: seeds and ranges of vertices become ranges of keys."""
