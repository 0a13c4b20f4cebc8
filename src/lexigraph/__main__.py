"""``python -m lexigraph`` is the program ``lexigraph``."""

from lexigraph.cli.start import run

if __name__ == "__main__":
    run()
