//! The plan of what a roll-up gives: fewer group-by properties, and other aggregators where asked.
//!
//! Consts and identity fields stay where they are. Codecs read only what they write, so the rolled
//! qualifier is made of the bytes of the parts that stay.

use super::model::{fields_in, is_identity, Group, Model, Part};
use super::parts::Span;
use super::remade::{remake_value, Aggregates};
use crate::{Error, Result};

/// Leaves out the group-by properties that are not in `by`, in every group.
pub fn roll_model(model: &Model, by: &[String], aggregates: &Aggregates) -> Result<Model> {
    let mut rolled = model.clone();
    for group in &mut rolled.groups {
        check_known(group, by)?;
        if let Some(own) = aggregates.get(&group.name) {
            remake_value(group, own)?;
        }
        group.qualifier.retain(|part| stays(part, by));
    }
    Ok(rolled)
}

/// Which parts of a group's qualifier stay.
#[derive(Debug, Clone)]
pub struct Kept {
    parts: Vec<bool>,
    /// Whether all that stays comes before all that is left out, so that results can stream.
    pub is_prefix: bool,
}

impl Kept {
    pub fn new(group: &Group, by: &[String]) -> Kept {
        let kept = |part: &Part| stays(part, by);
        let fields: Vec<bool> = group
            .qualifier
            .iter()
            .filter(|part| matches!(part, Part::Field(_)))
            .map(kept)
            .collect();
        Kept {
            parts: group.qualifier.iter().map(kept).collect(),
            is_prefix: fields.windows(2).all(|pair| pair != [false, true]),
        }
    }

    /// Appends what stays of a qualifier.
    pub fn write(&self, qualifier: &[u8], spans: &[Span], out: &mut Vec<u8>) {
        for (_, span) in self.parts.iter().zip(spans).filter(|(stays, _)| **stays) {
            out.extend_from_slice(span.of(qualifier));
        }
    }
}

fn stays(part: &Part, by: &[String]) -> bool {
    match part {
        Part::Const(_) => true,
        Part::Field(field) => is_identity(&field.field) || by.contains(&field.field),
    }
}

fn check_known(group: &Group, by: &[String]) -> Result<()> {
    let known: Vec<&str> = fields_in(&group.qualifier)
        .map(|part| part.field.as_str())
        .filter(|name| !is_identity(name))
        .collect();
    match by.iter().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(Error::InvalidOption(format!(
            "roll-up by '{name}': group '{}' has no such group-by property; it has {}",
            group.name,
            if known.is_empty() {
                "none".into()
            } else {
                known.join(", ")
            }
        ))),
    }
}
