//! How a stage reads its options: each by name and type, every refusal naming stage and option.
//!
//! An option that the stage does not know, that is missing or has another type is InvalidOption,
//! before any cell is read. Null may be given where leaving the option out means "none".

use serde_json::{Map, Value};

use crate::cells::json::{bytes_from_json, shown};
use crate::nearest::did_you_mean;
use crate::{Error, Result};

/// The options given to one stage, or the fields of one entry of an option.
pub struct Options<'a> {
    /// Names the owner in messages: `stage 'grep'`.
    owner: String,
    given: &'a Map<String, Value>,
}

impl<'a> Options<'a> {
    /// Takes the options of a stage; names that are not `known` are refused.
    pub fn of_stage(stage: &str, value: &'a Value, known: &[&str]) -> Result<Options<'a>> {
        Options::new(format!("stage '{stage}'"), value, known)
    }

    fn new(owner: String, value: &'a Value, known: &[&str]) -> Result<Options<'a>> {
        let Value::Object(given) = value else {
            let found = shown(value);
            return refuse(format!(
                "the options of {owner} must be an object, not {found}"
            ));
        };
        for name in given.keys() {
            if !known.contains(&name.as_str()) {
                let near = did_you_mean(name, known.iter().copied());
                return refuse(format!("{owner} has no option '{name}'{near}"));
            }
        }
        Ok(Options { owner, given })
    }

    /// What an option is called in a message.
    pub fn name(&self, option: &str) -> String {
        format!("option '{option}' of {}", self.owner)
    }

    /// The option as given, null included.
    pub fn given(&self, option: &str) -> Option<&'a Value> {
        self.given.get(option)
    }

    /// The option unless it is left out or null.
    pub fn present(&self, option: &str) -> Option<&'a Value> {
        self.given(option).filter(|value| !value.is_null())
    }

    /// The option, which must be there.
    pub fn required(&self, option: &str) -> Result<&'a Value> {
        match self.given(option) {
            Some(value) => Ok(value),
            None => refuse(format!("{} needs the option '{option}'", self.owner)),
        }
    }

    /// True or false.
    pub fn flag(&self, option: &str, default: bool) -> Result<bool> {
        match self.given(option) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => {
                let (what, found) = (self.name(option), shown(other));
                refuse(format!("{what} is true or false, not {found}"))
            }
        }
    }

    /// An integer between two bounds, or none.
    pub fn integer(&self, option: &str, least: i64, most: i64) -> Result<Option<i64>> {
        let value = self.present(option);
        value
            .map(|value| read_integer(value, &self.name(option), least, most))
            .transpose()
    }

    /// An integer between two bounds, which must be there.
    pub fn required_integer(&self, option: &str, least: i64, most: i64) -> Result<i64> {
        read_integer(self.required(option)?, &self.name(option), least, most)
    }

    /// A time or a span of time, or none.
    pub fn time(&self, option: &str) -> Result<Option<i64>> {
        self.integer(option, i64::MIN, i64::MAX)
    }

    /// A time or a span of time, which must be there.
    pub fn required_time(&self, option: &str) -> Result<i64> {
        self.required_integer(option, i64::MIN, i64::MAX)
    }

    /// Text, or none.
    pub fn text(&self, option: &str) -> Result<Option<&'a str>> {
        let value = self.present(option);
        value
            .map(|value| read_text(value, &self.name(option)))
            .transpose()
    }

    /// Bytes, or none.
    pub fn bytes(&self, option: &str) -> Result<Option<Vec<u8>>> {
        let value = self.present(option);
        value
            .map(|value| bytes_from_json(value, &self.name(option)))
            .transpose()
    }

    /// Bytes where leaving out the option means something else than null, which is refused.
    pub fn bytes_or(&self, option: &str, default: &[u8]) -> Result<Vec<u8>> {
        match self.given(option) {
            None => Ok(default.to_vec()),
            Some(value) => bytes_from_json(value, &self.name(option)),
        }
    }

    /// One of a few words; left out it is the first.
    pub fn choice(&self, option: &str, words: &[&'static str]) -> Result<&'static str> {
        match (self.given(option), words.first()) {
            (None, Some(first)) => Ok(first),
            (value, _) => read_choice(value.unwrap_or(&Value::Null), &self.name(option), words),
        }
    }

    /// A list of at least so many, or nothing when it is left out; `read` takes an entry and its
    /// name for messages.
    pub fn list<T>(
        &self,
        option: &str,
        least: usize,
        read: impl Fn(&'a Value, &str) -> Result<T>,
    ) -> Result<Option<Vec<T>>> {
        let Some(value) = self.given(option) else {
            return Ok(None);
        };
        let what = self.name(option);
        let entries = match value {
            Value::Array(entries) if entries.len() >= least => entries,
            _ => {
                let found = shown(value);
                return refuse(format!("{what} is a list of at least {least}, not {found}"));
            }
        };
        entries
            .iter()
            .enumerate()
            .map(|(place, entry)| read(entry, &format!("entry {place} of {what}")))
            .collect::<Result<Vec<T>>>()
            .map(Some)
    }

    /// A list of byte strings, or nothing when it is left out.
    pub fn bytes_list(&self, option: &str, least: usize) -> Result<Option<Vec<Vec<u8>>>> {
        self.list(option, least, bytes_from_json)
    }
}

/// The fields of an object inside an option.
pub fn record<'a>(value: &'a Value, what: &str, known: &[&str]) -> Result<Options<'a>> {
    Options::new(what.to_owned(), value, known)
}

/// One of a few words.
pub fn read_choice(value: &Value, what: &str, words: &[&'static str]) -> Result<&'static str> {
    let text = value.as_str();
    if let Some(word) = words.iter().find(|word| Some(**word) == text) {
        return Ok(word);
    }
    let near = did_you_mean(text.unwrap_or_default(), words.iter().copied());
    let (known, found) = (words.join(", "), shown(value));
    refuse(format!("{what} is one of {known}, not {found}{near}"))
}

/// `[family]` or `[family, qualifier]`.
pub fn read_column(value: &Value, what: &str) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
    match value.as_array().map(Vec::as_slice) {
        Some([family]) => Ok((bytes_from_json(family, what)?, None)),
        Some([family, qualifier]) => Ok((
            bytes_from_json(family, what)?,
            Some(bytes_from_json(qualifier, what)?),
        )),
        _ => {
            let found = shown(value);
            refuse(format!(
                "{what} is [family] or [family, qualifier], not {found}"
            ))
        }
    }
}

/// An error of kind InvalidOption.
pub fn refuse<T>(message: String) -> Result<T> {
    Err(Error::InvalidOption(message))
}

fn read_integer(value: &Value, what: &str, least: i64, most: i64) -> Result<i64> {
    match value.as_i64() {
        Some(number) if (least..=most).contains(&number) => Ok(number),
        _ => {
            let found = shown(value);
            refuse(format!(
                "{what} is an integer from {least} to {most}, not {found}"
            ))
        }
    }
}

fn read_text<'a>(value: &'a Value, what: &str) -> Result<&'a str> {
    match value {
        Value::String(text) => Ok(text),
        _ => {
            let found = shown(value);
            refuse(format!("{what} is text, not {found}"))
        }
    }
}
