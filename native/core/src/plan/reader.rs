//! Cells to elements: which group and shape a cell has, and where its fields are.
//!
//! The first shape that fits the whole row is the row's shape. A group that the plan does not list
//! gives no element; everything else that does not fit is InvalidBytes, which names the part of the
//! cell and why. Buffers are kept from cell to cell: reading one that fits allocates nothing.

use std::sync::Arc;

use super::element::{part_at, Element};
use super::parts::Span;
use super::values::States;
use super::{shown, Plan};
use crate::cells::CellRef;
use crate::{Error, Result};

/// What row and family of a cell say: numbers of group and shape in the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub group: usize,
    pub shape: usize,
}

/// Where the parts of the cell are that was read last.
#[derive(Debug, Default)]
pub struct Spans {
    pub(super) row: Vec<Span>,
    pub(super) family: Vec<Span>,
    pub(super) qualifier: Vec<Span>,
    pub(super) states: Vec<Option<Span>>,
}

/// Reads cells as one plan says.
#[derive(Debug)]
pub struct Reader {
    plan: Arc<Plan>,
    spans: Spans,
    /// Cells of one row come together: the last row and family are remembered.
    row: Vec<u8>,
    family: Vec<u8>,
    last: Option<Option<Place>>,
    /// The shape of the last row, and of that before: the next mostly has one of them too.
    shape: usize,
    before: usize,
    scratch: Vec<u8>,
    other: Vec<u8>,
}

impl Reader {
    pub fn new(plan: Arc<Plan>) -> Reader {
        Reader {
            plan,
            spans: Spans::default(),
            row: Vec::new(),
            family: Vec::new(),
            last: None,
            shape: 0,
            before: 0,
            scratch: Vec::new(),
            other: Vec::new(),
        }
    }

    /// The plan that it follows.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Reads row and family; none for a group that the plan does not list.
    pub fn place(&mut self, row: &[u8], family: &[u8]) -> Result<Option<Place>> {
        if let Some(place) = self.last {
            if self.row == row && self.family == family {
                return Ok(place);
            }
        }
        // Most cells have the family of the one before, which need not be read again.
        let known = match self.last.take() {
            Some(Some(place)) if !self.plan.has_own_families && self.family == family => {
                Some(place.group)
            }
            _ => None,
        };
        let found = match known.filter(|_| self.plan.group_step().is_some()) {
            Some(group) => {
                let shape = self.find_shape(row)?;
                self.check_kind(Place { group, shape }, row).map(Some)?
            }
            None => self.find_place(row, family)?,
        };
        self.row.clear();
        self.row.extend_from_slice(row);
        self.family.clear();
        self.family.extend_from_slice(family);
        self.last = Some(found);
        Ok(found)
    }

    /// Reads and checks a whole cell; none for a group that the plan does not list.
    pub fn read<'a>(&'a mut self, cell: CellRef<'a>) -> Result<Option<Element<'a>>> {
        self.read_parts(cell, true, true)
    }

