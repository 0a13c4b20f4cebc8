"""A local Accumulo for trying and testing: its files, its processes, its life."""
