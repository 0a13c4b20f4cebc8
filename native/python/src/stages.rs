//! The stages of the core over cells in memory, as JSON text: for tests that compare languages.

use std::sync::Arc;

use lexigraph_core::cells::json::{bytes_from_json, cell_from_json, cell_to_json, range_from_json};
use lexigraph_core::cells::Cell;
use lexigraph_core::functions::KeySet;
use lexigraph_core::json::Node;
use lexigraph_core::scan::{column_from_json, view_from_json};
use lexigraph_core::stages::{
    build_stack, AskedColumn, Families, Scope, SortedCells, StageContext, StageSpec, BUILT_IN,
};
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use serde_json::Value;

use crate::errors::to_python;

/// Runs a stack over one range; gives the cells as JSON text and the error that ended it, if any.
///
/// The request is an object with `cells` as written, `stages`, `scope`, `range`, `families`,
/// `inclusive`, `columns`, `authorizations`, `default_visibility`,
/// `now`, `plans` and, where there are any, `sets`.
#[pyfunction]
pub fn run_stack(py: Python<'_>, request: &str) -> (String, Option<PyErr>) {
    let mut found = Vec::new();
    let failure = read(request).and_then(|request| run(&request, &mut found));
    let cells: Vec<Value> = found
        .iter()
        .map(|cell| cell_to_json(&cell.as_ref()))
        .collect();
    let error = failure.err().map(|error| to_python(py, error));
    (Value::from(cells).to_string(), error)
}

/// The names of the stages that the core has.
#[pyfunction]
pub fn stage_names() -> Vec<&'static str> {
    BUILT_IN.iter().map(|kind| kind.name).collect()
}

fn run(request: &Value, found: &mut Vec<Cell>) -> Result<()> {
    let stages: Vec<StageSpec> = each(&request["stages"], StageSpec::from_json)?;
    let mut context = StageContext {
        scope: scope(&request["scope"])?,
        now: request["now"].as_i64().unwrap_or_default(),
        authorizations: view_from_json(&request["authorizations"])?,
        ..StageContext::default()
    };
    for (name, plan) in request["plans"].as_object().into_iter().flatten() {
        context.plans.give(name, plan.clone());
    }
    if let Some(sets) = request.get("sets") {
        for (name, item) in Node::new(sets, "sets").members()? {
            let set = KeySet::parse(&item)?;
            context.sets.insert(name.into(), Arc::new(set));
        }
    }
    let cells = SortedCells::new(each(&request["cells"], cell_from_json)?);
    let columns: Vec<AskedColumn> = each(&request["columns"], column_from_json)?;
    let default_visibility = bytes_from_json(&request["default_visibility"], "default_visibility")?;
    let mut stack = build_stack(
        Box::new(cells),
        &stages,
        &mut context,
        &columns,
        &default_visibility,
    )?;
    let families: Vec<Vec<u8>> = each(&request["families"], bytes)?;
    let families = Families {
        names: families.into_iter().collect(),
        inclusive: request["inclusive"] == true,
    };
    stack.seek(&range_from_json(&request["range"])?, &families)?;
    while let Some(top) = stack.top() {
        found.push(top.to_owned());
        stack.advance()?;
    }
    Ok(())
}

fn read(text: &str) -> Result<Value> {
    serde_json::from_str(text)
        .map_err(|error| Error::InvalidOption(format!("the request is not JSON: {error}")))
}

fn each<T>(list: &Value, read: impl Fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    list.as_array().into_iter().flatten().map(read).collect()
}

fn bytes(value: &Value) -> Result<Vec<u8>> {
    bytes_from_json(value, "byte string")
}

fn scope(value: &Value) -> Result<Scope> {
    match value.as_str() {
        Some("scan") => Ok(Scope::Scan),
        Some("flush") => Ok(Scope::Flush),
        Some("merge") => Ok(Scope::Merge),
        Some("full") => Ok(Scope::Full),
        _ => Err(Error::InvalidOption(format!(
            "a scope is scan, flush, merge or full, not {value}"
        ))),
    }
}
