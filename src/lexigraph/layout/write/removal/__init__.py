"""Removing elements: what goes, the markers that delete it, and erasing it for good."""
