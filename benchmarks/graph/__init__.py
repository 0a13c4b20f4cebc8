"""One graph asked of Lexigraph and of its peers, as `make bench` does."""
