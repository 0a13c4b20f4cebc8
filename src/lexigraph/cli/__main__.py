"""``python -m lexigraph.cli`` is the program ``lexigraph``."""

from lexigraph.cli.main import run

if __name__ == "__main__":
    run()
