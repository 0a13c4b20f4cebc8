"""The cases of spec/facts: one module for each file, each answer derived from the rule above it."""
