//! A stage as data: its name, its options and its place in the stack.

use serde_json::{Map, Value};

use crate::cells::json::shown;
use crate::{Error, Result};

/// One stage of a scan or table. Without a priority it takes its stage's default place.
#[derive(Debug, Clone, PartialEq)]
pub struct StageSpec {
    pub name: String,
    /// In JSON form, read when the stage is made.
    pub options: Value,
    pub priority: Option<i64>,
}

impl StageSpec {
    /// Reads a spec; unknown fields are refused.
    pub fn from_json(value: &Value) -> Result<StageSpec> {
        let named = value
            .as_object()
            .and_then(|fields| Some((fields, fields.get("name")?.as_str()?)));
        let Some((fields, name)) = named else {
            let found = shown(value);
            return refuse(format!("a stage is an object with a name, not {found}"));
        };
        for field in fields.keys() {
            if !["name", "priority", "options"].contains(&field.as_str()) {
                return refuse(format!("stage '{name}' has the unknown field '{field}'"));
            }
        }
        let options = match fields.get("options") {
            None => Value::Object(Map::new()),
            Some(options @ Value::Object(_)) => options.clone(),
            Some(_) => {
                return refuse(format!("the options of stage '{name}' must be an object"));
            }
        };
        let priority = match fields.get("priority") {
            None | Some(Value::Null) => None,
            Some(given) => match given.as_i64() {
                Some(priority) => Some(priority),
                None => {
                    return refuse(format!(
                        "the priority of stage '{name}' must be an integer of 64 bits"
                    ));
                }
            },
        };
        Ok(StageSpec {
            name: name.to_owned(),
            options,
            priority,
        })
    }
}

fn refuse<T>(message: String) -> Result<T> {
    Err(Error::InvalidOption(message))
}
