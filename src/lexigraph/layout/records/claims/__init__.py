"""Claims: how writers of constrained records meet on an engine whose atomic unit is the row."""
