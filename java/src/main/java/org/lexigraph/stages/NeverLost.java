package org.lexigraph.stages;

import org.lexigraph.LexigraphException;

/** A problem of one column that combiners do not pass over, whatever may be lost. */
final class NeverLost extends LexigraphException {
  NeverLost(String text) {
    super("InvalidBytes", text);
  }
}
