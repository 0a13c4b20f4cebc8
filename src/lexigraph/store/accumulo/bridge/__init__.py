"""The way to Java: the JVM, the jar, and frames of cells."""
