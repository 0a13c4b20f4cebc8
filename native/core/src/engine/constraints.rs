//! Rules that every cell of a write must keep, or nothing of it is stored. One place where writes are refused.

use std::collections::HashMap;

use super::MutationBatch;
use crate::settings::{Rule, Settings};
use crate::visibility::{LabelCache, View, Visibility};
use crate::{Error, Result};

/// The most bytes that row, family, qualifier and visibility may have together.
pub const MAX_KEY_BYTES: usize = 1 << 20;

/// Refuses a batch that breaks a rule of the table, naming the first such cell.
pub(super) fn check_batch(
    table: &str,
    settings: &Settings,
    batch: &MutationBatch<'_>,
    writer: &View,
) -> Result<()> {
    let cells = &batch.cells;
    let refuse = |cell: usize, reason: String| {
        Err(Error::Constraint {
            table: table.to_owned(),
            cell,
            reason,
        })
    };
    if batch.timed.len() != cells.len() {
        return Err(Error::InvalidValue(format!(
            "a batch says for each cell whether it is timed: {} for {} cells",
            batch.timed.len(),
            cells.len()
        )));
    }
    if settings.constraints.contains(&Rule::KeySize) {
        let parts = [cells.row, cells.family, cells.qualifier, cells.visibility];
        // A key past the limit has a part past a quarter of it: most batches need no second look.
        if parts
            .iter()
            .any(|part| part.size_bytes() > MAX_KEY_BYTES / 4)
        {
            for cell in 0..cells.len() {
                let size: usize = parts.iter().map(|part| part.get(cell).len()).sum();
                if size > MAX_KEY_BYTES {
                    let reason = format!("its key has {size} bytes, the limit is {MAX_KEY_BYTES}");
                    return refuse(cell, reason);
                }
            }
        }
    }
    if let Some((cell, reason)) = refused_label(settings, batch, writer) {
        return refuse(cell, reason);
    }
    if !(settings.append_only || settings.combines_elements()) {
        return Ok(());
    }
    for (cell, deleted) in cells.deleted.iter().enumerate() {
        if *deleted != 0 && settings.append_only {
            let reason = "it is a delete marker, and the table is append-only";
            return refuse(cell, reason.into());
        }
        if *deleted != 0 && batch.timed.get(cell).is_some_and(|timed| *timed != 0) {
            let reason = "it is a delete marker with a timestamp of its own, and merges of this \
                          table combine elements: write the delete without a timestamp";
            return refuse(cell, reason.into());
        }
    }
    Ok(())
}

/// So few labels are compared one after the other.
const FEW: usize = 6;

/// The first cell whose label breaks a rule; each distinct label is judged once.
fn refused_label(
    settings: &Settings,
    batch: &MutationBatch<'_>,
    writer: &View,
) -> Option<(usize, String)> {
    let rules = &settings.constraints;
    if !rules.iter().any(|rule| *rule != Rule::KeySize) {
        return None;
    }
    let default = &settings.default_visibility;
    let mut view = LabelCache::new(writer.clone(), default, LabelCache::LIMIT_BYTES);
    let mut judged: HashMap<&[u8], Option<String>> = HashMap::new();
    // Most cells have one of a few labels: these are found without a hash.
    let mut few: Vec<&[u8]> = Vec::with_capacity(FEW);
    for cell in 0..batch.cells.len() {
        let label = batch.cells.visibility.get(cell);
        if few.contains(&label) {
            continue;
        }
        let mut judge = || {
            rules
                .iter()
                .find_map(|rule| problem(*rule, label, &mut view))
        };
        if let Some(reason) = judged.entry(label).or_insert_with(&mut judge) {
            return Some((cell, reason.clone()));
        }
        if few.len() < FEW {
            few.push(label);
        }
    }
    None
}

fn problem(rule: Rule, label: &[u8], view: &mut LabelCache) -> Option<String> {
    match rule {
        Rule::KeySize => None,
        Rule::Visibility => {
            let problem = Visibility::parse(label).err()?;
            Some(format!("its visibility cannot be parsed: {problem}"))
        }
        Rule::ReadableVisibility => (!view.can_see(label)).then(|| {
            let shown = String::from_utf8_lossy(label);
            format!("the writer cannot read its own visibility '{shown}'")
        }),
    }
}
