//! `spec/stages`, the vectors that all languages share.

use std::path::{Path, PathBuf};

use lexigraph_core::cells::json::{cell_from_json, key_to_json};
use lexigraph_core::cells::Cell;
use lexigraph_core::{Error, Result};
use serde_json::{json, Value};

/// The vectors of every stage, by its name; their plans stand in their specs.
pub fn stages() -> Vec<(String, Vec<Value>)> {
    let entries = std::fs::read_dir(spec().join("stages")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let content = json_of(&file);
        let cases = content["cases"].as_array().unwrap().iter();
        let cases = cases.map(|case| with_plans(case, &content["plans"]));
        (content["stage"].as_str().unwrap().into(), cases.collect())
    };
    files.into_iter().map(read).collect()
}

/// One of the worked plans.
pub fn plan(name: &str) -> Value {
    json_of(&spec().join("plans").join(format!("{name}.json")))
}

pub fn cells(list: &Value) -> Vec<Cell> {
    let list = list.as_array().unwrap();
    list.iter()
        .map(|cell| cell_from_json(cell).unwrap())
        .collect()
}

/// The cells that a vector expects, none where it expects an error; or what is wrong with an outcome.
pub type Judged = std::result::Result<Option<Vec<Cell>>, String>;

/// Compares what came out with what the vector says.
pub fn judge(case: &Value, outcome: &Result<Vec<Cell>>) -> Judged {
    if let Some(expected) = case["error"].as_str() {
        return match outcome {
            Err(error) if code(error) == expected => Ok(None),
            other => Err(format!("gave {other:?}, expected {expected}")),
        };
    }
    let expected = cells(&case["expected"]);
    match outcome.as_ref() == Ok(&expected) {
        true => Ok(Some(expected)),
        false => Err(format!("gave {outcome:?}, expected {expected:?}")),
    }
}

/// What is wrong when the scan is cut behind each of its cells and resumed.
pub fn cut_everywhere(
    spec: &Value,
    expected: &[Cell],
    run: impl Fn(&Value) -> Result<Vec<Cell>>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for given in 1..=expected.len() {
        let last = &expected[given - 1].key;
        let seen = expected[..given].iter().filter(|cell| cell.key == *last);
        let mut resumed = spec.clone();
        resumed["after"] = json!({"key": key_to_json(&last.as_ref()), "seen": seen.count()});
        let rest = run(&resumed);
        if rest.as_deref() != Ok(&expected[given..]) {
            wrong.push(format!("cut behind cell {given}: gave {rest:?}"));
        }
    }
    wrong
}

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

/// The case with the plans of its file; a plan given as text is a file in `spec/plans`.
fn with_plans(case: &Value, plans: &Value) -> Value {
    let mut case = case.clone();
    for (name, given) in plans.as_object().into_iter().flatten() {
        if case["spec"]["plans"][name].is_null() {
            case["spec"]["plans"][name] = match given.as_str() {
                None => given.clone(),
                Some(file) => plan(file),
            };
        }
    }
    case
}

fn json_of(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn spec() -> PathBuf {
    // From where cargo runs tests. A path fixed at build would be that of another clone with the same target.
    Path::new("../..").join("spec")
}
