"""What the benchmark of killed servers makes of what it saw: losses, doubles, and neither."""

from __future__ import annotations

from collections import Counter

from benchmarks.accumulo.killed_servers import Ledger, Sent, judge


def test_losses_and_doubles_are_told_apart() -> None:
    ledger = Ledger(rows=2, kills=[10.0])
    ledger.batches += [
        Sent(0, started=1.0, ended=2.0, errors=0),
        Sent(1, started=9.0, ended=11.0, errors=0),
        Sent(2, started=9.5, ended=12.0, errors=1),
        Sent(3, started=12.0, ended=13.0, errors=0),
    ]
    sums = {0: Counter({1: 2}), 1: Counter({1: 1, 2: 1}), 2: Counter({1: 2}), 3: Counter({1: 1})}
    told = judge(ledger, sums)
    assert (told["batches"], told["in_flight"], told["sent_again_by_the_application"]) == (4, 2, 1)
    assert (told["lost"], told["counted_twice"], told["counted_twice_not_in_flight"]) == (1, 1, 0)
    assert told["share_of_in_flight"] == 0.5
