//! What the columns of one group of records are, read once from JSON.

use serde_json::Value as Json;

use super::shape::{ShapeField, SortPart};
use super::values::ValueField;
use crate::codec::escape::escape;
use crate::codec::{typebytes, Codec};
use crate::elements::field::Field;
use crate::elements::program::Directed;
use crate::json::Node;
use crate::{Error, Result};

/// How the rows of a table become facts.
#[derive(Debug)]
pub struct FactProgram {
    /// The codec of the ids of vertices in rows.
    pub(super) vertex: Codec,
    pub(super) label: Vec<u8>,
    pub(super) values: Vec<ValueField>,
    pub(super) visibility: Option<usize>,
    pub(super) timestamp: Option<usize>,
    /// The time to live of the elements.
    pub(super) ttl: Option<i64>,
    pub(super) subject: Subject,
}

/// What the rows are.
#[derive(Debug)]
pub(super) enum Subject {
    Vertex { id: Field },
    Edge(Box<EdgeProgram>),
}

/// What only edges have.
#[derive(Debug)]
pub(super) struct EdgeProgram {
    pub ends: [Field; 2],
    pub id: Option<Field>,
    /// Whether generated ids are text.
    pub text_ids: bool,
    /// Ascending by the bytes of their names.
    pub shape: Vec<ShapeField>,
    pub sort_key: Vec<SortPart>,
    pub directed: Directed,
    pub unidirected: bool,
    /// The label as rows of references have it, with its end.
    pub row_label: Vec<u8>,
    /// The label in its value form.
    pub label_value: Vec<u8>,
}

impl FactProgram {
    /// Reads a program; it is made by `lexigraph.layout`, and no other has to understand it.
    pub fn parse(json: &Json) -> Result<FactProgram> {
        let node = Node::new(json, "program");
        let columns = node.member("columns")?.integer(0, u32::MAX.into())? as usize;
        let column = |name: &str| -> Result<Option<usize>> {
            let found = node.optional(name)?;
            let found = found.filter(|found| !found.value().is_null());
            let last = columns.saturating_sub(1) as u64;
            let number = found.map(|found| found.integer(0, last)).transpose()?;
            Ok(number.map(|number| number as usize))
        };
        let codec = node.member("vertex_codec")?;
        let named = codec.name()?;
        let values = node.member("values")?.items()?;
        let label: Vec<u8> = node.member("label")?.name()?.into();
        let subject = match node.optional("edge")? {
            Some(edge) => {
                let directed = Directed {
                    column: column("directed")?,
                    all: edge
                        .optional("all_directed")?
                        .filter(|all| !all.value().is_null())
                        .map(|all| all.flag())
                        .transpose()?,
                };
                Subject::Edge(Box::new(EdgeProgram::parse(
                    &edge, columns, directed, &label,
                )?))
            }
            None => Subject::Vertex {
                id: Field::parse(&node.member("id")?, columns)?,
            },
        };
        Ok(FactProgram {
            vertex: Codec::named(named)
                .ok_or_else(|| codec.unknown(format!("there is no codec '{named}'")))?,
            label,
            values: values
                .iter()
                .map(|item| ValueField::parse(item, columns))
                .collect::<Result<_>>()?,
            visibility: column("visibility")?,
            timestamp: column("timestamp")?,
            ttl: ttl_of(&node)?,
            subject,
        })
    }
}

/// Reads a time to live, if there is one.
pub(super) fn ttl_of(node: &Node<'_>) -> Result<Option<i64>> {
    let found = node.optional("ttl")?;
    let found = found.filter(|found| !found.value().is_null());
    let ttl = found.map(|found| found.integer(1, i64::MAX as u64));
    Ok(ttl.transpose()?.map(|ttl| ttl as i64))
}

impl EdgeProgram {
    fn parse(
        node: &Node<'_>,
        columns: usize,
        directed: Directed,
        label: &[u8],
    ) -> Result<EdgeProgram> {
        let field = |name: &str| Field::parse(&node.member(name)?, columns);
        let shape = node.member("shape")?.items()?;
        let shape: Vec<ShapeField> = shape
            .iter()
            .map(|item| ShapeField::parse(item, columns))
            .collect::<Result<_>>()?;
        if !shape.is_sorted_by(|one, next| one.field.name.as_bytes() < next.field.name.as_bytes()) {
            return Err(Error::InvalidOption("a shape is ordered by name".into()));
        }
        let sort_key = node.member("sort_key")?.items()?;
        let mut row_label = Vec::new();
        escape(label, &mut row_label);
        row_label.push(0);
        let id = node.optional("id")?.filter(|id| !id.value().is_null());
        Ok(EdgeProgram {
            ends: [field("source")?, field("destination")?],
            id: id.map(|id| Field::parse(&id, columns)).transpose()?,
            text_ids: node.member("text_ids")?.flag()?,
            sort_key: sort_key
                .iter()
                .map(|item| SortPart::parse(item, shape.len()))
                .collect::<Result<_>>()?,
            shape,
            directed,
            unidirected: node.member("unidirected")?.flag()?,
            row_label,
            label_value: [&[typebytes::STR], label].concat(),
        })
    }
}
