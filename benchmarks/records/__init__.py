"""Records beside databases that have tables: looked up by id, followed, changed."""
