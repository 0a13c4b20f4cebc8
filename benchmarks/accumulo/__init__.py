"""What the bridge to Accumulo costs, beside a Java program that does the same."""
