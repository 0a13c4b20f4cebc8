"""Tables of records become facts: by the native core, or row by row."""
