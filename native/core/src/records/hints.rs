//! What of each subject is read besides its existence.

use std::collections::HashSet;

use serde_json::Value as Json;

use super::kinds::Direction;
use crate::json::Node;
use crate::Result;

/// All of them, or those of these names; of no name is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Names {
    All,
    These(HashSet<Vec<u8>>),
}

impl Default for Names {
    fn default() -> Self {
        Names::These(HashSet::new())
    }
}

impl Names {
    fn from_json(node: &Node<'_>) -> Result<Names> {
        if node.value().is_boolean() {
            return Ok(match node.flag()? {
                true => Names::All,
                false => Names::default(),
            });
        }
        let names = node.items()?.into_iter();
        let names = names.map(|name| Ok(name.text()?.as_bytes().to_vec()));
        Ok(Names::These(names.collect::<Result<_>>()?))
    }

    fn any(&self) -> bool {
        match self {
            Names::All => true,
            Names::These(names) => !names.is_empty(),
        }
    }

    fn has(&self, name: &[u8]) -> bool {
        match self {
            Names::All => true,
            Names::These(names) => names.contains(name),
        }
    }
}

/// What is fetched. Metadata implies properties; `hidden` also returns what is hidden.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FetchHints {
    pub labels: bool,
    pub properties: Names,
    pub metadata: Names,
    pub out_edges: Names,
    pub in_edges: Names,
    pub hidden: bool,
}

impl FetchHints {
    /// All but what is hidden.
    pub fn everything() -> FetchHints {
        FetchHints {
            labels: true,
            properties: Names::All,
            metadata: Names::All,
            out_edges: Names::All,
            in_edges: Names::All,
            hidden: false,
        }
    }

    /// Reads an object of these members; names are true, false or a list. What is left out is not fetched.
    pub fn from_json(value: &Json) -> Result<FetchHints> {
        let root = Node::new(value, "hints");
        let all = [
            "labels",
            "properties",
            "metadata",
            "out_edges",
            "in_edges",
            "hidden",
        ];
        root.expect(&[], &all)?;
        let names = |name: &str| match root.optional(name)? {
            Some(node) => Names::from_json(&node),
            None => Ok(Names::default()),
        };
        let flag = |name: &str| match root.optional(name)? {
            Some(node) => node.flag(),
            None => Ok(false),
        };
        Ok(FetchHints {
            labels: flag("labels")?,
            properties: names("properties")?,
            metadata: names("metadata")?,
            out_edges: names("out_edges")?,
            in_edges: names("in_edges")?,
            hidden: flag("hidden")?,
        })
    }

    /// Whether properties are read at all.
    pub fn any_property(&self) -> bool {
        self.properties.any() || self.metadata.any()
    }

    /// Whether metadata is read at all.
    pub fn any_metadata(&self) -> bool {
        self.metadata.any()
    }

    /// Whether properties of a name are read.
    pub fn wants_property(&self, name: &[u8]) -> bool {
        match self.metadata.any() && !self.properties.any() {
            true => true,
            false => self.properties.has(name),
        }
    }

    /// Whether metadata entries of a key are read.
    pub fn wants_metadata(&self, entry: &[u8]) -> bool {
        self.metadata.has(entry)
    }

    /// Whether a reference is read; one of an undirected edge is out and in.
    pub fn wants_reference(&self, direction: Direction, label: &[u8]) -> bool {
        let out = direction != Direction::In && self.out_edges.has(label);
        out || (direction != Direction::Out && self.in_edges.has(label))
    }
}
