//! One row after the other: checked, put together, and added to columns of cells.

use std::sync::Mutex;

use super::column::Column;
use super::keys::{Pieces, WrittenKey};
use super::labels::Labels;
use super::merging::hash_key;
use super::program::{Keys, Program};
use super::rules::Rules;
use super::types::Type;
use crate::cells::CellColumns;
use crate::plan::model::Kind;
use crate::{Error, Result};

/// A row as rules see it.
pub(super) struct Row<'a, 'b> {
    pub program: &'b Program,
    pub columns: &'b [Column<'a>],
    pub row: usize,
    pub label: &'b [u8],
    pub timestamp: i64,
    pub directed: bool,
}

/// What came of some neighbouring rows.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub cells: CellColumns,
    /// One byte a cell: whether its time was given.
    pub timed: Vec<u8>,
    /// The first cell of each element, and behind the last of them the number of cells.
    pub starts: Vec<usize>,
    /// Where elements may be equal: a hash of each, by all that equal ones have in common.
    pub hashes: Vec<u64>,
    /// The labels of elements, the empty one among them if some have none; one may be there twice.
    pub labels: Vec<Vec<u8>>,
    /// Rows that do not fit.
    pub bad: Vec<usize>,
}

impl Part {
    /// Nothing, in the same memory.
    pub fn emptied(mut self) -> Part {
        self.cells.clear();
        self.timed.clear();
        self.starts.clear();
        self.starts.push(0);
        self.hashes.clear();
        self.labels.clear();
        self.bad.clear();
        self
    }

    /// How many elements fit.
    pub fn elements(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

/// Makes cells of rows; keeps its memory from one to the next.
pub(super) struct RowEncoder<'a, 'b> {
    program: &'b Program,
    columns: &'b [Column<'a>],
    rules: &'b Rules,
    labels: Labels,
    /// Whether an element has no label.
    unlabelled: bool,
    pieces: Pieces,
    value: Vec<u8>,
    scratch: Vec<u8>,
    /// Whose turn it is in shards.
    turn: u64,
    part: Part,
}

impl<'a, 'b> RowEncoder<'a, 'b> {
    pub fn new(
        program: &'b Program,
        columns: &'b [Column<'a>],
        rules: &'b Rules,
        turn: u64,
        spare: Part,
    ) -> RowEncoder<'a, 'b> {
        RowEncoder {
            program,
            columns,
            rules,
            labels: Labels::default(),
            unlabelled: false,
            pieces: Pieces::default(),
            value: Vec::new(),
            scratch: Vec::new(),
            turn,
            part: spare.emptied(),
        }
    }

    /// Adds the cells of a row; refuses one that does not fit, and adds nothing of it.
    pub fn take(&mut self, row: usize) -> Result<()> {
        let (program, columns) = (self.program, self.columns);
        for field in program.fields.iter().filter(|field| field.needed) {
            if field.held(columns, row).is_none() {
                return Err(Error::InvalidValue("a field is missing".into()));
            }
        }
        let directed = self.direction(row)?;
        let label = self.label(row)?;
        let held = |column: Option<usize>| {
            let column = columns.get(column?)?;
            (!column.is_null(row)).then(|| column.number(row))
        };
        let time = held(program.timestamp);
        self.make_pieces(row)?;
        self.value.clear();
        program
            .values
            .write(&program.fields, columns, row, &mut self.value)?;
        let seen = Row {
            program,
            columns,
            row,
            label: label.map_or(&[], |label| self.labels.get(label)),
            timestamp: time.unwrap_or(0),
            directed,
        };
        for rule in self.rules {
            if !rule.holds(&seen, &mut self.scratch)? {
                return Err(Error::InvalidValue("a rule is broken".into()));
            }
        }
        let keys = self.keys(directed)?;
        let cells = &mut self.part.cells;
        for key in keys {
            key.row.push(&self.pieces, &mut cells.row);
            key.family.push(&self.pieces, &mut cells.family);
            key.qualifier.push(&self.pieces, &mut cells.qualifier);
            cells.visibility.push(seen.label);
            cells.timestamps.push(seen.timestamp);
            cells.deleted.push(0);
            cells.value.push(&self.value);
            self.part.timed.push(u8::from(time.is_some()));
        }
        if program.aggregates {
            let first = cells.view().cell(*self.part.starts.last().unwrap_or(&0));
            self.part.hashes.push(hash_key(&first.key));
        }
        self.part.starts.push(cells.timestamps.len());
        self.turn += 1;
        match label {
            Some(label) => self.labels.note(label),
            None => self.unlabelled = true,
        }
        Ok(())
    }

