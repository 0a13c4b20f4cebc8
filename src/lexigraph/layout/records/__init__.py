"""Records: what their cells say (facts), and how facts become elements. ``spec/facts.md``."""
