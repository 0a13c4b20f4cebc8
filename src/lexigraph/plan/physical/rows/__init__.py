"""Running plans of rows: operators over batches of columns."""
