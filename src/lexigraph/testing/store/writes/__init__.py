"""What a write must do."""
