//! The core against `spec/stages`, the vectors that all languages share: whole, and cut behind every
//! cell and resumed. Vectors of stages that the core does not have are left out, and counted.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
mod scan;

use lexigraph_core::stages::BUILT_IN;
use serde_json::Value;

use common::vectors::{cells, cut_everywhere, judge, stages};

fn check(case: &Value) -> Vec<String> {
    let scope = case["scope"].as_str().unwrap_or("scan");
    let run = |spec: &Value| scan::run(cells(&case["cells"]), spec, scope);
    match judge(case, &run(&case["spec"])) {
        Err(wrong) => vec![wrong],
        Ok(Some(expected)) if scope == "scan" => cut_everywhere(&case["spec"], &expected, run),
        Ok(_) => Vec::new(),
    }
}

#[test]
fn every_vector_gives_its_cells_wherever_it_is_cut() {
    let (mut ran, mut known, mut wrong) = (0, Vec::new(), Vec::new());
    for (stage, cases) in stages() {
        if !BUILT_IN.iter().any(|kind| kind.name == stage) {
            println!("{stage}: not in the core");
            continue;
        }
        println!("{stage}: {} vectors", cases.len());
        for case in &cases {
            ran += 1;
            let problems = check(case);
            wrong.extend(
                problems
                    .iter()
                    .map(|text| format!("{stage}: {}: {text}", case["name"])),
            );
        }
        known.push(stage);
    }
    println!("{ran} vectors of {} stages", known.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<&str> = BUILT_IN
        .iter()
        .map(|kind| kind.name)
        .filter(|name| !known.iter().any(|stage| stage == name))
        .collect();
    assert!(missing.is_empty(), "stages without vectors: {missing:?}");
}
