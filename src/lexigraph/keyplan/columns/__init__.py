"""Cells by column to elements by column, and back."""
