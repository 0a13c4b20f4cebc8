//! The scan spec: one read of one table, as data. `spec/scan.md` section 2 is the contract.
//!
//! Reading JSON is strict: an unknown field is an error, as it is in Python.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::cells::json::{bytes_from_json, key_from_json, range_from_json, shown};
use crate::cells::{Key, Range};
use crate::functions::{KeySet, Sets};
use crate::json::Node;
use crate::nearest::did_you_mean;
use crate::stages::{AskedColumn, StageSpec};
use crate::visibility::{Authorizations, View};
use crate::{Error, Result};

const FIELDS: [&str; 10] = [
    "version",
    "ranges",
    "columns",
    "authorizations",
    "default_visibility",
    "now",
    "stages",
    "plans",
    "sets",
    "after",
];

/// Where a cut result goes on: behind the `seen`-th cell that has exactly `key`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    pub key: Key,
    pub seen: u64,
}

/// One read: where, which columns, as whom, when, through which stages.
#[derive(Debug, Clone)]
pub struct Spec {
    /// No range at all gives nothing.
    pub ranges: Vec<Range>,
    /// No column given means every column.
    pub columns: Vec<AskedColumn>,
    pub view: View,
    /// What cells without a label must satisfy besides the table's own.
    pub default_visibility: Option<Vec<u8>>,
    /// The clock in the table's time unit; `None` is the engine's.
    pub now: Option<i64>,
    pub stages: Vec<StageSpec>,
    /// Key plans by name, in their JSON form.
    pub plans: Map<String, Value>,
    /// Sets of keys by name, for predicates.
    pub sets: Sets,
    pub after: Option<Resume>,
}

impl Default for Spec {
    /// Everything that has no label.
    fn default() -> Self {
        Spec {
            ranges: vec![Range::default()],
            columns: Vec::new(),
            view: View::Of(Authorizations::default()),
            default_visibility: None,
            now: None,
            stages: Vec::new(),
            plans: Map::new(),
            sets: Sets::new(),
            after: None,
        }
    }
}

impl Spec {
    /// Reads a spec; unknown fields are refused.
    pub fn from_json(value: &Value) -> Result<Spec> {
        let fields = object(value, &FIELDS, "scan")?;
        if fields.get("version") != Some(&Value::from(1)) {
            let found = fields.get("version").map_or("none".into(), shown);
            return refuse(format!("a scan needs version 1, this has {found}"));
        }
        let mut spec = Spec::default();
        if let Some(ranges) = fields.get("ranges") {
            spec.ranges = each(ranges, "ranges", range_from_json)?;
        }
        if let Some(columns) = fields.get("columns") {
            spec.columns = each(columns, "columns", column_from_json)?;
        }
        if let Some(tokens) = fields.get("authorizations") {
            spec.view = view_from_json(tokens)?;
        }
        if let Some(label) = given(fields, "default_visibility") {
            spec.default_visibility = Some(bytes_from_json(label, "default_visibility")?);
        }
        if let Some(now) = given(fields, "now") {
            let refused = || not("now must be a signed 64-bit integer", now);
            spec.now = Some(now.as_i64().ok_or_else(refused)?);
        }
        if let Some(stages) = fields.get("stages") {
            spec.stages = each(stages, "stages", StageSpec::from_json)?;
        }
        if let Some(plans) = fields.get("plans") {
            let plans = plans.as_object();
            let refused = || not("plans must be an object", &fields["plans"]);
            spec.plans = plans.ok_or_else(refused)?.clone();
        }
        if let Some(sets) = fields.get("sets") {
            for (name, item) in Node::new(sets, "sets").members()? {
                spec.sets
                    .insert(name.into(), Arc::new(KeySet::parse(&item)?));
            }
        }
        spec.after = given(fields, "after").map(resume_from_json).transpose()?;
        Ok(spec)
    }
}

/// Reads a column: a family, or a family and a qualifier.
pub fn column_from_json(value: &Value) -> Result<AskedColumn> {
    match value.as_array().map(Vec::as_slice) {
        Some([family]) => Ok((bytes_from_json(family, "family")?, None)),
        Some([family, qualifier]) => {
            let qualifier = bytes_from_json(qualifier, "qualifier")?;
            Ok((bytes_from_json(family, "family")?, Some(qualifier)))
        }
        _ => Err(not("a column is [family] or [family, qualifier]", value)),
    }
}

