//! Stages that give a part of the cells: the first of a scan, or those that hash alike.
//!
//! `limit` counts over the whole scan, so it works over all ranges at once, and a resumed scan runs
//! it from the start. A sample depends on key bytes alone.

use serde_json::Value;

use super::filter::{filter, Test};
use super::options::Options;
use super::{Cursor, Families, Source, StageContext};
use crate::cells::{CellRef, Range};
use crate::functions::murmur3_32;
use crate::Result;

struct Limit {
    source: Source,
    cells: i64,
    left: i64,
}

/// Makes `limit`: at most `cells` cells.
pub fn limit(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let options = Options::of_stage("limit", options, &["cells"])?;
    let cells = options.required_integer("cells", 0, i64::MAX)?;
    Ok(Box::new(Limit {
        source,
        cells,
        left: 0,
    }))
}

impl Cursor for Limit {
    // Behind the last cell the source is not asked again: it may have to read far for the next.
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.left = self.cells;
        if self.left > 0 {
            self.source.seek(range, families)?;
        }
        Ok(())
    }

    fn top(&self) -> Option<CellRef<'_>> {
        if self.left > 0 {
            self.source.top()
        } else {
            None
        }
    }

    fn advance(&mut self) -> Result<()> {
        if self.left > 0 {
            self.left -= 1;
        }
        if self.left > 0 {
            self.source.advance()?;
        }
        Ok(())
    }

    fn fork(&self) -> Source {
        Box::new(Limit {
            source: self.source.fork(),
            cells: self.cells,
            left: 0,
        })
    }
}

#[derive(Clone)]
struct Sample {
    modulus: u32,
    columns: bool,
    column: Vec<u8>,
}

impl Test for Sample {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        let hash = if self.columns {
            self.column.clear();
            for part in [cell.key.row, cell.key.family, cell.key.qualifier] {
                self.column.extend_from_slice(part);
            }
            murmur3_32(&self.column)
        } else {
            murmur3_32(cell.key.row)
        };
        Ok(hash.checked_rem(self.modulus) == Some(0))
    }
}

/// Makes `sample`: what hashes to a multiple of `modulus`, whole rows or whole columns. The hash of
/// a column is that of row, family and qualifier one after another.
pub fn sample(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let options = Options::of_stage("sample", options, &["modulus", "of", "negate"])?;
    let modulus = options.required_integer("modulus", 1, i64::from(i32::MAX))?;
    let test = Sample {
        modulus: u32::try_from(modulus).unwrap_or(u32::MAX),
        columns: options.choice("of", &["row", "column"])? == "column",
        column: Vec::new(),
    };
    Ok(filter(source, test, options.flag("negate", false)?))
}
