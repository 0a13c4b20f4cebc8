//! Arguments as Python gives them: keys and ranges as tuples, authorizations as a list, specs as JSON text.

use std::sync::Arc;

use lexigraph_core::cells::{Key, Range};
use lexigraph_core::functions::KeySet;
use lexigraph_core::scan::Spec;
use lexigraph_core::stages::StageSpec;
use lexigraph_core::visibility::{Authorizations, View};
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use serde_json::Value;

/// Row, family, qualifier, visibility, timestamp, deleted.
pub type KeyParts = (
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
    i64,
    bool,
);

/// Start, whether it is inside, end, whether it is inside.
#[derive(FromPyObject)]
pub struct RangeParts(Option<KeyParts>, bool, Option<KeyParts>, bool);

impl RangeParts {
    pub fn range(&self) -> Range {
        Range {
            start: self.0.as_ref().map(key),
            start_inclusive: self.1,
            end: self.2.as_ref().map(key),
            end_inclusive: self.3,
        }
    }
}

fn key(parts: &KeyParts) -> Key {
    Key {
        row: parts.0.to_vec(),
        family: parts.1.to_vec(),
        qualifier: parts.2.to_vec(),
        visibility: parts.3.to_vec(),
        timestamp: parts.4,
        deleted: parts.5,
    }
}

/// As whom somebody reads; none is the owner.
pub fn view(tokens: Option<&[PyBackedBytes]>) -> Result<View> {
    match tokens {
        None => Ok(View::All),
        Some(tokens) => Ok(View::Of(Authorizations::new(tokens.iter().map(|t| &**t))?)),
    }
}

/// Name, the offsets of sorted keys as bytes of int64, their data; without offsets the bits of a filter.
#[derive(FromPyObject)]
pub struct SetParts(String, Option<PyBackedBytes>, PyBackedBytes);

impl SetParts {
    fn set(&self) -> Result<KeySet> {
        let Some(offsets) = &self.1 else {
            return KeySet::filter(self.2.to_vec());
        };
        let offset = |bytes: &[u8]| i64::from_ne_bytes(bytes.try_into().unwrap_or_default());
        let offsets: Vec<i64> = offsets.chunks_exact(8).map(offset).collect();
        KeySet::sorted(&offsets, &self.2)
    }
}

/// A scan: everything but its ranges and sets as JSON text, these apart because there may be many.
pub fn spec(text: &str, ranges: &[RangeParts], sets: &[SetParts]) -> Result<Spec> {
    let mut spec = Spec::from_json(&json(text)?)?;
    spec.ranges = ranges.iter().map(RangeParts::range).collect();
    for parts in sets {
        spec.sets.insert(parts.0.clone(), Arc::new(parts.set()?));
    }
    Ok(spec)
}

/// Reads JSON text.
pub fn json(text: &str) -> Result<Value> {
    serde_json::from_str(text)
        .map_err(|error| Error::InvalidOption(format!("the text is not JSON: {error}")))
}

/// Stages, as a list in JSON text.
pub fn stages(text: &str) -> Result<Vec<StageSpec>> {
    let list = json(text)?;
    let items = list.as_array().into_iter().flatten();
    items.map(StageSpec::from_json).collect()
}
