"""What a scan must answer."""
