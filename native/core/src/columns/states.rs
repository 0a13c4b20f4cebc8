//! The states of one property in a block: taken from its own column where values are taken apart, else out of
//! the values one by one.

use super::{Step, Stop};
use crate::block::{Block, CellCursor, Strings};
use crate::codec::integer::read_small;
use crate::plan::model::ValueForm;
use crate::plan::Plan;

/// Buffers that blocks use one after the other.
#[derive(Debug, Default)]
pub struct StateColumns {
    /// Ends of items, or codes.
    numbers: Vec<u32>,
    /// The integers of a dictionary.
    integers: Vec<Option<i64>>,
    /// States that had to be copied, and where they end; `None` where the property is absent.
    copied: Vec<u8>,
    places: Vec<Option<(u32, u32)>>,
    cursor: CellCursor,
}

/// The states of a property by cell.
pub enum StateColumn<'a> {
    One(&'a [u8], Option<i64>),
    Fixed {
        data: &'a [u8],
        width: usize,
    },
    Ends {
        data: &'a [u8],
        ends: &'a [u32],
    },
    Coded {
        block: Block<'a>,
        column: &'a Strings,
        codes: &'a [u32],
        integers: &'a [Option<i64>],
    },
    Places {
        data: &'a [u8],
        places: &'a [Option<(u32, u32)>],
    },
}

impl StateColumns {
    /// The states of a group's property; `None` where no cell has it.
    pub fn open<'a>(
        &'a mut self,
        block: &Block<'a>,
        plan: &Plan,
        group: usize,
        property: usize,
    ) -> Step<Option<StateColumn<'a>>> {
        let Some(model) = plan.model().groups.get(group) else {
            return Ok(None);
        };
        let id = model.properties.get(property).map(|one| one.id as usize);
        match (model.form, block.properties(), block.values()) {
            (ValueForm::Tagged, Some(properties), _) => {
                match properties.iter().find(|one| Some(one.id) == id) {
                    Some(found) => self.of_strings(block, &found.states).map(Some),
                    None => Ok(None),
                }
            }
            (ValueForm::Single, _, Some(values)) => self.of_strings(block, values).map(Some),
            (ValueForm::None, ..) => Ok(None),
            _ => self.of_values(block, plan, group, property).map(Some),
        }
    }

    fn of_strings<'a>(
        &'a mut self,
        block: &Block<'a>,
        column: &'a Strings,
    ) -> Step<StateColumn<'a>> {
        let body = block.body();
        Ok(match column {
            Strings::Constant(span) => StateColumn::One(span.of(body), read_small(span.of(body))),
            Strings::Fixed { items, width } => StateColumn::Fixed {
                data: items.of(body),
                width: *width,
            },
            Strings::Offsets(entries) => StateColumn::Ends {
                data: entries.copy_ends(body, &mut self.numbers)?,
                ends: &self.numbers,
            },
            Strings::Dictionary { codes, count, .. } => {
                self.integers.clear();
                for code in 0..*count {
                    let state = column.entry(body, code)?.of(body);
                    self.integers.push(read_small(state));
                }
                codes.copy_to(body, &mut self.numbers)?;
                StateColumn::Coded {
                    block: *block,
                    column,
                    codes: &self.numbers,
                    integers: &self.integers,
                }
            }
        })
    }

    /// Cuts every value of the group as the stages do.
    fn of_values<'a>(
        &'a mut self,
        block: &Block<'a>,
        plan: &Plan,
        group: usize,
        property: usize,
    ) -> Step<StateColumn<'a>> {
        self.copied.clear();
        self.places.clear();
        let Some(value_plan) = plan.value(group) else {
            return Err(Stop::Unfit);
        };
        let mut spans = Vec::new();
        let mut more = self.cursor.seek(block, 0)?;
        while more {
            let value = self.cursor.cell(block).value;
            // A cell of another group need not fit: whoever picks it asks for its own group.
            let place = match value_plan.read(value, &mut spans) {
                Ok(()) => spans.get(property).copied().flatten().map(|span| {
                    let start = self.copied.len() as u32;
                    self.copied.extend_from_slice(span.of(value));
                    (start, self.copied.len() as u32)
                }),
                Err(_) => Some((u32::MAX, u32::MAX)),
            };
            self.places.push(place);
            more = self.cursor.advance(block)?;
        }
        Ok(StateColumn::Places {
            data: &self.copied,
            places: &self.places,
        })
    }
}

impl StateColumn<'_> {
    /// The state of a cell; `Unfit` where its value does not fit.
    #[inline(always)]
    pub fn state(&self, cell: usize) -> Step<Option<&[u8]>> {
        let found = match self {
            StateColumn::One(state, _) => Some(*state),
            StateColumn::Fixed { data, width } => data.get(cell * width..(cell + 1) * width),
            StateColumn::Ends { data, ends } => {
                ends_of(ends, cell).and_then(|(start, end)| data.get(start..end))
            }
            StateColumn::Coded {
                block,
                column,
                codes,
                ..
            } => {
                let code = codes.get(cell).copied().unwrap_or(u32::MAX);
                Some(column.entry(block.body(), code as usize)?.of(block.body()))
            }
            StateColumn::Places { data, places } => match places.get(cell) {
                Some(None) => return Ok(None),
                Some(Some((start, end))) => data.get(*start as usize..*end as usize),
                None => None,
            },
        };
        match found {
            Some(state) => Ok(Some(state)),
            None => Err(Stop::Unfit),
        }
    }

    /// The integer of a cell; `Unfit` where it has more than 64 bits or is none.
    #[inline(always)]
    pub fn number(&self, cell: usize) -> Step<Option<i64>> {
        let number = match self {
            StateColumn::One(_, number) => *number,
            StateColumn::Coded {
                codes, integers, ..
            } => {
                let code = codes.get(cell).copied().unwrap_or(u32::MAX);
                integers.get(code as usize).copied().flatten()
            }
            _ => match self.state(cell)? {
                None => return Ok(None),
                Some(state) => read_small(state),
            },
        };
        match number {
            Some(number) => Ok(Some(number)),
            None => Err(Stop::Unfit),
        }
    }
}

/// Where a cell's state starts and ends.
#[inline(always)]
pub fn ends_of(ends: &[u32], cell: usize) -> Option<(usize, usize)> {
    match cell.checked_sub(1) {
        None => Some((0, *ends.first()? as usize)),
        Some(before) => {
            let [start, end] = ends.get(before..)?.first_chunk()?;
            Some((*start as usize, *end as usize))
        }
    }
}
