"""Facts become elements: versions, retention, what a reader sees, events; also in the core."""
