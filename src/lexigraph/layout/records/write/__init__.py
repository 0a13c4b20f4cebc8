"""Changes of records become facts and cells: section 6 of ``spec/facts.md``."""
