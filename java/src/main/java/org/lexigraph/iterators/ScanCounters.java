package org.lexigraph.iterators;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counters of scans by their names, for as long as a server runs. A scan that ends early leaves its counters behind:
 * the oldest are forgotten when there are many.
 */
final class ScanCounters {

  private static final int SCANS = 1000;
  private static final Map<String, List<Tally.Counters>> KNOWN =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<Tally.Counters>> eldest) {
          return size() > SCANS;
        }
      };

  private ScanCounters() {}

  /** The counters of a stage of a scan; stages are numbered from the topmost down. */
  static synchronized Tally.Counters of(String scan, int stage) {
    List<Tally.Counters> counters = KNOWN.computeIfAbsent(scan, unused -> new ArrayList<>());
    while (counters.size() <= stage) {
      counters.add(new Tally.Counters());
    }
    return counters.get(stage);
  }
}
