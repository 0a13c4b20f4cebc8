//! The value of a new cell: the state of each property, made from the one value that a row has.

use super::column::Column;
use super::field::{Field, Form};
use crate::codec::{uvarint, Codec};
use crate::functions::{Aggregate, Aggregator, Kind};
use crate::json::Node;
use crate::plan::model::{Group, Kind as ElementKind, Property, ValueForm};
use crate::plan::ValuePlan;
use crate::{Error, Result};

const FORMAT_VERSION: u8 = 1;
const CELL_TIME: u8 = 0;
const FORMS: [(&str, ValueForm); 3] = [
    ("none", ValueForm::None),
    ("single", ValueForm::Single),
    ("tagged", ValueForm::Tagged),
];

/// How the value of a group's cells is written, and merged.
#[derive(Debug)]
pub struct Values {
    form: ValueForm,
    properties: Vec<Written>,
    plan: ValuePlan,
}

#[derive(Debug)]
struct Written {
    field: usize,
    id: usize,
    how: How,
    aggregator: Aggregator,
}

/// How the state of one value looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// As the value itself.
    Plain,
    /// As the value behind a byte that gives it its cell's time.
    Timed,
    /// In a way that its aggregator knows.
    Made,
}

impl Values {
    /// Reads the value of a group of a key plan.
    pub fn parse(node: &Node<'_>, fields: &[Field]) -> Result<Values> {
        let form = node.member("form")?.choice(&FORMS)?;
        let listed = match form {
            ValueForm::None => Vec::new(),
            ValueForm::Single => vec![node.member("property")?],
            ValueForm::Tagged => node.member("properties")?.items()?,
        };
        let read = listed.iter().map(|item| parse_property(item, fields));
        let (properties, written) = read.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        let group = Group {
            name: String::new(),
            kind: ElementKind::Vertex,
            qualifier: Vec::new(),
            form,
            properties,
        };
        Ok(Values {
            form,
            properties: written,
            plan: ValuePlan::compile(&group)?,
        })
    }

    /// How values are merged.
    pub fn plan(&self) -> &ValuePlan {
        &self.plan
    }

    /// The aggregator of a field, where a property has one.
    pub fn aggregator(&self, field: usize) -> Option<&Aggregator> {
        let found = self.properties.iter().find(|one| one.field == field)?;
        (found.aggregator.kind() != Kind::Faithful).then_some(&found.aggregator)
    }

    /// Appends the value of one row.
    pub fn write(
        &self,
        fields: &[Field],
        columns: &[Column<'_>],
        row: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if self.form == ValueForm::Tagged {
            out.push(FORMAT_VERSION);
        }
        for property in &self.properties {
            let found = fields.get(property.field);
            let held = found.and_then(|field| Some((field, field.held(columns, row)?)));
            match (held, self.form) {
                (None, ValueForm::Single) => {
                    return Err(Error::InvalidValue("the whole value is missing".into()));
                }
                (None, _) => {}
                (Some((field, column)), ValueForm::Tagged) => {
                    uvarint::write(property.id, out)?;
                    // Nearly all states are short: room for one byte of length.
                    let start = out.len();
                    out.push(0);
                    property.write(field, column, row, out)?;
                    fill_length(start, out)?;
                }
                (Some((field, column)), _) => property.write(field, column, row, out)?,
            }
        }
        Ok(())
    }
}

impl Written {
    fn write(
        &self,
        field: &Field,
        column: &Column<'_>,
        row: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let codec = self.aggregator.codec();
        match self.how {
            How::Plain => field.write(column, row, codec, Form::Value, out),
            How::Timed => {
                out.push(CELL_TIME);
                field.write(column, row, codec, Form::Value, out)
            }
            How::Made => {
                let state = field.state(column, row, &self.aggregator)?;
                self.aggregator.encode(&state, out)
            }
        }
    }
}

/// Puts the length of all that follows into the byte at `start`, or into more.
fn fill_length(start: usize, out: &mut Vec<u8>) -> Result<()> {
    let length = out.len() - start - 1;
    match (u8::try_from(length), out.get_mut(start)) {
        (Ok(short @ 0..0x80), Some(place)) => *place = short,
        _ => {
            let mut written = Vec::new();
            uvarint::write(length, &mut written)?;
            out.splice(start..=start, written);
        }
    }
    Ok(())
}

fn parse_property(node: &Node<'_>, fields: &[Field]) -> Result<(Property, Written)> {
    node.expect(&["id", "field", "codec"], &["aggregate"])?;
    let (named, coded) = (node.member("field")?, node.member("codec")?);
    let (name, codec) = (named.name()?, coded.name()?);
    let codec =
        Codec::named(codec).ok_or_else(|| coded.unknown(format!("there is no codec '{codec}'")))?;
    let aggregate = node.optional("aggregate")?;
    let aggregate = aggregate.map(|one| Aggregate::parse(&one)).transpose()?;
    let whole = aggregate.clone().unwrap_or_else(|| Kind::Faithful.into());
    let property = Property {
        id: node.member("id")?.integer(0, u32::MAX.into())? as u32,
        field: name.into(),
        codec: codec.clone(),
        aggregate,
    };
    let field = fields.iter().position(|field| field.name == name);
    let written = Written {
        field: field.ok_or_else(|| named.fail(format!("there is no field '{name}'")))?,
        id: property.id as usize,
        how: match whole.kind {
            Kind::First | Kind::Last => How::Timed,
            kind if kind.gives_one() => How::Plain,
            _ => How::Made,
        },
        aggregator: Aggregator::new(whole, codec)?,
    };
    Ok((property, written))
}
