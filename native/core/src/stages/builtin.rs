//! The stages that come with the core, in the order of `spec/scan.md` sections 4 and 7.
//!
//! A stage is built in because it stands in this table, for no other reason.

use serde_json::Value;

use super::{
    decimal_combiners, documents, elements, labels, large_row, matches, number_combiners, packing,
    rows, sampling, slices, times, versions,
};
use super::{Source, StageContext};
use crate::nearest::did_you_mean;
use crate::{Error, Result};

/// Makes a stage on top of a source; bad options are refused before any cell is read.
pub type Build = fn(Source, &Value, &mut StageContext) -> Result<Source>;

/// What is known of a stage before it is made.
#[derive(Debug, Clone, Copy)]
pub struct StageKind {
    /// The name in a scan spec; stable, never reused for another meaning.
    pub name: &'static str,
    /// Where it stands when a spec gives no priority; lower is closer to the data.
    pub default_priority: i64,
    pub build: Build,
    /// Whether it works over all ranges of a scan at once.
    pub whole_scan: bool,
    /// Whether it replaces several cells by one.
    pub combines: bool,
    /// Whether a range that ends inside a row gives all results of that row, or none where the end is
    /// exclusive.
    pub ends_with_row: bool,
}

/// Every stage there is.
pub static BUILT_IN: &[StageKind] = &[
    stage("versions", 20, versions::versions),
    stage("as-of", 10, times::as_of),
    stage("time-range", 10, times::time_range),
    stage("age-off", 10, times::age_off),
    stage("column-age-off", 10, times::column_age_off),
    stage("regex", 35, matches::regex),
    stage("grep", 35, matches::grep),
    stage("qualifier-slice", 35, slices::qualifier_slice),
    stage("column-slice", 35, slices::column_slice),
    combining("whole-row", 90, packing::whole_row),
    combining("whole-family", 90, packing::whole_family),
    stage("first-in-row", 40, rows::first_in_row),
    stage("row-delete", 12, rows::row_delete),
    stage("large-row", 30, large_row::large_row),
    stage("visibility", 15, labels::visibility),
    stage("labelled", 15, labels::labelled),
    combining("sum", 15, number_combiners::sum),
    combining("min", 15, number_combiners::min),
    combining("max", 15, number_combiners::max),
    combining("sum-array", 15, number_combiners::sum_array),
    combining("decimal-sum", 15, decimal_combiners::decimal_sum),
    combining("decimal-min", 15, decimal_combiners::decimal_min),
    combining("decimal-max", 15, decimal_combiners::decimal_max),
    by_row("intersect", 45, documents::intersect),
    by_row("intersect-documents", 45, documents::intersect_documents),
    over_whole_scan("limit", 100, sampling::limit),
    stage("sample", 15, sampling::sample),
    stage("filter", 50, elements::build_filter),
    combining("aggregate", 40, elements::build_aggregate),
    combining("roll-up", 60, elements::build_roll_up),
    stage("decode", 80, elements::build_decode),
    over_whole_scan("summarise", 90, elements::build_summarise),
];

/// Returns the stage of that name.
pub fn find_stage(name: &str) -> Result<&'static StageKind> {
    BUILT_IN
        .iter()
        .find(|kind| kind.name == name)
        .ok_or_else(|| {
            let near = did_you_mean(name, BUILT_IN.iter().map(|kind| kind.name));
            Error::InvalidOption(format!("there is no stage '{name}'{near}"))
        })
}

const fn stage(name: &'static str, default_priority: i64, build: Build) -> StageKind {
    StageKind {
        name,
        default_priority,
        build,
        whole_scan: false,
        combines: false,
        ends_with_row: false,
    }
}

const fn combining(name: &'static str, default_priority: i64, build: Build) -> StageKind {
    StageKind {
        combines: true,
        ..stage(name, default_priority, build)
    }
}

const fn by_row(name: &'static str, default_priority: i64, build: Build) -> StageKind {
    StageKind {
        ends_with_row: true,
        ..stage(name, default_priority, build)
    }
}

const fn over_whole_scan(name: &'static str, default_priority: i64, build: Build) -> StageKind {
    StageKind {
        whole_scan: true,
        ..stage(name, default_priority, build)
    }
}
