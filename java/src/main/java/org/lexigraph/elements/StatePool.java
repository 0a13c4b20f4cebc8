package org.lexigraph.elements;

import java.util.ArrayDeque;
import java.util.Deque;
import org.lexigraph.functions.State;
import org.lexigraph.plan.ValuePlan;

/** States of one group's properties, used again when their result was written: most results are of one element. */
final class StatePool {

  private final ValuePlan plan;
  private final Deque<State[]> spare = new ArrayDeque<>();

  StatePool(ValuePlan plan) {
    this.plan = plan;
  }

  /** How the states are written. */
  ValuePlan plan() {
    return plan;
  }

  /** States of nothing. */
  State[] take() {
    State[] states = spare.poll();
    return states == null ? plan.open() : states;
  }

  /** Takes states back that nobody needs any more. */
  void give(State[] states) {
    for (State state : states) {
      state.reset();
    }
    spare.push(states);
  }
}
