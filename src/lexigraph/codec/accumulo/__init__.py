"""Bytes as Accumulo and Hadoop write them."""