/// Reads as whom a scan reads: a list of tokens, or `"ALL"`.
pub fn view_from_json(value: &Value) -> Result<View> {
    if value == "ALL" {
        return Ok(View::All);
    }
    let token = |token: &Value| bytes_from_json(token, "authorization");
    Ok(View::Of(Authorizations::new(each(
        value,
        "authorizations",
        token,
    )?)?))
}

fn resume_from_json(value: &Value) -> Result<Resume> {
    let fields = object(value, &["key", "seen"], "resume point")?;
    let seen = fields.get("seen").unwrap_or(&Value::Null);
    Ok(Resume {
        key: key_from_json(fields.get("key").unwrap_or(&Value::Null))?,
        seen: seen
            .as_u64()
            .ok_or_else(|| not("seen must be an integer of at least 0", seen))?,
    })
}

fn object<'a>(value: &'a Value, known: &[&str], what: &str) -> Result<&'a Map<String, Value>> {
    let Some(fields) = value.as_object() else {
        return Err(not(&format!("a {what} in JSON is an object"), value));
    };
    for name in fields.keys() {
        if !known.contains(&name.as_str()) {
            let near = did_you_mean(name, known.iter().copied());
            return refuse(format!("a {what} has no field '{name}'{near}"));
        }
    }
    Ok(fields)
}

fn given<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    fields.get(name).filter(|value| !value.is_null())
}

fn each<T>(list: &Value, what: &str, read: impl Fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    let items = list.as_array();
    let items = items.ok_or_else(|| not(&format!("{what} must be a list"), list))?;
    items.iter().map(read).collect()
}

fn not(rule: &str, value: &Value) -> Error {
    Error::InvalidOption(format!("{rule}, not {}", shown(value)))
}

fn refuse<T>(message: String) -> Result<T> {
    Err(Error::InvalidOption(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_spec_reads_every_field() -> Result<()> {
        let key = json!(["a", "", "", "", 5, 0]);
        let spec = Spec::from_json(&json!({
            "version": 1, "ranges": [{"start": key}], "columns": [["f"], ["g", "q"]],
            "authorizations": "ALL", "default_visibility": "A", "now": 7,
            "stages": [{"name": "limit", "options": {"cells": 1}}], "plans": {"p": {}},
            "sets": {"few": {"keys": ["b", "a"]}, "many": {"bits": {"hex": "0000000000000000"}}, "later": null},
            "after": {"key": key, "seen": 2},
        }))?;
        assert_eq!((spec.columns.len(), spec.sets.len()), (2, 3));
        assert_eq!((spec.view, spec.now), (View::All, Some(7)));
        assert_eq!(spec.after.map(|after| after.seen), Some(2));
        Ok(())
    }

    #[test]
    fn what_a_spec_does_not_know_is_refused() {
        let key = json!(["a", "", "", "", 5, 0]);
        for wrong in [
            json!({}),
            json!({"version": 2}),
            json!({"version": 1, "range": []}),
            json!({"version": 1, "ranges": null}),
            json!({"version": 1, "ranges": [{"begin": key}]}),
            json!({"version": 1, "ranges": [{"start_inclusive": 1}]}),
            json!({"version": 1, "columns": [["f", "q", "v"]]}),
            json!({"version": 1, "now": 1.5}),
            json!({"version": 1, "after": {"key": key}}),
            json!({"version": 1, "plans": []}),
            json!({"version": 1, "sets": []}),
            json!({"version": 1, "sets": {"s": ["a"]}}),
            json!({"version": 1, "sets": {"s": {"keys": ["a"], "bits": ""}}}),
            json!({"version": 1, "sets": {"s": {"bits": {"hex": "000000"}}}}),
        ] {
            let outcome = Spec::from_json(&wrong);
            assert!(matches!(outcome, Err(Error::InvalidOption(_))), "{wrong}");
        }
        let turned = json!({"version": 1, "ranges": [
            {"start": ["b", "", "", "", 5, 0], "end": key}]});
        assert!(matches!(
            Spec::from_json(&turned),
            Err(Error::InvalidKey(_))
        ));
    }
}
