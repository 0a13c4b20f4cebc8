"""From elements to cells."""
