package org.lexigraph.stages;

import java.util.Map;

/** The stages that know cells only: section 4 of <code>spec/scan.md</code>. */
final class CellStages {

  private CellStages() {}

  static void register(Map<String, StageFactory> stages) {
    stages.put("versions", Versions::new);
    stages.put("as-of", AsOf::new);
    stages.put("time-range", TimeRange::new);
    stages.put("age-off", AgeOff::new);
    stages.put("column-age-off", ColumnAgeOff::new);
    stages.put("regex", Regex::new);
    stages.put("grep", Grep::new);
    stages.put("qualifier-slice", QualifierSlice::new);
    stages.put("column-slice", ColumnSlice::new);
    stages.put("whole-row", Pack.rows());
    stages.put("whole-family", Pack.families());
    stages.put("first-in-row", FirstInRow::new);
    stages.put("row-delete", RowDelete::new);
    stages.put("large-row", LargeRow::new);
    stages.put("visibility", Visibility::new);
    stages.put("labelled", Labelled::new);
    stages.put("sum", NumberCombiner.sum());
    stages.put("min", NumberCombiner.min());
    stages.put("max", NumberCombiner.max());
    stages.put("sum-array", SumArray::new);
    stages.put("decimal-sum", DecimalCombiner.sum());
    stages.put("decimal-min", DecimalCombiner.min());
    stages.put("decimal-max", DecimalCombiner.max());
    stages.put("intersect", Intersect.factory());
    stages.put("intersect-documents", IntersectDocuments.factory());
    stages.put("limit", Limit::new);
    stages.put("sample", Sample::new);
  }
}
