"""The embedded engine under the state machine: reopened, cut and merged at random points."""

from functools import partial

from lexigraph.testing.machine import store_machine

from .embedded_engines import Temporary


def reopen(engine: Temporary) -> Temporary:
    return engine.reopened()


relaxed = partial(Temporary, durability="relaxed")
cut = partial(Temporary, durability="buffered", cut_every=2)

TestReopened = store_machine(relaxed, reopen=reopen, examples=25).TestCase
TestBufferedAndCut = store_machine(cut, reopen=reopen, examples=25).TestCase
