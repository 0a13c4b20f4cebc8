"""The embedded engine with scans that stop behind every cell and resume: same answers."""

from functools import partial

from lexigraph.testing import store_suite

from .embedded_engines import Temporary

cut = partial(Temporary, cut_every=1, durability="buffered")
globals().update(store_suite(cut, name="embedded, cut"))
