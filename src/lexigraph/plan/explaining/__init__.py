"""What a plan does, as a readable tree."""