    /// Takes note of a row that does not fit.
    pub fn refuse(&mut self, row: usize) {
        self.part.bad.push(row);
    }

    /// What came of the rows.
    pub fn finish(mut self) -> Part {
        let none = self.unlabelled.then(Vec::new);
        self.part
            .labels
            .extend(none.into_iter().chain(self.labels.into_used()));
        self.part
    }

    /// Takes room for as much more as so many rows like those so far will need.
    pub fn expect(&mut self, rows: usize) {
        let part = &mut self.part;
        let known = part.elements().max(1);
        // A little more, because rows are not quite alike.
        let more = |length: usize| length * rows / known * 9 / 8;
        part.cells.reserve_by(more);
        part.timed.reserve(more(part.timed.len()));
        part.starts.reserve(rows);
        if self.program.aggregates {
            part.hashes.reserve(rows);
        }
    }

    fn make_pieces(&mut self, row: usize) -> Result<()> {
        let program = self.program;
        self.pieces.clear(program.pieces.len());
        for (at, piece) in program.pieces.iter().enumerate() {
            let Some(field) = piece.field.and_then(|field| program.fields.get(field)) else {
                continue;
            };
            let (columns, scratch) = (self.columns, &mut self.scratch);
            self.pieces
                .make(at, |out| piece.write(field, columns, row, scratch, out))?;
        }
        let Some(shard) = &program.shard else {
            return Ok(());
        };
        let shard = shard.find(&self.pieces, self.turn, &mut self.scratch);
        for (at, piece) in program.pieces.iter().enumerate() {
            if piece.field.is_none() {
                self.pieces.make(at, |out| piece.write_shard(shard, out))?;
            }
        }
        Ok(())
    }

    /// The number of the row's label; none for no label at all.
    fn label(&mut self, row: usize) -> Result<Option<usize>> {
        let columns = self.columns;
        let found = self.program.visibility.and_then(|at| columns.get(at));
        match found.filter(|column| !column.is_null(row)) {
            Some(column) => self.labels.find(column.text(row)?).map(Some),
            None => Ok(None),
        }
    }

    fn direction(&self, row: usize) -> Result<bool> {
        if self.program.kind == Kind::Vertex {
            return Ok(false);
        }
        let directed = &self.program.directed;
        let column = directed.column.and_then(|at| self.columns.get(at));
        let column = column.filter(|column| column.kind() == Type::Bool && !column.is_null(row));
        let said = column.map(|column| column.flag(row));
        match (said, directed.all) {
            (Some(said), Some(all)) if said != all => Err(Error::InvalidValue(
                "all edges of the group go the other way".into(),
            )),
            (Some(said), _) => Ok(said),
            (None, Some(all)) => Ok(all),
            (None, None) => Err(Error::InvalidValue("an edge is directed or not".into())),
        }
    }

    fn keys(&self, is_directed: bool) -> Result<&'b [WrittenKey]> {
        let program = self.program;
        match &program.keys {
            Keys::Vertex(keys) => Ok(keys),
            Keys::Edge {
                directed,
                undirected,
                ends,
            } => {
                let keys = if is_directed { directed } else { undirected };
                let keys = keys.as_ref().ok_or_else(|| {
                    Error::InvalidValue("the plan has no shape for such edges".into())
                })?;
                Ok(keys.of(self.pieces.get(ends.0).cmp(self.pieces.get(ends.1))))
            }
        }
    }
}

/// The memory of parts that are done with.
#[derive(Debug, Default)]
pub(super) struct Spare(Mutex<Vec<Part>>);

impl Spare {
    /// Gives one, or a new one.
    pub fn take(&self) -> Part {
        let held = self.0.lock().ok().and_then(|mut held| held.pop());
        held.unwrap_or_default()
    }

    /// Keeps some: no more than those of two tables, as one may be made while another is written.
    pub fn give_back(&self, parts: &mut Vec<Part>) {
        if let Ok(mut held) = self.0.lock() {
            if held.len() < 2 * parts.len() {
                held.append(parts);
            }
        }
    }
}
