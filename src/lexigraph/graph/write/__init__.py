"""Adding, loading, deleting."""
