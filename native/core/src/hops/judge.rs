//! Whether the cells of a row show an edge to its reader.

use std::ops::Range;

use super::fast::Memory;
use super::known::Known;
use super::routes::{EdgeFilter, Routes};
use crate::block::Block;
use crate::cells::{CellRef, KeyRef};
use crate::plan::RowCode;
use crate::Result;

pub struct Judge<'r> {
    routes: &'r Routes,
    /// Lent by the routes, so that the next one knows it too.
    known: Known,
    scratch: Vec<u8>,
}

impl<'r> Judge<'r> {
    pub fn new(routes: &'r Routes) -> Judge<'r> {
        Judge {
            routes,
            known: routes.lend(),
            scratch: Vec::new(),
        }
    }

    /// Memory that may be used.
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.known.memory
    }

    /// Gives back what the routes lent.
    pub fn finish(self) {
        self.routes.take_back(self.known);
    }

    /// Judges the labels of a block; `false` where nothing of it is visible. Nothing is known of its families yet.
    pub fn open(
        &mut self,
        block: &Block<'_>,
        visible: &mut Vec<bool>,
        places: &mut Vec<Option<bool>>,
    ) -> Result<bool> {
        let (body, labels) = (block.body(), block.visibilities());
        visible.clear();
        for code in 0..labels.entries().unwrap_or_default() {
            let label = labels.entry(body, code)?.of(body);
            visible.push(self.known.labels.can_see(label));
        }
        places.clear();
        let families = block.families().entries().unwrap_or_default();
        places.resize(families * self.codes(), None);
        Ok(visible.contains(&true))
    }

    /// Whether some of the cells of a row counts.
    pub fn any(
        &mut self,
        block: &Block<'_>,
        cells: Range<usize>,
        row: &[u8],
        code: RowCode,
        (visible, places): (&[bool], &mut [Option<bool>]),
    ) -> Result<bool> {
        let body = block.body();
        for cell in cells {
            let label = block.visibilities().code(body, cell)?;
            if visible.get(label) != Some(&true) {
                continue;
            }
            let family = block.families().code(body, cell)?;
            let place = family * self.codes() + code.index();
            let follows = match places.get(place).copied().flatten() {
                Some(known) => known,
                None => {
                    let family = block.families().entry(body, family)?.of(body);
                    let follows = self.follows(row, family, code)?;
                    if let Some(held) = places.get_mut(place) {
                        *held = Some(follows);
                    }
                    follows
                }
            };
            if follows && self.passes(block, row, code, cell)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn codes(&self) -> usize {
        2 * self.routes.ways.shapes.len()
    }

    /// Whether cells of a family in such rows are edges to follow.
    fn follows(&mut self, row: &[u8], family: &[u8], code: RowCode) -> Result<bool> {
        let (routes, codes) = (self.routes, self.codes());
        self.known.follows(family, (code, codes), |reader| {
            if !routes.stack.families.wants(family) {
                return Ok(false);
            }
            let place = reader.place(row, family)?;
            Ok(place.is_some_and(|place| routes.ways.groups.get(place.group) == Some(&true)))
        })
    }

    fn passes(
        &mut self,
        block: &Block<'_>,
        row: &[u8],
        code: RowCode,
        cell: usize,
    ) -> Result<bool> {
        let filters = self.routes.filters.as_deref().unwrap_or_default();
        if filters.is_empty() {
            return Ok(true);
        }
        let body = block.body();
        // Filters follow from this much: time and value are not looked at.
        let cell = CellRef {
            key: KeyRef {
                row,
                family: block.families().span(body, cell)?.of(body),
                qualifier: block.qualifiers().span(body, cell)?.of(body),
                visibility: block.visibilities().span(body, cell)?.of(body),
                timestamp: 0,
                deleted: false,
            },
            value: &[],
        };
        let place = match self.known.find(code, &cell.key) {
            Ok(passes) => return Ok(passes),
            Err(place) => place,
        };
        let passes = self.passes_filters(filters, cell)?;
        self.known.keep(place, passes);
        Ok(passes)
    }

    fn passes_filters(&mut self, filters: &[EdgeFilter], cell: CellRef<'_>) -> Result<bool> {
        let Some(element) = self.known.reader.read_parts(cell, true, false)? else {
            return Ok(false);
        };
        for filter in filters {
            let passes = match filter.tests.get(element.group()) {
                Some(Some(test)) if !filter.once || element.once() => {
                    test.holds(&element, &mut self.scratch)?
                }
                _ => false,
            };
            if !passes {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