    /// The same without the fields of the qualifier or of the value, which then must not be asked for.
    pub fn read_parts<'a>(
        &'a mut self,
        cell: CellRef<'a>,
        qualifier: bool,
        value: bool,
    ) -> Result<Option<Element<'a>>> {
        let Some(place) = self.place(cell.key.row, cell.key.family)? else {
            return Ok(None);
        };
        if qualifier {
            self.read_qualifier(place, cell.key.qualifier)?;
        }
        if value {
            self.check_value(place, cell.value)?;
        }
        let ordered = self.is_ordered(place, &cell)?;
        Ok(Some(Element {
            plan: &self.plan,
            spans: &self.spans,
            cell,
            place,
            ordered,
        }))
    }

    /// Finds the parts of a qualifier and checks them.
    pub fn read_qualifier(&mut self, place: Place, qualifier: &[u8]) -> Result<()> {
        let Some(parts) = self.plan.qualifier_parts(place.group) else {
            return Ok(());
        };
        let read = parts.read(qualifier, &mut self.spans.qualifier, &mut self.scratch);
        read.map_err(|misfit| {
            let error = Error::InvalidBytes(misfit.describe());
            let (row, group) = (&self.row, place.group);
            self.plan.misfit("qualifier", qualifier, row, group, error)
        })
    }

    /// Finds the states in a value of the row that was read last and checks them.
    pub fn check_value(&mut self, place: Place, value: &[u8]) -> Result<()> {
        let Some(plan) = self.plan.value(place.group) else {
            return Ok(());
        };
        let read = plan.read(value, &mut self.spans.states);
        read.map_err(|error| {
            let (row, group) = (&self.row, place.group);
            self.plan.misfit("value", value, row, group, error)
        })
    }

    /// The parts of the qualifier that was read last.
    pub fn qualifier_spans(&self) -> &[Span] {
        &self.spans.qualifier
    }

    /// Merges the states in a value into what is held.
    pub fn fold(
        &self,
        place: Place,
        value: &[u8],
        timestamp: i64,
        states: &mut States,
    ) -> Result<()> {
        let Some(plan) = self.plan.value(place.group) else {
            return Ok(());
        };
        let folded = plan.fold(value, timestamp, states);
        folded.map_err(|error| {
            let (row, group) = (&self.row, place.group);
            self.plan.misfit("value", value, row, group, error)
        })
    }

    fn is_ordered(&mut self, place: Place, cell: &CellRef<'_>) -> Result<bool> {
        let compares = self.plan.direction(place).is_some_and(|one| one.compares());
        let Some((first, second)) = self.plan.ends(place).filter(|_| compares) else {
            return Ok(true);
        };
        let part = |slot| part_at(&self.plan, &self.spans, cell, place, slot);
        let (Some(first), Some(second)) = (part(first), part(second)) else {
            return Ok(true);
        };
        let a = first.0.key_or_null(first.1, &mut self.scratch)?;
        let b = second.0.key_or_null(second.1, &mut self.other)?;
        Ok(a <= b)
    }

    fn find_place(&mut self, row: &[u8], family: &[u8]) -> Result<Option<Place>> {
        if !self.plan.has_own_families {
            return self.find_shared(row, family);
        }
        let mut reasons = Vec::new();
        for (place, own, parts) in self.plan.own_shapes() {
            let spans = &mut self.spans;
            if own
                .read(family, &mut spans.family, &mut self.scratch)
                .is_err()
            {
                continue;
            }
            match parts.read(row, &mut spans.row, &mut self.scratch) {
                Ok(()) => return self.check_kind(place, row).map(Some),
                Err(misfit) => {
                    let group = self.plan.group_name(place);
                    reasons.push(format!("as a row of '{group}', {}", misfit.describe()));
                }
            }
        }
        if self.plan.shared_shapes().next().is_some() {
            return self.find_shared(row, family);
        }
        if reasons.is_empty() {
            return Ok(None);
        }
        let (row, reasons) = (shown(row), reasons.join("; "));
        Err(Error::InvalidBytes(format!(
            "row '{row}' does not fit any shape of its family: {reasons}"
        )))
    }

    fn find_shared(&mut self, row: &[u8], family: &[u8]) -> Result<Option<Place>> {
        let plan = &self.plan;
        let parts = &plan.family;
        let read = parts.read(family, &mut self.spans.family, &mut self.scratch);
        read.map_err(|misfit| {
            let why = misfit.describe();
            let family = shown(family);
            Error::InvalidBytes(format!("family '{family}' does not fit the plan: {why}"))
        })?;
        let named = match plan.group_step() {
            None => None,
            Some(step) => {
                let field = parts.field(step).zip(self.spans.family.get(step));
                let name = match field {
                    Some((field, span)) => field.key(span.of(family), &mut self.scratch)?,
                    None => None,
                };
                match plan.find_group(name.unwrap_or_default()) {
                    None => return Ok(None),
                    found => found,
                }
            }
        };
        let shape = self.find_shape(row)?;
        let Some(group) = named.or_else(|| self.plan.group_of_shape(shape)) else {
            return Ok(None);
        };
        self.check_kind(Place { group, shape }, row).map(Some)
    }

    fn check_kind(&self, place: Place, row: &[u8]) -> Result<Place> {
        if self.plan.serves(place) {
            return Ok(place);
        }
        let error = Error::InvalidBytes("it is the row of another kind of element".into());
        Err(self.plan.misfit("row", row, row, place.group, error))
    }

    /// The first of the shapes without a family of their own that fits.
    fn find_shape(&mut self, row: &[u8]) -> Result<usize> {
        let shapes = self.plan.shapes();
        for at in [self.shape, self.before] {
            if let Some(parts) = shapes.get(at).filter(|_| self.plan.is_alone(at)) {
                let read = parts.read(row, &mut self.spans.row, &mut self.scratch);
                if read.is_ok() {
                    (self.before, self.shape) = (self.shape, at);
                    return Ok(at);
                }
            }
        }
        for (at, parts) in self.plan.shared_shapes() {
            let read = parts.read(row, &mut self.spans.row, &mut self.scratch);
            if read.is_ok() {
                (self.before, self.shape) = (self.shape, at);
                return Ok(at);
            }
        }
        let mut reasons = Vec::new();
        for (_, parts) in self.plan.shared_shapes() {
            let read = parts.read(row, &mut self.spans.row, &mut self.scratch);
            reasons.extend(read.err().map(|misfit| misfit.describe()));
        }
        let (row, count) = (shown(row), reasons.len());
        Err(Error::InvalidBytes(format!(
            "row '{row}' does not fit any of the plan's {count} shapes: {}",
            reasons.join("; ")
        )))
    }
}
