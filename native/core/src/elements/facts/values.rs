//! The values of a record: one, a list or a set of each name.

use super::program::ttl_of;
use crate::codec::escape::escape;
use crate::codec::{integer, typebytes, Codec, Value};
use crate::elements::column::Column;
use crate::elements::field::Field;
use crate::elements::types::Type;
use crate::json::Node;
use crate::{Error, Result};

/// How many values of a name there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cardinality {
    One,
    List,
    Set,
}

const CARDINALITIES: [(&str, Cardinality); 3] = [
    ("single", Cardinality::One),
    ("list", Cardinality::List),
    ("set", Cardinality::Set),
];

/// A property whose values are facts.
#[derive(Debug)]
pub(super) struct ValueField {
    field: Field,
    cardinality: Cardinality,
    /// What the qualifiers of its values start with.
    prefix: Vec<u8>,
    /// How long its values live, if they have a limit of their own.
    ttl: Option<i64>,
}

/// Qualifiers and values of some cells, one behind the other.
#[derive(Debug, Default)]
pub(super) struct MadeValues {
    data: Vec<u8>,
    /// Where each qualifier ends, and its value; how long it lives.
    ends: Vec<(usize, usize, Option<i64>)>,
}

impl MadeValues {
    pub fn clear(&mut self) {
        self.data.clear();
        self.ends.clear();
    }

    /// Gives each qualifier, its value and how long it lives.
    pub fn each(&self, mut give: impl FnMut(&[u8], &[u8], Option<i64>)) {
        let mut start = 0;
        for (middle, end, ttl) in &self.ends {
            let qualifier = self.data.get(start..*middle).unwrap_or_default();
            let value = self.data.get(*middle..*end).unwrap_or_default();
            give(qualifier, value, *ttl);
            start = *end;
        }
    }

    fn push(&mut self, qualifier: [&[u8]; 2], value: &[u8], ttl: Option<i64>) {
        qualifier
            .iter()
            .for_each(|part| self.data.extend_from_slice(part));
        let middle = self.data.len();
        self.data.extend_from_slice(value);
        self.ends.push((middle, self.data.len(), ttl));
    }
}

impl ValueField {
    /// Reads a field with its `cardinality`.
    pub fn parse(node: &Node<'_>, columns: usize) -> Result<ValueField> {
        node.expect(&["field", "cardinality"], &["ttl"])?;
        let field = Field::parse(&node.member("field")?, columns)?;
        let mut prefix = Vec::new();
        escape(field.name.as_bytes(), &mut prefix);
        prefix.push(0);
        Ok(ValueField {
            field,
            cardinality: node.member("cardinality")?.choice(&CARDINALITIES)?,
            prefix,
            ttl: ttl_of(node)?,
        })
    }

    /// Adds what a row has of it.
    pub fn write(&self, columns: &[Column<'_>], row: usize, out: &mut MadeValues) -> Result<()> {
        let Some(column) = self.field.held(columns, row) else {
            return match self.field.needed {
                true => Err(missing()),
                false => Ok(()),
            };
        };
        if self.cardinality == Cardinality::One {
            out.data.extend_from_slice(&self.prefix);
            let middle = out.data.len();
            write_any(&self.field, column, row, &mut out.data)?;
            out.ends.push((middle, out.data.len(), self.ttl));
            return Ok(());
        }
        let Some((items, rows)) = column.list(row) else {
            return Err(Error::InvalidValue("the values are not a list".into()));
        };
        let mut made: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for item in rows {
            if items.values.is_null(item) {
                continue;
            }
            let value = self.field.value(&items.values, item, &self.field.codec)?;
            let (mut key, mut bytes) = (Vec::new(), Vec::new());
            Codec::Any.encode_key(&value, &mut key)?;
            Codec::Any.encode_value(&value, &mut bytes)?;
            match made.iter_mut().find(|(known, _)| *known == key) {
                // Of equal members of a set the last is written.
                Some(found) if self.cardinality == Cardinality::Set => found.1 = bytes,
                _ => made.push((key, bytes)),
            }
        }
        for (at, (key, bytes)) in made.iter().enumerate() {
            if self.cardinality == Cardinality::Set {
                out.push([&self.prefix, key], bytes, self.ttl);
                continue;
            }
            let before = made.iter().take(at).filter(|(other, _)| other == key);
            let occurrence = u32::try_from(before.count()).unwrap_or(u32::MAX);
            let mut whole = Vec::new();
            escape(key, &mut whole);
            whole.push(0);
            whole.extend_from_slice(&occurrence.to_be_bytes());
            out.push([&self.prefix, &whole], bytes, self.ttl);
        }
        Ok(())
    }
}

/// Appends a value that is there in its self-describing value form.
pub(super) fn write_any(
    field: &Field,
    column: &Column<'_>,
    row: usize,
    out: &mut Vec<u8>,
) -> Result<()> {
    match (&field.codec, column.kind()) {
        (Codec::Str | Codec::Any, Type::Str) => {
            out.push(typebytes::STR);
            out.extend_from_slice(column.text(row)?);
            Ok(())
        }
        (Codec::Int | Codec::Any, Type::Int) => {
            out.push(typebytes::INT);
            integer::write_small(field.number(column, row)?, out);
            Ok(())
        }
        _ => Codec::Any.encode_value(&value_of(field, column, row)?, out),
    }
}

/// A value that is there, as the codec of its field has it.
pub(super) fn value_of(field: &Field, column: &Column<'_>, row: usize) -> Result<Value> {
    field.value(column, row, &field.codec)
}

pub(super) fn missing() -> Error {
    Error::InvalidValue("a field is missing".into())
}
