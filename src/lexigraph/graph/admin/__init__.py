"""What only the owner of a graph may do."""
