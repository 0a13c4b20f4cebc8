//! Stages that pack a whole row or a whole family of a row into one cell.
//!
//! The packed cell stands at the first possible key of its group, also when the range starts inside
//! the group and only the rest of it is packed. A range that starts behind that key, exclusive,
//! starts with the next group: so a reader may go on behind the last cell it got.

use serde_json::Value;

use super::options::{refuse, Options};
use super::{Cursor, Families, Source, StageContext};
use crate::cells::{Cell, CellRef, Key, KeyRef, Range};
use crate::{Error, Result};

const CELL_OVERHEAD: u64 = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Row,
    Family,
}

struct Pack {
    source: Source,
    unit: Unit,
    max_bytes: Option<u64>,
    packed: Cell,
    at_end: bool,
}

/// Makes `whole-row`: each row packed into one cell.
pub fn whole_row(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    pack(source, options, Unit::Row, "whole-row")
}

/// Makes `whole-family`: each family of a row packed into one cell.
pub fn whole_family(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    pack(source, options, Unit::Family, "whole-family")
}

fn pack(source: Source, options: &Value, unit: Unit, stage: &str) -> Result<Source> {
    let options = Options::of_stage(stage, options, &["max_bytes"])?;
    let most = options.integer("max_bytes", 1, i64::MAX)?;
    let max_bytes = most.and_then(|most| u64::try_from(most).ok());
    Ok(Box::new(Pack::new(source, unit, max_bytes)))
}

impl Pack {
    fn new(source: Source, unit: Unit, max_bytes: Option<u64>) -> Pack {
        Pack {
            source,
            unit,
            max_bytes,
            packed: Cell::default(),
            at_end: true,
        }
    }

    fn name(&self) -> &'static str {
        match self.unit {
            Unit::Row => "whole-row",
            Unit::Family => "whole-family",
        }
    }

    fn behind_packed(&self, range: &Range) -> Range {
        match &range.start {
            Some(start) if !range.start_inclusive && start.timestamp == i64::MAX => {
                let rest = start.qualifier.is_empty() && start.visibility.is_empty();
                match self.unit {
                    Unit::Row if rest && start.family.is_empty() => {
                        range.starting(Key::following(&[&start.row]))
                    }
                    Unit::Family if rest => {
                        range.starting(Key::following(&[&start.row, &start.family]))
                    }
                    _ => range.clone(),
                }
            }
            _ => range.clone(),
        }
    }

    fn pack_next(&mut self) -> Result<()> {
        let Some(first) = self.source.top() else {
            self.at_end = true;
            return Ok(());
        };
        let front = KeyRef {
            row: first.key.row,
            family: match self.unit {
                Unit::Row => b"",
                Unit::Family => first.key.family,
            },
            qualifier: b"",
            visibility: b"",
            timestamp: i64::MAX,
            deleted: false,
        };
        self.packed.key.assign(&front);
        self.packed.value.clear();
        self.packed.value.extend_from_slice(&[0; 4]);
        let (mut count, mut used) = (0u32, 0u64);
        while let Some(top) = self.source.top() {
            let same = top.key.row == self.packed.key.row
                && (self.unit == Unit::Row || top.key.family == self.packed.key.family);
            if !same {
                break;
            }
            used = used.saturating_add(size_of(&top));
            if let Some(most) = self.max_bytes.filter(|most| used > *most) {
                let row = self.packed.key.row.escape_ascii();
                return refuse(format!(
                    "stage '{}': row '{row}' takes more than {most} bytes; raise max_bytes, or read \
                     such rows without packing them",
                    self.name()
                ));
            }
            write_cell(&top, self.unit, &mut self.packed.value)?;
            count = count.checked_add(1).ok_or_else(too_long)?;
            self.source.advance()?;
        }
        let written = self.packed.value.iter_mut().zip(count.to_be_bytes());
        written.for_each(|(place, byte)| *place = byte);
        self.at_end = false;
        Ok(())
    }
}

fn size_of(cell: &CellRef<'_>) -> u64 {
    let key = &cell.key;
    let parts = [
        key.row,
        key.family,
        key.qualifier,
        key.visibility,
        cell.value,
    ];
    parts
        .iter()
        .map(|part| part.len() as u64)
        .fold(CELL_OVERHEAD, u64::saturating_add)
}

fn write_cell(cell: &CellRef<'_>, unit: Unit, out: &mut Vec<u8>) -> Result<()> {
    if unit == Unit::Row {
        write_field(cell.key.family, out)?;
    }
    write_field(cell.key.qualifier, out)?;
    write_field(cell.key.visibility, out)?;
    out.extend_from_slice(&cell.key.timestamp.to_be_bytes());
    write_field(cell.value, out)
}

fn write_field(data: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let length = i32::try_from(data.len()).map_err(|_| too_long())?;
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(data);
    Ok(())
}

fn too_long() -> Error {
    Error::InvalidValue("a packed row has lengths of at most 2**31 - 1".to_owned())
}

impl Cursor for Pack {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.source.seek(&self.behind_packed(range), families)?;
        self.pack_next()
    }

    fn top(&self) -> Option<CellRef<'_>> {
        (!self.at_end).then(|| self.packed.as_ref())
    }

    fn advance(&mut self) -> Result<()> {
        self.pack_next()
    }

    fn fork(&self) -> Source {
        Box::new(Pack::new(self.source.fork(), self.unit, self.max_bytes))
    }
}
