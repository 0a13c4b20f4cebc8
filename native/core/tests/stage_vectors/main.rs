//! The core against `spec/stages`, the vectors that all languages share: whole, and cut behind every
//! cell and resumed. Vectors of stages that the core does not have are left out, and counted.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod scan;

use std::path::{Path, PathBuf};

use lexigraph_core::cells::json::{cell_from_json, key_to_json};
use lexigraph_core::cells::Cell;
use lexigraph_core::stages::BUILT_IN;
use lexigraph_core::{Error, Result};
use serde_json::{json, Value};

/// The code of an error in `lexigraph.errors`, by which vectors name it.
fn code(error: &Error) -> &'static str {
    match error {
        Error::InvalidOption(_) | Error::UnknownName(_) => "usage.option",
        Error::InvalidBytes(_) => "usage.bytes",
        Error::InvalidValue(_) => "usage.value",
        Error::InvalidKey(_) => "usage.key",
        Error::InvalidVisibility { .. } => "usage.visibility",
        Error::GroupNotFound(_) => "not-found.group",
        Error::Unsupported(_) => "unsupported",
        _ => "store",
    }
}

fn cells(list: &Value) -> Vec<Cell> {
    let list = list.as_array().unwrap();
    list.iter()
        .map(|cell| cell_from_json(cell).unwrap())
        .collect()
}

fn run(case: &Value, spec: &Value) -> Result<Vec<Cell>> {
    let scope = case["scope"].as_str().unwrap_or("scan");
    scan::run(cells(&case["cells"]), spec, scope)
}

fn check(case: &Value) -> Vec<String> {
    let spec = &case["spec"];
    let outcome = run(case, spec);
    if let Some(expected) = case["error"].as_str() {
        return match outcome {
            Err(error) if code(&error) == expected => Vec::new(),
            other => vec![format!("gave {other:?}, expected {expected}")],
        };
    }
    let expected = cells(&case["expected"]);
    if outcome.as_ref() != Ok(&expected) {
        return vec![format!("gave {outcome:?}, expected {expected:?}")];
    }
    if case["scope"].as_str().unwrap_or("scan") != "scan" {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for given in 1..=expected.len() {
        let last = &expected[given - 1].key;
        let seen = expected[..given].iter().filter(|cell| cell.key == *last);
        let mut resumed = spec.clone();
        resumed["after"] = json!({"key": key_to_json(&last.as_ref()), "seen": seen.count()});
        let rest = run(case, &resumed);
        if rest.as_deref() != Ok(&expected[given..]) {
            wrong.push(format!("cut behind cell {given}: gave {rest:?}"));
        }
    }
    wrong
}

/// The case with the plans of its file; a plan given as text is a file in `spec/plans`.
fn with_plans(case: &Value, plans: &Value) -> Value {
    let mut case = case.clone();
    for (name, plan) in plans.as_object().into_iter().flatten() {
        if case["spec"]["plans"][name].is_null() {
            case["spec"]["plans"][name] = match plan.as_str() {
                None => plan.clone(),
                Some(file) => {
                    let path = spec().join("plans").join(format!("{file}.json"));
                    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
                }
            };
        }
    }
    case
}

fn spec() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec")
}

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(spec().join("stages")).expect("spec/stages");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_vector_gives_its_cells_wherever_it_is_cut() {
    let (mut ran, mut stages, mut wrong) = (0, Vec::new(), Vec::new());
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let content: Value = serde_json::from_str(&text).unwrap();
        let stage = content["stage"].as_str().unwrap();
        if !BUILT_IN.iter().any(|kind| kind.name == stage) {
            println!("{stage}: not in the core");
            continue;
        }
        stages.push(stage.to_owned());
        let cases = content["cases"].as_array().unwrap();
        println!("{stage}: {} vectors", cases.len());
        for case in cases {
            ran += 1;
            let problems = check(&with_plans(case, &content["plans"]));
            wrong.extend(
                problems
                    .iter()
                    .map(|text| format!("{stage}: {}: {text}", case["name"])),
            );
        }
    }
    println!("{ran} vectors of {} stages", stages.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<&str> = BUILT_IN
        .iter()
        .map(|kind| kind.name)
        .filter(|name| !stages.iter().any(|stage| stage == name))
        .collect();
    assert!(missing.is_empty(), "stages without vectors: {missing:?}");
}
