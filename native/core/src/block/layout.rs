//! Where each column of a block stands: read and checked once, before any cell is.

use super::packed::Packed;
use super::rows::Rows;
use super::shred::{self, ShreddedProperty};
use super::span::{Span, Walk};
use super::strings::Strings;
use super::times::Times;
use super::{column, corrupt, encoding};
use crate::Result;

/// The columns of one block; places only, no bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub(super) cells: usize,
    pub(super) rows: Rows,
    pub(super) starts: Option<Packed>,
    pub(super) families: Strings,
    pub(super) qualifiers: Strings,
    pub(super) visibilities: Strings,
    pub(super) times: Times,
    pub(super) deletes: Option<Span>,
    pub(super) references: Option<Span>,
    pub(super) values: Values,
}

/// The column of values: whole, or taken apart by property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Values {
    Whole(Strings),
    Shredded(Vec<ShreddedProperty>),
}

impl Layout {
    /// Reads and checks the directory of a body.
    pub(super) fn read(body: &[u8]) -> Result<Layout> {
        let all = Span {
            start: 0,
            end: body.len(),
        };
        let mut walk = Walk::new(body, all)?;
        let (cells, rows) = (walk.u32()?, walk.u32()?);
        if cells == 0 || rows == 0 || rows > cells {
            return Err(corrupt("it counts no cells, or more rows than cells"));
        }
        let mut columns = [(0, Span::default()); column::COUNT];
        for entry in &mut columns {
            let kind = walk.byte()?;
            let end = walk.u32()?;
            *entry = (kind, Span { start: 0, end });
        }
        let mut start = walk.rest().start;
        for (_, span) in &mut columns {
            span.start = start;
            start = span.end;
            if span.start > span.end {
                return Err(corrupt("its columns are out of order"));
            }
        }
        if start != body.len() {
            return Err(corrupt("its columns do not end where it ends"));
        }
        let coded = |number: usize| {
            let (kind, span) = columns[number];
            match Strings::read(body, kind, span, cells)? {
                strings if strings.entries().is_some() => Ok(strings),
                _ => Err(corrupt("families or labels are not codes")),
            }
        };
        let (kind, span) = columns[column::VALUES];
        let values = match kind {
            encoding::SHREDDED => Values::Shredded(shred::read(body, span, cells)?),
            _ => Values::Whole(Strings::read(body, kind, span, cells)?),
        };
        let (kind, span) = columns[column::QUALIFIERS];
        let qualifiers = Strings::read(body, kind, span, cells)?;
        let (kind, span) = columns[column::TIMESTAMPS];
        let times = Times::read(body, kind, span, cells)?;
        let (kind, span) = columns[column::ROWS];
        let rows = Rows::read(body, kind, span, rows)?;
        Ok(Layout {
            cells,
            rows,
            starts: read_starts(body, columns[column::RUNS], rows.count, cells)?,
            families: coded(column::FAMILIES)?,
            qualifiers,
            visibilities: coded(column::VISIBILITIES)?,
            times,
            deletes: read_bitmap(columns[column::DELETES], cells)?,
            references: read_bitmap(columns[column::REFERENCES], cells)?,
            values,
        })
    }
}

fn read_starts(
    body: &[u8],
    (kind, span): (u8, Span),
    rows: usize,
    cells: usize,
) -> Result<Option<Packed>> {
    match kind {
        encoding::ABSENT if rows == cells => Ok(None),
        encoding::STARTS => Ok(Some(Packed::read(&mut Walk::new(body, span)?, rows)?)),
        _ => Err(corrupt("the runs of rows have an unknown encoding")),
    }
}

fn read_bitmap((kind, span): (u8, Span), cells: usize) -> Result<Option<Span>> {
    match kind {
        encoding::ABSENT => Ok(None),
        encoding::BITMAP if span.len() == cells.div_ceil(8) => Ok(Some(span)),
        _ => Err(corrupt("a bitmap has an unknown encoding or length")),
    }
}
