//! The vectors of one file, and how one is run.

use std::path::{Path, PathBuf};

use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::json::Node;
use lexigraph_core::stages::elements::{
    build_aggregate, build_decode, build_filter, build_roll_up, build_summarise, ElementContext,
    Plans,
};
use lexigraph_core::stages::{Families, Scope};
use lexigraph_core::visibility::{Authorizations, Visibility};
use lexigraph_core::Result;
use serde_json::Value as Json;

use super::table::{delete, read, Ranges, Source, Table};

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
    let read = |cell: &Json| Cell {
        key: read_key(cell),
        value: bytes(&cell[6]),
    };
    cells.map(read).collect()
}

fn read_key(json: &Json) -> Key {
    Key {
        row: bytes(&json[0]),
        family: bytes(&json[1]),
        qualifier: bytes(&json[2]),
        visibility: bytes(&json[3]),
        timestamp: json[4].as_i64().unwrap(),
        deleted: json[5].as_i64().unwrap() == 1,
    }
}

fn bytes(json: &Json) -> Vec<u8> {
    Node::new(json, "bytes").bytes().unwrap()
}

fn read_ranges(json: &Json) -> Vec<Range> {
    let Some(given) = json.as_array() else {
        return vec![Range::default()];
    };
    let key = |json: &Json| (!json.is_null()).then(|| read_key(json));
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
        let mut plans = Plans::default();
        for (name, plan) in &self.plans {
            plans.give(name, plan.clone());
        }
        let mut context = ElementContext {
            scope,
            combine: true,
            plans,
        };
        let ranges = read_ranges(&self.spec["ranges"]);
        let mut source: Source = Box::new(Table::new(self.visible(scope)));
        let mut stages: Vec<&Json> = self.spec["stages"].as_array().unwrap().iter().collect();
        stages.sort_by_key(|stage| priority(stage));
        let mut whole_scan = false;
        for stage in stages {
            let options = &stage["options"];
            source = match stage["name"].as_str().unwrap() {
                "filter" => build_filter(source, options, &mut context)?,
                "aggregate" => build_aggregate(source, options, &mut context)?,
                "roll-up" => build_roll_up(source, options, &mut context)?,
                "decode" => build_decode(source, options, &mut context)?,
                _ => {
                    whole_scan = true;
                    let below = Ranges {
                        source,
                        ranges: ranges.clone(),
                        at: 0,
                        families: Families::default(),
                    };
                    build_summarise(Box::new(below), options, &mut context)?
                }
            };
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

    fn visible(&self, scope: Scope) -> Vec<Cell> {
        let mut cells = delete(self.cells.clone(), scope == Scope::Merge);
        if let (Scope::Scan, Some(held)) = (scope, self.spec["authorizations"].as_array()) {
            let held: Vec<Vec<u8>> = held.iter().map(bytes).collect();
            let held = Authorizations::new(held).unwrap();
            cells.retain(|cell| {
                let label = Visibility::parse(&cell.key.visibility);
                label.is_ok_and(|label| label.evaluate(&held))
            });
        }
        cells
    }
}

fn priority(stage: &Json) -> i64 {
    let default = match stage["name"].as_str().unwrap() {
        "aggregate" => 40,
        "filter" => 50,
        "roll-up" => 60,
        "decode" => 80,
        _ => 90,
    };
    stage["priority"].as_i64().unwrap_or(default)
}
