//! The settings of a table as the core needs them, read from their JSON form.
//!
//! Whoever configures a table checks its settings; here they are only read, and what cannot be read is an
//! error. The JSON form is that of `TableSettings` in Python.

use serde_json::{Map, Value};

use crate::cells::json::bytes_from_json;
use crate::stages::StageSpec;
use crate::{Error, Result};

/// Where the stage `versions` stands that a table's `max_versions` puts in every scan and merge.
pub const VERSIONS_PRIORITY: i64 = 20;

/// What the timestamps of a table count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeUnit {
    /// Microseconds since 1970.
    #[default]
    Micros,
    /// Milliseconds since 1970.
    Millis,
    /// The commits of the table, from 1 on.
    Logical,
}

impl TimeUnit {
    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::Micros => "micros",
            TimeUnit::Millis => "millis",
            TimeUnit::Logical => "logical",
        }
    }
}

/// A rule that every cell of a write must keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// A key of at most 1 MiB.
    KeySize,
    /// A label that can be parsed.
    Visibility,
    /// A label that the writer can read.
    ReadableVisibility,
}

/// How a table behaves.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub scan_stages: Vec<StageSpec>,
    pub merge_stages: Vec<StageSpec>,
    /// Key plans by name, in their JSON form.
    pub plans: Map<String, Value>,
    pub max_versions: Option<u64>,
    pub time_unit: TimeUnit,
    pub default_visibility: Vec<u8>,
    pub constraints: Vec<Rule>,
    pub append_only: bool,
    pub max_clock_jump: Option<i64>,
    /// `sync`, `relaxed`, `buffered`, or words of other engines.
    pub durability: Option<String>,
    /// The families of each locality group, in the order of their names; group 0 has all others.
    pub locality_groups: Vec<Vec<Vec<u8>>>,
}

impl Settings {
    /// Reads settings.
    pub fn from_json(value: &Value) -> Result<Settings> {
        let Some(fields) = value.as_object() else {
            return Err(bad("settings", value));
        };
        let mut settings = Settings {
            max_versions: Some(1),
            constraints: vec![Rule::KeySize, Rule::Visibility],
            ..Settings::default()
        };
        for (name, field) in fields {
            settings.read(name, field)?;
        }
        Ok(settings)
    }

    /// The stages of a scan, or of a merge, with the one that keeps versions.
    pub fn stages(&self, merge: bool) -> Vec<StageSpec> {
        let own = if merge {
            &self.merge_stages
        } else {
            &self.scan_stages
        };
        let versions = self.max_versions.map(|max| StageSpec {
            name: "versions".into(),
            options: serde_json::json!({ "max": max }),
            priority: Some(VERSIONS_PRIORITY),
        });
        versions.into_iter().chain(own.iter().cloned()).collect()
    }

    /// Whether a merge by these settings does what one by the others does.
    pub fn same_merges(&self, other: &Settings) -> bool {
        self.merge_stages == other.merge_stages
            && self.plans == other.plans
            && self.max_versions == other.max_versions
    }

    /// Whether a merge combines elements, so that the times of their parts are gone.
    pub fn combines_elements(&self) -> bool {
        self.merge_stages
            .iter()
            .any(|stage| stage.name == "aggregate")
    }

    /// The locality group of a family.
    pub fn group_of(&self, family: &[u8]) -> u16 {
        let holds = |group: &Vec<Vec<u8>>| group.iter().any(|held| held == family);
        let place = self.locality_groups.iter().position(holds);
        place.map_or(0, |place| place as u16 + 1)
    }

    fn read(&mut self, name: &str, field: &Value) -> Result<()> {
        match name {
            "scan_stages" => self.scan_stages = each(name, field, StageSpec::from_json)?,
            "merge_stages" => self.merge_stages = each(name, field, StageSpec::from_json)?,
            "plans" => self.plans = object(name, field)?.clone(),
            "max_versions" => self.max_versions = optional(name, field, Value::as_u64)?,
            "time_unit" => {
                self.time_unit = match field.as_str() {
                    Some("micros") => TimeUnit::Micros,
                    Some("millis") => TimeUnit::Millis,
                    Some("logical") => TimeUnit::Logical,
                    _ => return Err(bad(name, field)),
                }
            }
            "default_visibility" => self.default_visibility = bytes_from_json(field, name)?,
            "constraints" => self.constraints = each(name, field, rule)?,
            "append_only" => {
                self.append_only = field.as_bool().ok_or_else(|| bad(name, field))?;
            }
            "max_clock_jump" => self.max_clock_jump = optional(name, field, Value::as_i64)?,
            "durability" => {
                let text = |field: &Value| field.as_str().map(str::to_owned);
                self.durability = optional(name, field, text)?;
            }
            "locality_groups" => {
                let family = |field: &Value| bytes_from_json(field, "a family");
                let groups = object(name, field)?.values();
                self.locality_groups = groups
                    .map(|families| each("a locality group", families, family))
                    .collect::<Result<_>>()?;
            }
            // Kept for other engines, or not the core's business.
            "version" | "splits" | "bloom" => {}
            _ => {
                return Err(Error::InvalidOption(format!(
                    "a table's settings have the unknown field '{name}'"
                )))
            }
        }
        Ok(())
    }
}

fn rule(field: &Value) -> Result<Rule> {
    match field.as_str() {
        Some("key-size") => Ok(Rule::KeySize),
        Some("visibility") => Ok(Rule::Visibility),
        Some("readable-visibility") => Ok(Rule::ReadableVisibility),
        _ => Err(bad("constraints", field)),
    }
}

fn each<T>(name: &str, field: &Value, read: impl Fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    let list = field.as_array().ok_or_else(|| bad(name, field))?;
    list.iter().map(read).collect()
}

fn object<'a>(name: &str, field: &'a Value) -> Result<&'a Map<String, Value>> {
    field.as_object().ok_or_else(|| bad(name, field))
}

fn optional<T>(name: &str, field: &Value, read: impl Fn(&Value) -> Option<T>) -> Result<Option<T>> {
    match field {
        Value::Null => Ok(None),
        given => read(given).map(Some).ok_or_else(|| bad(name, given)),
    }
}

fn bad(name: &str, value: &Value) -> Error {
    let shown: String = value.to_string().chars().take(80).collect();
    Error::InvalidOption(format!("the setting '{name}' cannot be {shown}"))
}
