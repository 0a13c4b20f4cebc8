"""The command line: what people type. Each command is a method of the library with a face."""
