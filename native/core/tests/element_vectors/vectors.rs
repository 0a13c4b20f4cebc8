//! The vectors of one file, and how one is run.

use std::path::{Path, PathBuf};

use lexigraph_core::cells::json::{bytes_from_json, cell_from_json, key_from_json};
use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::stages::{
    build_stack, find_stage, priority_of, put_stages, Families, Scope, SortedCells, StageContext,
    StageSpec,
};
use lexigraph_core::visibility::{Authorizations, View};
use lexigraph_core::Result;
use serde_json::Value as Json;

use super::ranges::{read, Ranges};

pub struct Case {
    pub name: String,
    cells: Vec<Cell>,
    spec: Json,
    plans: Vec<(String, Json)>,
    pub scope: String,
    pub expected: Vec<Cell>,
    pub error: Option<String>,
}

pub fn load_cases(stage: &str) -> Vec<Case> {
    let file = read_json(&spec().join(format!("stages/{stage}.json")));
    let cases = file["cases"].as_array().unwrap();
    cases.iter().map(|case| read_case(&file, case)).collect()
}

pub fn load_plan(name: &str) -> Json {
    read_json(&spec().join(format!("plans/{name}.json")))
}

fn spec() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec")
}

fn read_json(path: &Path) -> Json {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn read_case(file: &Json, case: &Json) -> Case {
    let mut plans = Vec::new();
    for given in [&file["plans"], &case["spec"]["plans"]] {
        for (name, plan) in given.as_object().into_iter().flatten() {
            let plan = plan.as_str().map_or_else(|| plan.clone(), load_plan);
            plans.push((name.clone(), plan));
        }
    }
    Case {
        name: case["name"].as_str().unwrap().into(),
        cells: read_cells(&case["cells"]),
        spec: case["spec"].clone(),
        plans,
        scope: case["scope"].as_str().unwrap_or("scan").into(),
        expected: case.get("expected").map(read_cells).unwrap_or_default(),
        error: case["error"].as_str().map(String::from),
    }
}

fn read_cells(json: &Json) -> Vec<Cell> {
    let cells = json.as_array().unwrap().iter();
    cells.map(|cell| cell_from_json(cell).unwrap()).collect()
}

fn read_ranges(json: &Json) -> Vec<Range> {
    let Some(given) = json.as_array() else {
        return vec![Range::default()];
    };
    let key = |json: &Json| (!json.is_null()).then(|| key_from_json(json).unwrap());
    let mut ranges: Vec<Range> = given
        .iter()
        .map(|one| Range {
            start: key(&one["start"]),
            start_inclusive: one["start_inclusive"].as_bool().unwrap_or(true),
            end: key(&one["end"]),
            end_inclusive: one["end_inclusive"].as_bool().unwrap_or(true),
        })
        .collect();
    ranges.sort_by(|left, right| left.start.cmp(&right.start));
    ranges
}

impl Case {
    /// Runs the case, from the start or behind the n-th cell of a key.
    pub fn run(&self, after: Option<(&Key, usize)>) -> Result<Vec<Cell>> {
        let scope = match self.scope.as_str() {
            "scan" => Scope::Scan,
            "merge" => Scope::Merge,
            _ => Scope::Full,
        };
        let mut context = StageContext {
            scope,
            authorizations: self.view(),
            ..StageContext::default()
        };
        for (name, plan) in &self.plans {
            context.plans.give(name, plan.clone());
        }
        let ranges = read_ranges(&self.spec["ranges"]);
        let stages = self.spec["stages"].as_array().unwrap().iter();
        let mut stages: Vec<StageSpec> = stages.map(StageSpec::from_json).collect::<Result<_>>()?;
        stages.sort_by_key(|stage| priority_of(stage).unwrap());
        let first = stages
            .iter()
            .position(|stage| find_stage(&stage.name).unwrap().whole_scan);
        let (below, above) = stages.split_at(first.unwrap_or(stages.len()));
        let cells = Box::new(SortedCells::new(self.cells.clone()));
        let mut source = build_stack(cells, below, &mut context, &[], b"")?;
        let whole_scan = !above.is_empty();
        if whole_scan {
            let joined = Ranges {
                source,
                ranges: ranges.clone(),
                at: 0,
                families: Families::default(),
            };
            source = put_stages(Box::new(joined), above, &mut context)?;
        }
        // A second cursor must give what the first gives.
        let mut source = source.fork();
        let ranges = if whole_scan {
            vec![Range::default()]
        } else {
            ranges
        };
        let mut cells = Vec::new();
        for range in &ranges {
            let rest = match after {
                Some((key, _)) if range.is_before(&key.as_ref()) => range.clone(),
                Some((key, _)) => range.starting(key.clone()),
                None => range.clone(),
            };
            cells.extend(read(source.as_mut(), &rest)?);
        }
        let Some((key, mut seen)) = after else {
            return Ok(cells);
        };
        cells.retain(|cell| {
            let pass = seen > 0 && cell.key == *key;
            seen -= usize::from(pass);
            !pass
        });
        Ok(cells)
    }

    fn view(&self) -> View {
        if self.spec["authorizations"] == "ALL" {
            return View::All;
        }
        let held = self.spec["authorizations"].as_array().into_iter().flatten();
        let held = held
            .map(|token| bytes_from_json(token, "token").unwrap());
        View::Of(Authorizations::new(held.collect::<Vec<_>>()).unwrap())
    }
}
