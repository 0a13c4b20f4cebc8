//! The plainest way to run a scan spec: sorted cells in memory and the stack above them.

use lexigraph_core::cells::json::{bytes_from_json, key_from_json};
use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::stages::{
    build_stack, find_stage, priority_of, put_stages, Column, Families, Scope, SortedCells, Source,
    StageContext, StageSpec,
};
use lexigraph_core::visibility::{Authorizations, View};
use lexigraph_core::Result;
use serde_json::Value;

/// Runs the scan of `spec` over cells in the order they were written.
pub fn run(written: Vec<Cell>, spec: &Value, scope: &str) -> Result<Vec<Cell>> {
    let mut stages: Vec<StageSpec> = each(&spec["stages"], StageSpec::from_json)?;
    for stage in &stages {
        priority_of(stage)?;
    }
    stages.sort_by_key(|stage| priority_of(stage).unwrap_or_default());
    let whole = |stage: &StageSpec| find_stage(&stage.name).is_ok_and(|kind| kind.whole_scan);
    let split = stages.iter().position(whole).unwrap_or(stages.len());
    let (lower, upper) = stages.split_at(split);
    let mut context = StageContext {
        scope: match scope {
            "scan" => Scope::Scan,
            "merge" => Scope::Merge,
            _ => Scope::Full,
        },
        now: spec["now"].as_i64().unwrap_or_default(),
        authorizations: view(&spec["authorizations"])?,
        ..StageContext::default()
    };
    for (name, plan) in spec["plans"].as_object().into_iter().flatten() {
        context.plans.give(name, plan.clone());
    }
    let columns: Vec<Column> = each(&spec["columns"], column)?;
    let families = Families {
        names: columns.iter().map(|(family, _)| family.clone()).collect(),
        inclusive: !columns.is_empty(),
    };
    let default = match &spec["default_visibility"] {
        Value::Null => Vec::new(),
        given => bytes(given)?,
    };
    let source = Box::new(SortedCells::new(written));
    // A second cursor gives what the first would give.
    let mut stack = build_stack(source, lower, &mut context, &columns, &default)?.fork();
    let ranges = match &spec["ranges"] {
        Value::Null => vec![Range::default()],
        given => Range::merge(each(given, range)?),
    };
    let after = match &spec["after"] {
        Value::Null => None,
        after => Some((
            key_from_json(&after["key"])?,
            after["seen"].as_u64().unwrap(),
        )),
    };
    if upper.is_empty() {
        let found = read(&mut stack, &rest_of(&ranges, &after), &families)?;
        return Ok(behind(found, after));
    }
    let mut below = read(&mut stack, &ranges, &families)?;
    below.reverse();
    let mut stack = put_stages(Box::new(SortedCells::new(below)), upper, &mut context)?;
    let found = read(&mut stack, &[Range::default()], &families)?;
    Ok(behind(found, after))
}

fn read(stack: &mut Source, ranges: &[Range], families: &Families) -> Result<Vec<Cell>> {
    let mut found = Vec::new();
    for range in ranges {
        stack.seek(range, families)?;
        while let Some(top) = stack.top() {
            found.push(top.to_owned());
            stack.advance()?;
        }
    }
    Ok(found)
}

/// What is left of the ranges from the key that a scan is resumed at.
fn rest_of(ranges: &[Range], after: &Option<(Key, u64)>) -> Vec<Range> {
    let Some((key, _)) = after else {
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

fn behind(found: Vec<Cell>, after: Option<(Key, u64)>) -> Vec<Cell> {
    let Some((key, mut left)) = after else {
        return found;
    };
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

fn each<T>(list: &Value, read: impl Fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    list.as_array().into_iter().flatten().map(read).collect()
}

fn bytes(value: &Value) -> Result<Vec<u8>> {
    bytes_from_json(value, "byte string")
}

fn column(value: &Value) -> Result<Column> {
    let qualifier = match &value[1] {
        Value::Null => None,
        given => Some(bytes(given)?),
    };
    Ok((bytes(&value[0])?, qualifier))
}

fn view(value: &Value) -> Result<View> {
    if value == "ALL" {
        return Ok(View::All);
    }
    Ok(View::Of(Authorizations::new(each(value, bytes)?)?))
}

fn range(value: &Value) -> Result<Range> {
    let key = |bound: &Value| match bound {
        Value::Null => Ok(None),
        given => key_from_json(given).map(Some),
    };
    Ok(Range {
        start: key(&value["start"])?,
        start_inclusive: value["start_inclusive"] != false,
        end: key(&value["end"])?,
        end_inclusive: value["end_inclusive"] != false,
    })
}
