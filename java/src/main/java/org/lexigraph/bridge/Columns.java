package org.lexigraph.bridge;

import org.apache.accumulo.core.client.ScannerBase;
import org.apache.hadoop.io.Text;

/** The columns that a scan reads. */
final class Columns {
  private final byte[][] families;
  private final byte[][] qualifiers;

  Columns(byte[][] families, byte[][] qualifiers) {
    this.families = families;
    this.qualifiers = qualifiers;
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
