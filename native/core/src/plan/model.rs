//! The pieces of a key plan as plain data.
//!
//! They hold what a plan says and nothing that is derived from it; two plans are equal when these
//! are. `spec/scan.md` section 6 gives the grammar.

use crate::codec::{Codec, Nulls};
use crate::functions::Aggregate;

pub const VERTEX: &str = "vertex";
pub const SOURCE: &str = "source";
pub const DESTINATION: &str = "destination";
pub const GROUP: &str = "group";

/// Fields of every element, which no part of a plan may name.
pub const BUILT_IN_FIELDS: [&str; 5] = ["kind", "directed", "matched", "visibility", "timestamp"];

/// Whether a field says which element it is.
pub fn is_identity(name: &str) -> bool {
    name == VERTEX || is_end(name)
}

/// Whether a field is an end of an edge.
pub fn is_end(name: &str) -> bool {
    name == SOURCE || name == DESTINATION
}

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Vertex,
    Edge,
}

impl Kind {
    /// The word in a plan.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Vertex => VERTEX,
            Kind::Edge => "edge",
        }
    }
}

/// Which end of an edge its row starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matched {
    Source,
    Destination,
    Either,
}

/// Which of an edge's two rows stands for it where each edge must come once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Once {
    Always,
    Never,
    Ordered,
}

/// How a field stands inside a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Escaped,
    Part,
    Rest,
}

/// A field inside a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPart {
    pub field: String,
    pub codec: Codec,
    pub form: Form,
    pub descending: bool,
    pub nulls: Option<Nulls>,
}

/// A piece of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Bytes that must be there literally.
    Const(Vec<u8>),
    Field(FieldPart),
}

/// The parts that hold fields.
pub fn fields_in(parts: &[Part]) -> impl Iterator<Item = &FieldPart> {
    parts.iter().filter_map(|part| match part {
        Part::Const(_) => None,
        Part::Field(field) => Some(field),
    })
}

/// What the row of an edge says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction {
    pub directed: bool,
    pub matched: Matched,
    pub once: Once,
}

impl Direction {
    /// Whether the two ends must be compared to know source, matched end or once.
    pub fn compares(&self) -> bool {
        self.matched == Matched::Either || self.once == Once::Ordered
    }
}

/// One form that a row may have; `direction` is there for edges and for them alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    pub direction: Option<Direction>,
    pub parts: Vec<Part>,
    pub group: Option<String>,
    /// The family of its cells, where that is not the plan's.
    pub family: Option<Vec<Part>>,
}

impl Shape {
    /// What its rows are about.
    pub fn kind(&self) -> Kind {
        match self.direction {
            None => Kind::Vertex,
            Some(_) => Kind::Edge,
        }
    }

    /// Whether rows of a group may have it.
    pub fn serves(&self, group: &Group) -> bool {
        self.kind() == group.kind && self.group.as_ref().is_none_or(|name| *name == group.name)
    }
}

/// A property inside a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    pub id: u32,
    pub field: String,
    pub codec: Codec,
    pub aggregate: Option<Aggregate>,
}

/// How the properties stand in a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueForm {
    None,
    Single,
    Tagged,
}

/// Elements of one kind with one set of properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub name: String,
    pub kind: Kind,
    pub qualifier: Vec<Part>,
    pub form: ValueForm,
    pub properties: Vec<Property>,
}

/// All that a plan says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    pub rows: Vec<Shape>,
    pub family: Vec<Part>,
    pub groups: Vec<Group>,
}

impl Model {
    /// The family of a shape's cells.
    pub fn family_of<'a>(&'a self, shape: &'a Shape) -> &'a [Part] {
        shape.family.as_deref().unwrap_or(&self.family)
    }
}
