//! `spec/stages` through a real store: in delta and base, by batches of any size, cut and resumed.

use std::path::{Path, PathBuf};

use lexigraph_core::cells::json::{cell_from_json, key_to_json};
use lexigraph_core::cells::Cell;
use lexigraph_core::scan::{Input, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::{Error, Result};
use serde_json::{json, Value};

use crate::support::{read, Fixture};

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

fn scan(input: &Input, spec: &Value, batch: usize) -> Result<Vec<Cell>> {
    let options = ScanOptions {
        threads: 2,
        ..ScanOptions::default()
    };
    read(input, &Spec::from_json(spec)?, &options, batch)
}

fn check(case: &Value, input: &Input) -> Vec<String> {
    let spec = &case["spec"];
    let outcome = scan(input, spec, 1000);
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
    let mut wrong = Vec::new();
    for batch in 1..=3 {
        if scan(input, spec, batch).as_ref() != Ok(&expected) {
            wrong.push(format!("differs by batches of {batch}"));
        }
    }
    for given in 1..=expected.len() {
        let last = &expected[given - 1].key;
        let seen = expected[..given].iter().filter(|cell| cell.key == *last);
        let mut resumed = spec.clone();
        resumed["after"] = json!({"key": key_to_json(&last.as_ref()), "seen": seen.count()});
        let rest = scan(input, &resumed, 1000);
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

#[test]
fn every_vector_gives_its_cells_from_a_store_wherever_it_is_cut() {
    let fixture = Fixture::new();
    let families = vec![vec![b"f".to_vec()], vec![b"calls".to_vec()]];
    let grouped = Settings {
        locality_groups: families,
        ..Settings::default()
    };
    let (mut table, mut wrong) = (0, Vec::new());
    for file in std::fs::read_dir(spec().join("stages")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let content: Value = serde_json::from_str(&text).unwrap();
        for case in content["cases"].as_array().unwrap() {
            if case["scope"].as_str().unwrap_or("scan") != "scan" {
                continue;
            }
            table += 1;
            // Some tables have locality groups, some are merged in whole or in part.
            let settings = if table % 2 == 0 {
                &grouped
            } else {
                &Settings::default()
            };
            let written = cells(&case["cells"]);
            let (old, new) = written.split_at(written.len() * (table as usize % 4) / 3);
            fixture.write(table, settings, old);
            fixture.merge(table, settings);
            fixture.write(table, settings, new);
            let case = with_plans(case, &content["plans"]);
            let problems = check(&case, &fixture.input(table, settings));
            let name = format!("{}: {}", content["stage"], case["name"]);
            wrong.extend(problems.iter().map(|text| format!("{name}: {text}")));
        }
    }
    println!("{table} vectors");
    assert!(table > 300);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
