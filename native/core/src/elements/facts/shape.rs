//! The shape of an edge: label, ends, direction, and the properties of its sort key and signature.

use super::program::EdgeProgram;
use super::values::{missing, write_any};
use crate::codec::composite::{markers, write_item};
use crate::codec::escape::complement;
use crate::codec::{typebytes, Nulls};
use crate::elements::column::Column;
use crate::elements::field::{Field, Form};
use crate::json::Node;
use crate::{Error, Result};

/// A property that is part of the shape.
#[derive(Debug)]
pub(super) struct ShapeField {
    pub field: Field,
    signature: bool,
    /// The name in its value form, after its length.
    name: Vec<u8>,
}

/// A part of the sort key.
#[derive(Debug)]
pub(super) struct SortPart {
    /// The number of its property in the shape.
    at: usize,
    descending: bool,
}

/// What an edge says of its shape, as bytes.
#[derive(Debug, Default)]
pub(super) struct MadeShape {
    /// The tuple of pairs of all properties.
    pairs: Vec<u8>,
    /// The tuple of pairs of the signature; empty without one.
    pub signature: Vec<u8>,
    pub sort_key: Vec<u8>,
    value: Vec<u8>,
    pair: Vec<u8>,
    scratch: Vec<u8>,
}

impl ShapeField {
    pub fn parse(node: &Node<'_>, columns: usize) -> Result<ShapeField> {
        node.expect(&["field", "signature"], &[])?;
        let field = Field::parse(&node.member("field")?, columns)?;
        let (mut name, mut scratch) = (Vec::new(), Vec::new());
        write_item(&mut scratch, &mut name, |out| {
            out.push(typebytes::STR);
            out.extend_from_slice(field.name.as_bytes());
            Ok(())
        })?;
        Ok(ShapeField {
            field,
            signature: node.member("signature")?.flag()?,
            name,
        })
    }
}

impl SortPart {
    pub fn parse(node: &Node<'_>, fields: usize) -> Result<SortPart> {
        node.expect(&["at", "descending"], &[])?;
        let last = fields
            .checked_sub(1)
            .ok_or_else(|| Error::InvalidOption("a sort key is part of the shape".into()))?;
        Ok(SortPart {
            at: node.member("at")?.integer(0, last as u64)? as usize,
            descending: node.member("descending")?.flag()?,
        })
    }
}

impl MadeShape {
    /// Reads the properties of a row.
    pub fn read(
        &mut self,
        program: &EdgeProgram,
        columns: &[Column<'_>],
        row: usize,
    ) -> Result<()> {
        self.pairs.clear();
        self.pairs.push(typebytes::TUPLE);
        self.signature.clear();
        for one in &program.shape {
            let Some(column) = one.field.held(columns, row) else {
                match one.field.needed {
                    true => return Err(missing()),
                    false => continue,
                }
            };
            self.value.clear();
            write_any(&one.field, column, row, &mut self.value)?;
            self.pair.clear();
            self.pair.push(typebytes::TUPLE);
            self.pair.extend_from_slice(&one.name);
            push_item(&self.value, &mut self.scratch, &mut self.pair)?;
            push_item(&self.pair, &mut self.scratch, &mut self.pairs)?;
            if one.signature {
                if self.signature.is_empty() {
                    self.signature.push(typebytes::TUPLE);
                }
                push_item(&self.pair, &mut self.scratch, &mut self.signature)?;
            }
        }
        self.sort_key.clear();
        let (present, null) = markers(Nulls::Last);
        for part in &program.sort_key {
            let Some(field) = program.shape.get(part.at).map(|one| &one.field) else {
                continue;
            };
            let Some(column) = field.held(columns, row) else {
                self.sort_key.push(null);
                continue;
            };
            self.sort_key.push(present);
            let start = self.sort_key.len();
            field.write(column, row, &field.codec, Form::Part, &mut self.sort_key)?;
            if part.descending {
                complement(self.sort_key.get_mut(start..).unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Appends the whole shape; the ends are in their value forms.
    pub fn write(
        &mut self,
        program: &EdgeProgram,
        ends: [&[u8]; 2],
        directed: bool,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        out.push(typebytes::TUPLE);
        let said = [typebytes::BOOL, u8::from(directed)];
        let [source, destination] = ends;
        for item in [
            &program.label_value,
            source,
            destination,
            &said,
            &self.pairs,
        ] {
            push_item(item, &mut self.scratch, out)?;
        }
        Ok(())
    }
}

fn push_item(item: &[u8], scratch: &mut Vec<u8>, out: &mut Vec<u8>) -> Result<()> {
    write_item(scratch, out, |bytes| {
        bytes.extend_from_slice(item);
        Ok(())
    })
}
