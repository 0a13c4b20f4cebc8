//! Cells of one group in, cells out whose rows start with one field of the key: entries of an index.
//!
//! Bytes are cut out of keys as they are; no value is decoded.

use std::sync::Arc;

use super::model::Form;
use super::{FieldRef, Place, Plan, Reader};
use crate::cells::{CellColumns, CellsView};
use crate::codec::escape::escape;
use crate::{Error, Result};

/// Makes such cells. Each has family, qualifier and label of its element, and the row that counts once behind the field.
#[derive(Debug)]
pub struct FieldFirst {
    reader: Reader,
    group: usize,
    field: FieldRef,
    start: Vec<u8>,
    row: Vec<u8>,
}

impl FieldFirst {
    /// Looks a field up in a plan; rows begin with `start`.
    pub fn new(plan: &Arc<Plan>, group: &str, field: &str, start: &[u8]) -> Result<FieldFirst> {
        let located = plan.fields(Some(group))?.locate(field)?;
        let Some(group) = plan.find_group(group.as_bytes()) else {
            return Err(Error::GroupNotFound(format!(
                "the plan has no group '{group}'"
            )));
        };
        Ok(FieldFirst {
            reader: Reader::new(Arc::clone(plan)),
            group,
            field: located,
            start: start.to_vec(),
            row: Vec::new(),
        })
    }

    /// The cells of those that belong to the group and stand for their elements; delete markers if so asked.
    pub fn of(&mut self, cells: CellsView<'_>, deleted: bool) -> Result<CellColumns> {
        let mut made = CellColumns::default();
        for index in 0..cells.len() {
            let cell = cells.cell(index);
            let place = self.reader.place(cell.key.row, cell.key.family)?;
            if !place.is_some_and(|place| self.may_count(place)) {
                continue;
            }
            let Some(element) = self.reader.read_parts(cell, true, false)? else {
                continue;
            };
            if !element.once() {
                continue;
            }
            let Some((form, raw)) = element.key_part(&self.field) else {
                return Err(Error::InvalidOption(
                    "the field is not part of the key".into(),
                ));
            };
            self.row.clear();
            self.row.extend_from_slice(&self.start);
            match form {
                Form::Part => self.row.extend_from_slice(raw),
                Form::Escaped => {
                    self.row.extend_from_slice(raw);
                    self.row.push(0);
                }
                Form::Rest => {
                    escape(raw, &mut self.row);
                    self.row.push(0);
                }
            }
            self.row.extend_from_slice(cell.key.row);
            made.row.push(&self.row);
            made.family.push(cell.key.family);
            made.qualifier.push(cell.key.qualifier);
            made.visibility.push(cell.key.visibility);
            made.timestamps.push(0);
            made.deleted.push(u8::from(deleted));
            made.value.push(&[]);
        }
        Ok(made)
    }

    fn may_count(&self, place: Place) -> bool {
        place.group == self.group && !self.reader.plan().is_second(place)
    }
}
