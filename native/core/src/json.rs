//! Strict reading of JSON: unknown and missing members are refused, and every error says where.
//!
//! Bytes are printable ASCII text or `{"hex": "00ff"}`, as `spec/scan.md` section 1 says.

use serde_json::{Map, Value as Json};

use crate::cells::json::{bytes_from_json, shown};
use crate::nearest::did_you_mean;
use crate::{Error, Result};

/// A JSON value and the path to it.
#[derive(Clone)]
pub struct Node<'a> {
    value: &'a Json,
    path: String,
}

impl<'a> Node<'a> {
    /// Names a value by its path.
    pub fn new(value: &'a Json, path: impl Into<String>) -> Self {
        Node {
            value,
            path: path.into(),
        }
    }

    /// The value itself.
    pub fn value(&self) -> &'a Json {
        self.value
    }

    /// An error that says where.
    pub fn fail(&self, message: impl AsRef<str>) -> Error {
        Error::InvalidOption(format!("{}: {}", self.path, message.as_ref()))
    }

    /// An error that says where, for a name that only Python may know.
    pub fn unknown(&self, message: impl AsRef<str>) -> Error {
        Error::UnknownName(format!("{}: {}", self.path, message.as_ref()))
    }

    /// Refuses members other than these, and the lack of required ones.
    pub fn expect(&self, required: &[&str], optional: &[&str]) -> Result<()> {
        let found = self.object()?;
        for name in found.keys() {
            if !required.contains(&name.as_str()) && !optional.contains(&name.as_str()) {
                let known = required.iter().chain(optional).copied();
                let near = did_you_mean(name, known);
                return Err(self.fail(format!("there is no member '{name}'{near}")));
            }
        }
        for name in required {
            if !found.contains_key(*name) {
                return Err(self.fail(format!("the member '{name}' is missing")));
            }
        }
        Ok(())
    }

    /// A member that was expected.
    pub fn member(&self, name: &str) -> Result<Node<'a>> {
        self.optional(name)?
            .ok_or_else(|| self.fail(format!("the member '{name}' is missing")))
    }

    /// A member, if it is there.
    pub fn optional(&self, name: &str) -> Result<Option<Node<'a>>> {
        let path = || format!("{}.{name}", self.path);
        Ok(self.object()?.get(name).map(|item| Node::new(item, path())))
    }

    /// All members.
    pub fn members(&self) -> Result<Vec<(&'a str, Node<'a>)>> {
        let named = |(name, item): (&'a String, &'a Json)| {
            (
                name.as_str(),
                Node::new(item, format!("{}.{name}", self.path)),
            )
        };
        Ok(self.object()?.iter().map(named).collect())
    }

    fn object(&self) -> Result<&'a Map<String, Json>> {
        self.value
            .as_object()
            .ok_or_else(|| self.fail(format!("an object is needed, not {}", self.shown())))
    }

    /// The items of a list.
    pub fn items(&self) -> Result<Vec<Node<'a>>> {
        let Some(items) = self.value.as_array() else {
            return Err(self.fail(format!("a list is needed, not {}", self.shown())));
        };
        let numbered = |(at, item)| Node::new(item, format!("{}[{at}]", self.path));
        Ok(items.iter().enumerate().map(numbered).collect())
    }

    /// A text that is not empty.
    pub fn name(&self) -> Result<&'a str> {
        match self.value.as_str() {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(self.fail(format!("a name is needed, not {}", self.shown()))),
        }
    }

    /// A text, also an empty one.
    pub fn text(&self) -> Result<&'a str> {
        let refused = || self.fail(format!("a text is needed, not {}", self.shown()));
        self.value.as_str().ok_or_else(refused)
    }

    /// True or false.
    pub fn flag(&self) -> Result<bool> {
        let refused = || self.fail(format!("true or false is needed, not {}", self.shown()));
        self.value.as_bool().ok_or_else(refused)
    }

    /// An integer within bounds.
    pub fn integer(&self, lowest: u64, highest: u64) -> Result<u64> {
        match self.value.as_u64() {
            Some(number) if (lowest..=highest).contains(&number) => Ok(number),
            _ => Err(self.fail(format!(
                "an integer from {lowest} to {highest} is needed, not {}",
                self.shown()
            ))),
        }
    }

    /// One of several words, each with what it stands for.
    pub fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T> {
        let found = choices.iter().find(|(word, _)| self.value == word);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            let words = words.join(", ");
            self.fail(format!("one of {words} is needed, not {}", self.shown()))
        })
    }

    /// Bytes.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        bytes_from_json(self.value, &self.path)
    }

    fn shown(&self) -> String {
        shown(self.value)
    }
}
