"""What merges must keep."""
