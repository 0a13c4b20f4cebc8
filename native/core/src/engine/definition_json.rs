//! The entry of a table in `meta`, and what its settings say of locality groups: JSON.

use std::sync::Arc;

use serde_json::{json, Map, Value};

use super::definition::{Definition, LocalityGroup};
use crate::cells::json::{bytes_from_json, bytes_to_json};
use crate::settings::Settings;
use crate::{Error, Result};

impl Definition {
    /// Writes the entry.
    pub fn to_json(&self) -> String {
        let bytes = |list: &[Vec<u8>]| -> Vec<Value> {
            list.iter().map(|item| bytes_to_json(item)).collect()
        };
        let groups: Vec<Value> = self
            .groups
            .iter()
            .map(|group| {
                json!({
                    "number": group.number,
                    "name": group.name,
                    "families": bytes(&group.families),
                    "stale": group.stale,
                })
            })
            .collect();
        json!({
            "name": self.name,
            "settings": self.settings_json,
            "splits": bytes(&self.splits),
            "groups": groups,
            "generation": self.generation,
        })
        .to_string()
    }

    /// Reads the entry of a table.
    pub fn from_json(id: u32, text: &str) -> Result<Definition> {
        let damaged = || Error::Corruption(format!("the entry of table {id} cannot be read"));
        let value: Value = serde_json::from_str(text).map_err(|_| damaged())?;
        let field = |name: &str| value.get(name).ok_or_else(damaged);
        let list = |value: &Value| -> Result<Vec<Vec<u8>>> {
            let items = value.as_array().ok_or_else(damaged)?;
            items
                .iter()
                .map(|item| bytes_from_json(item, "bytes"))
                .collect()
        };
        let settings_json = field("settings")?.as_str().ok_or_else(damaged)?.to_owned();
        let mut groups = Vec::new();
        for group in field("groups")?.as_array().ok_or_else(damaged)? {
            let part = |name: &str| group.get(name).ok_or_else(damaged);
            let number = part("number")?.as_u64().and_then(|n| u16::try_from(n).ok());
            groups.push(LocalityGroup {
                number: number.ok_or_else(damaged)?,
                name: part("name")?.as_str().ok_or_else(damaged)?.to_owned(),
                families: list(part("families")?)?,
                stale: part("stale")?.as_bool().ok_or_else(damaged)?,
            });
        }
        let mut definition = Definition {
            id,
            name: field("name")?.as_str().ok_or_else(damaged)?.to_owned(),
            settings: Arc::new(Settings::from_json(&parse(&settings_json)?)?),
            settings_json,
            splits: list(field("splits")?)?.into(),
            groups,
            layout: Arc::new([]),
            generation: field("generation")?.as_u64().ok_or_else(damaged)?,
        };
        definition.lay_out();
        Ok(definition)
    }
}

pub(super) fn parse(settings: &str) -> Result<Value> {
    serde_json::from_str(settings)
        .map_err(|error| Error::InvalidOption(format!("settings are not JSON: {error}")))
}

/// The groups that have families, by name.
pub(super) fn read_groups(settings: &Value) -> Result<Vec<(String, Vec<Vec<u8>>)>> {
    let none = Map::new();
    let groups = settings.get("locality_groups").and_then(Value::as_object);
    let family = |value: &Value| bytes_from_json(value, "a family");
    let mut read = Vec::new();
    for (name, families) in groups.unwrap_or(&none) {
        let families = families.as_array().into_iter().flatten().map(family);
        let families: Vec<Vec<u8>> = families.collect::<Result<_>>()?;
        if !families.is_empty() {
            read.push((name.clone(), families));
        }
    }
    read.sort();
    Ok(read)
}
