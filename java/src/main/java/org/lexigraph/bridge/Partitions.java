package org.lexigraph.bridge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.accumulo.core.data.Range;
import org.apache.hadoop.io.Text;

/** How a load is divided into files: as its table into tablets, unless fewer or more are asked for. */
final class Partitions {
  private final List<Text> splits;
  private final TreeSet<Text> sampled = new TreeSet<>();

  Partitions(Collection<Text> splits) {
    this.splits = new ArrayList<>(new TreeSet<>(splits));
  }

  /** Notes a row, so that tablets can be divided where the cells are. */
  void sample(Text row) {
    sampled.add(row);
  }

  /** The rows of each partition; where a table has no more tablets than rows were seen, there may be fewer. */
  List<Range> ranges(int least, int most) {
    int tablets = splits.size() + 1;
    int wanted = Math.min(Math.max(tablets, least), most);
    TreeSet<Text> cuts = new TreeSet<>();
    if (wanted < tablets) {
      for (int number = 1; number < wanted; number++) {
        cuts.add(splits.get((int) ((long) number * tablets / wanted) - 1));
      }
    } else {
      cuts.addAll(splits);
      List<Text> rows = new ArrayList<>(sampled);
      int more = wanted - tablets;
      for (int number = 1; number <= more && !rows.isEmpty(); number++) {
        cuts.add(rows.get((int) ((long) number * rows.size() / (more + 1))));
      }
    }
    List<Range> ranges = new ArrayList<>();
    Text before = null;
    for (Text cut : cuts) {
      ranges.add(new Range(before, false, cut, true));
      before = cut;
    }
    ranges.add(new Range(before, false, null, false));
    return ranges;
  }
}
