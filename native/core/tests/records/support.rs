//! The files of `spec/facts`, and values as they have them.

use std::path::Path;

use lexigraph_core::cells::json::bytes_from_json;
use lexigraph_core::codec::{Codec, Value};
use lexigraph_core::records::{FetchHints, RecordReading, RecordRows, Table};
use lexigraph_core::scan::view_from_json;
use serde_json::Value as Json;

use crate::typed_json::{value_from_json, value_to_json};

/// Every file by its name.
pub fn files() -> Vec<(String, Json)> {
    let folder = Path::new("../..").join("spec/facts");
    let entries = std::fs::read_dir(folder).expect("spec/facts");
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(path).unwrap();
        (name, serde_json::from_str(&text).unwrap())
    };
    paths.iter().map(read).collect()
}

/// One file.
pub fn file(name: &str) -> Json {
    let found = files().into_iter().find(|(one, _)| one == name);
    found
        .unwrap_or_else(|| panic!("no spec/facts/{name}.json"))
        .1
}

/// The entries of a list, which must not be empty.
pub fn list<'j>(file: &'j Json, name: &str) -> &'j [Json] {
    let found = file[name].as_array().expect(name);
    assert!(!found.is_empty(), "{name} is empty");
    found
}

/// The key plan that a file names.
pub fn plan(file: &Json) -> Json {
    let name = file["plan"].as_str().expect("plan");
    let path = Path::new("../..").join("spec/plans").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn rows(file: &Json) -> RecordRows {
    RecordRows::from_plan(&plan(file)).unwrap()
}

pub fn table(name: &str) -> Table {
    match name {
        "vertices" => Table::Vertices,
        "edges" => Table::Edges,
        other => panic!("there is no table {other}"),
    }
}

pub fn reading(reader: &Json) -> RecordReading {
    let hints = match &reader["hints"] {
        Json::Null => FetchHints::everything(),
        hints => FetchHints::from_json(hints).unwrap(),
    };
    RecordReading {
        view: view_from_json(&reader["authorizations"]).unwrap(),
        as_of: reader["as_of"].as_i64(),
        hints,
        now: reader["now"].as_i64(),
        retention: None,
    }
}

/// Bytes that may be left out.
pub fn bytes(json: &Json) -> Vec<u8> {
    match json {
        Json::Null => Vec::new(),
        given => bytes_from_json(given, "bytes").unwrap(),
    }
}

/// A value: text and small integers as they are, everything else tagged.
pub fn typed(json: &Json) -> Value {
    match json {
        Json::String(text) => Value::Str(text.clone()),
        Json::Number(number) => Value::int(number.as_i64().unwrap()),
        other => value_from_json(other).unwrap(),
    }
}

pub fn shown(value: &Value) -> Json {
    match value {
        Value::Str(text) => Json::from(text.as_str()),
        Value::Int(number) if number.to_i64().is_some_and(|one| one.abs() < 1 << 53) => {
            Json::from(number.to_i64())
        }
        other => value_to_json(other),
    }
}

/// A stored value as JSON.
pub fn stored(data: &[u8]) -> Json {
    shown(&Codec::Any.decode_value(data).unwrap())
}

/// Pairs of name and value.
pub fn pairs(value: &Value) -> Json {
    let Value::Tuple(pairs) = value else {
        panic!("{value:?} are no pairs")
    };
    let pair = |pair: &Value| match pair {
        Value::Tuple(pair) => Json::from(pair.iter().map(shown).collect::<Vec<_>>()),
        other => panic!("{other:?} is no pair"),
    };
    Json::from(pairs.iter().map(pair).collect::<Vec<_>>())
}

pub fn text(data: &[u8]) -> Json {
    Json::from(std::str::from_utf8(data).unwrap())
}
