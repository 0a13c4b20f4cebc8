"""A scan as data, and running it over sorted cells."""
