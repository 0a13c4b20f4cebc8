"""What only records have: handles of one record, its history, fetch hints, earlier times."""
