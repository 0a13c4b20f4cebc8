//! Stages that look at visibility labels, above the check that every scan makes.
//!
//! `visibility` hides what it cannot parse, as a scan does; `labelled` fails on it, because it cannot
//! tell whether such a cell is labelled.

use serde_json::Value;

use super::filter::{filter, Test};
use super::options::Options;
use super::{Source, StageContext};
use crate::cells::CellRef;
use crate::visibility::{Authorizations, LabelCache, View, Visibility};
use crate::{Error, Result};

#[derive(Clone)]
struct Seen(LabelCache);

impl Test for Seen {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        Ok(self.0.can_see(cell.key.visibility))
    }
}

/// Accepts labels that parse; remembers the last one, because labels come in runs.
#[derive(Clone, Default)]
struct Valid {
    label: Vec<u8>,
    parses: Option<bool>,
}

impl Test for Valid {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        let label = cell.key.visibility;
        if let Some(parses) = self.parses.filter(|_| self.label == label) {
            return Ok(parses);
        }
        let parses = Visibility::parse(label).is_ok();
        self.label.clear();
        self.label.extend_from_slice(label);
        self.parses = Some(parses);
        Ok(parses)
    }
}

/// Makes `visibility`: what `authorizations` may see, or with `filter_invalid` every label that
/// parses.
pub fn visibility(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let known = ["authorizations", "filter_invalid", "negate"];
    let options = Options::of_stage("visibility", options, &known)?;
    let tokens = options.bytes_list("authorizations", 0)?.unwrap_or_default();
    let held = Authorizations::new(tokens).map_err(|error| match error {
        Error::InvalidValue(message) => {
            Error::InvalidValue(format!("stage 'visibility': {message}"))
        }
        other => other,
    })?;
    let negate = options.flag("negate", false)?;
    if options.flag("filter_invalid", false)? {
        return Ok(filter(source, Valid::default(), negate));
    }
    let labels = LabelCache::new(View::Of(held), b"", LabelCache::LIMIT_BYTES);
    Ok(filter(source, Seen(labels), negate))
}

#[derive(Clone)]
struct Labelled;

impl Test for Labelled {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        Visibility::parse(cell.key.visibility)?;
        Ok(!cell.key.visibility.is_empty())
    }
}

/// Makes `labelled`: what has a label at all.
pub fn labelled(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let options = Options::of_stage("labelled", options, &["negate"])?;
    let negate = options.flag("negate", false)?;
    Ok(filter(source, Labelled, negate))
}
