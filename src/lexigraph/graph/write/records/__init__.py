"""Records that are added and changed: what is given is checked and becomes changes."""
