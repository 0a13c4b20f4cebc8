//! The plainest way to run a scan spec: sorted cells in memory and the stack above them.

use lexigraph_core::cells::{Cell, Range};
use lexigraph_core::scan::{Resume, Spec};
use lexigraph_core::stages::{
    build_stack, find_stage, priority_of, put_stages, Families, Scope, SortedCells, StageContext,
    StageSpec,
};
use lexigraph_core::Result;
use serde_json::Value;

use crate::common::cells::read;

/// Runs the scan of `spec` over cells in the order they were written.
pub fn run(written: Vec<Cell>, spec: &Value, scope: &str) -> Result<Vec<Cell>> {
    let mut spec = Spec::from_json(spec)?;
    for stage in &spec.stages {
        priority_of(stage)?;
    }
    spec.stages
        .sort_by_key(|stage| priority_of(stage).unwrap_or_default());
    let whole = |stage: &StageSpec| find_stage(&stage.name).is_ok_and(|kind| kind.whole_scan);
    let split = spec.stages.iter().position(whole);
    let (lower, upper) = spec.stages.split_at(split.unwrap_or(spec.stages.len()));
    let mut context = StageContext {
        scope: match scope {
            "scan" => Scope::Scan,
            "merge" => Scope::Merge,
            _ => Scope::Full,
        },
        now: spec.now.unwrap_or_default(),
        authorizations: spec.view,
        sets: spec.sets,
        ..StageContext::default()
    };
    for (name, plan) in spec.plans {
        context.plans.give(&name, plan);
    }
    let columns = spec.columns;
    let families = Families {
        names: columns.iter().map(|(family, _)| family.clone()).collect(),
        inclusive: !columns.is_empty(),
    };
    let default = spec.default_visibility.unwrap_or_default();
    let source = Box::new(SortedCells::new(written));
    // A second cursor gives what the first would give.
    let mut stack = build_stack(source, lower, &mut context, &columns, &default)?.fork();
    let ranges = Range::merge(spec.ranges);
    if upper.is_empty() {
        let rest = rest_of(&ranges, &spec.after);
        let found = read(stack.as_mut(), &rest, &families)?;
        return Ok(behind(found, spec.after));
    }
    let mut below = read(stack.as_mut(), &ranges, &families)?;
    below.reverse();
    let mut stack = put_stages(Box::new(SortedCells::new(below)), upper, &mut context)?;
    let found = read(stack.as_mut(), &[Range::default()], &families)?;
    Ok(behind(found, spec.after))
}

/// What is left of the ranges from the key that a scan is resumed at.
fn rest_of(ranges: &[Range], after: &Option<Resume>) -> Vec<Range> {
    let Some(Resume { key, .. }) = after else {
        return ranges.to_vec();
    };
    let rest = ranges.iter().map(|range| {
        if range.is_before(&key.as_ref()) {
            range.clone()
        } else {
            range.starting(key.clone())
        }
    });
    rest.filter(|range| !range.is_empty()).collect()
}

fn behind(found: Vec<Cell>, after: Option<Resume>) -> Vec<Cell> {
    let Some(Resume { key, seen }) = after else {
        return found;
    };
    let mut left = seen;
    found
        .into_iter()
        .filter(|cell| {
            if cell.key == key && left > 0 {
                left -= 1;
                return false;
            }
            cell.key >= key
        })
        .collect()
}
