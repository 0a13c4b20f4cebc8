//! Facts in their JSON form as cells.

use lexigraph_core::cells::{Cell, Key};
use lexigraph_core::codec::escape::escape;
use lexigraph_core::codec::{Codec, Nulls, Value};
use serde_json::Value as Json;

use crate::support::{bytes, plan, typed};

/// The table and the cell of a fact, with the codecs that a file declares.
pub fn cell_of(file: &Json, fact: &Json) -> (&'static str, Cell) {
    let (table, row) = row_of(file, &fact["of"]);
    let is_reference = !fact["of"]["reference"].is_null();
    let family = match fact["fact"].as_str().unwrap() {
        "existence" => "e",
        "label" => "l",
        "value" => "p",
        "metadata" => "pm",
        "hide" => "h",
        "value-hide" => "hp",
        "required" => "a",
        other => panic!("there is no fact {other}"),
    };
    let family = format!("{}{family}", if is_reference { "r" } else { "" });
    let key = Key {
        row,
        family: family.into_bytes(),
        qualifier: qualifier_of(fact),
        visibility: bytes(&fact["visibility"]),
        timestamp: fact["time"].as_i64().unwrap(),
        deleted: false,
    };
    let value = value_of(fact);
    (table, Cell { key, value })
}

/// The sorted cells of facts, of one table; equal keys stay in the order given.
pub fn cells_of(file: &Json, table: &str, facts: &[&Json]) -> Vec<Cell> {
    let written = facts.iter().map(|fact| cell_of(file, fact));
    let mut cells: Vec<Cell> = written
        .filter(|(one, _)| *one == table)
        .map(|(_, cell)| cell)
        .collect();
    cells.sort_by(|one, other| one.key.cmp(&other.key));
    cells
}

fn row_of(file: &Json, subject: &Json) -> (&'static str, Vec<u8>) {
    let facts = plan(file)["facts"].clone();
    let vertex = Codec::named(facts["vertex"].as_str().unwrap()).unwrap();
    let escaped = |id: &Json| {
        let mut out = Vec::new();
        escape(&key(&vertex, &typed(id)), &mut out);
        out.push(0);
        out
    };
    if !subject["edge"].is_null() {
        return ("edges", key(&Codec::Any, &typed(&subject["edge"])));
    }
    if !subject["vertex"].is_null() {
        return ("vertices", [escaped(&subject["vertex"]), vec![1]].concat());
    }
    let one = &subject["reference"];
    let mark = match one["direction"].as_str().unwrap() {
        "out" => 2,
        "in" => 3,
        _ => 4,
    };
    let label = one["label"].as_str().unwrap();
    let mut row = escaped(&one["vertex"]);
    row.push(mark);
    escape(label.as_bytes(), &mut row);
    row.push(0);
    let declared = facts["labels"][label].as_array().into_iter().flatten();
    for (part, given) in declared.zip(one["sort_key"].as_array().unwrap()) {
        let codec = Codec::named(part["codec"].as_str().unwrap()).unwrap();
        let descending = part["descending"].as_bool().unwrap_or(false);
        let codec = Codec::part(codec, descending, Some(Nulls::Last));
        codec.encode_part(&typed(given), &mut row).unwrap();
    }
    row.extend(escaped(&one["other"]));
    row.extend(key(&Codec::Any, &typed(&one["edge"])));
    ("vertices", row)
}

fn qualifier_of(fact: &Json) -> Vec<u8> {
    let mut out = Vec::new();
    let mut part = |data: &[u8]| {
        escape(data, &mut out);
        out.push(0);
    };
    let name = || fact["name"].as_str().unwrap().as_bytes();
    match fact["fact"].as_str().unwrap() {
        "label" => return fact["label"].as_str().unwrap().into(),
        "required" => return bytes(&fact["expression"]),
        "hide" if fact["cause"].is_null() => {}
        "hide" => return key(&Codec::Any, &typed(&fact["cause"])),
        "value" => {
            part(name());
            out.extend(bytes(&fact["key"]));
        }
        "value-hide" => {
            part(name());
            part(&bytes(&fact["key"]));
            out.extend(bytes(&fact["value_visibility"]));
        }
        "metadata" => {
            part(name());
            part(&bytes(&fact["key"]));
            part(&bytes(&fact["value_visibility"]));
            out.extend(time(&fact["value_time"]));
            out.extend(fact["entry"].as_str().unwrap().as_bytes());
        }
        _ => {}
    }
    out
}

fn value_of(fact: &Json) -> Vec<u8> {
    let state = ["said", "deleted", "moved", "removed", "undone"];
    let state = state.iter().position(|one| fact["state"] == **one);
    let mut out = vec![state.unwrap() as u8 + 1, 0];
    for (flag, name) in [(1, "ended"), (2, "stamp")] {
        if !fact[name].is_null() {
            out[1] |= flag;
            out.extend(time(&fact[name]));
        }
    }
    if !fact["note"].is_null() {
        let note = value(&typed(&fact["note"]));
        out[1] |= 4;
        assert!(note.len() < 128);
        out.push(note.len() as u8);
        out.extend(note);
    }
    if !fact["ttl"].is_null() {
        out[1] |= 8;
        out.extend(time(&fact["ttl"]));
    }
    if !fact["value"].is_null() {
        out.extend(value(&typed(&fact["value"])));
    }
    let shape = &fact["shape"];
    if !shape.is_null() {
        out.extend(value(&Value::Tuple(vec![
            typed(&shape["label"]),
            typed(&shape["source"]),
            typed(&shape["destination"]),
            Value::Bool(shape["directed"].as_bool().unwrap()),
            pairs(&shape["properties"]),
        ])));
    }
    if !fact["signature"].is_null() {
        out.extend(value(&pairs(&fact["signature"])));
    }
    out
}

fn pairs(json: &Json) -> Value {
    let pairs = json.as_array().unwrap().iter();
    let pair = |pair: &Json| Value::Tuple(vec![typed(&pair[0]), typed(&pair[1])]);
    Value::Tuple(pairs.map(pair).collect())
}

fn key(codec: &Codec, value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    codec.encode_key(value, &mut out).unwrap();
    out
}

fn value(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    Codec::Any.encode_value(value, &mut out).unwrap();
    out
}

fn time(json: &Json) -> [u8; 8] {
    (json.as_i64().unwrap() ^ i64::MIN).to_be_bytes()
}
