package org.lexigraph.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.accumulo.core.client.ScannerBase;
import org.apache.accumulo.core.data.Column;
import org.apache.accumulo.core.data.Range;
import org.apache.hadoop.io.Text;

/** The columns that a scan reads. */
final class Columns {
  private final byte[][] families;
  private final byte[][] qualifiers;

  Columns(byte[][] families, byte[][] qualifiers) {
    this.families = families;
    this.qualifiers = qualifiers;
  }

  /** Those of some ranges in which a cell of these columns can lie: Accumulo's client fails at the others. */
  List<Range> within(List<Range> ranges) {
    if (families.length == 0) {
      return ranges;
    }
    SortedSet<Column> sorted = new TreeSet<>();
    for (int index = 0; index < families.length; index++) {
      sorted.add(new Column(families[index], qualifiers[index], null));
    }
    List<Range> reached = new ArrayList<>();
    for (Range range : ranges) {
      try {
        range.bound(sorted.first(), sorted.last());
        reached.add(range);
      } catch (IllegalArgumentException apart) {
        // What lies between the first and the last column is nowhere in the range.
        continue;
      }
    }
    return reached;
  }

  void chooseFrom(ScannerBase scanner) {
    for (int index = 0; index < families.length; index++) {
      if (qualifiers[index] == null) {
        scanner.fetchColumnFamily(new Text(families[index]));
      } else {
        scanner.fetchColumn(new Text(families[index]), new Text(qualifiers[index]));
      }
    }
  }
}
