//! The neighbours of a vertex by the references of its edges: rows of facts, each judged by its own cells.
//!
//! Nearly every row has one cell, which says that the reference exists. Such a row is judged here; any other goes to the
//! assembler of records, which knows all rules.

use std::sync::{Arc, Mutex, PoisonError};

use super::ends::Reached;
use crate::cells::{CellColumns, CellsView, Key, Range};
use crate::codec::escape::escape;
use crate::records::{Assembler, Fact, FactState, RecordReading, RecordRows, Subject, Table};
use crate::scan::{Input, RowReader, Spec};
use crate::settings::Settings;
use crate::tree::Watch;
use crate::{Error, Result};

const FAMILIES: [&[u8]; 3] = [b"ra", b"re", b"rh"];
const EXISTENCE: &[u8] = b"re";

/// Which references are followed, and as whom.
#[derive(Debug, Clone)]
pub struct FollowReferences {
    pub rows: RecordRows,
    pub reading: RecordReading,
    /// What follows an escaped vertex in the rows that are followed: from the first up to, but without, the second.
    pub spans: Vec<(Vec<u8>, Vec<u8>)>,
}

/// The way from a vertex to its neighbours, and what earlier walks left.
#[derive(Debug)]
pub struct ReferenceRoutes {
    follow: FollowReferences,
    settings: Arc<Settings>,
    #[allow(clippy::vec_box)]
    idle: Mutex<Vec<Box<Memory>>>,
}

struct Memory {
    reader: RowReader,
    assembler: Assembler,
    cells: CellColumns,
    range: Range,
    subject: Subject,
    escaped: Vec<u8>,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Memory")
    }
}

impl ReferenceRoutes {
    pub fn new(input: &Input, follow: &FollowReferences) -> Result<ReferenceRoutes> {
        let routes = ReferenceRoutes {
            follow: follow.clone(),
            settings: Arc::clone(&input.settings),
            idle: Mutex::default(),
        };
        let first = routes.prepare()?;
        routes.leave(first);
        Ok(routes)
    }

    /// Refuses bytes that are not a vertex.
    pub fn check_vertex(&self, vertex: &[u8]) -> Result<()> {
        self.follow.rows.vertex_codec().check_key(vertex)
    }

    fn prepare(&self) -> Result<Box<Memory>> {
        let FollowReferences { rows, reading, .. } = &self.follow;
        let spec = Spec {
            view: reading.view.clone(),
            columns: FAMILIES.map(|family| (family.to_vec(), None)).to_vec(),
            ..Spec::default()
        };
        Ok(Box::new(Memory {
            reader: RowReader::new(&self.settings, &spec)?,
            assembler: Assembler::new(rows.clone(), Table::Vertices, reading.clone()),
            cells: CellColumns::default(),
            range: Range {
                start: Some(Key::leading(b"", b"", b"", b"")),
                end: Some(Key::leading(b"", b"", b"", b"")),
                end_inclusive: false,
                start_inclusive: true,
            },
            subject: Subject::default(),
            escaped: Vec::new(),
        }))
    }

    fn leave(&self, memory: Box<Memory>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(memory);
    }
}

/// One thread's walk along references.
pub struct ReferenceWalk<'r> {
    routes: &'r ReferenceRoutes,
    input: &'r Input,
    watch: &'r Arc<Watch>,
    memory: Box<Memory>,
}

impl<'r> ReferenceWalk<'r> {
    pub fn new(
        input: &'r Input,
        routes: &'r ReferenceRoutes,
        watch: &'r Arc<Watch>,
    ) -> Result<ReferenceWalk<'r>> {
        let taken = {
            let mut idle = routes.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.pop()
        };
        Ok(ReferenceWalk {
            memory: match taken {
                Some(memory) => memory,
                None => routes.prepare()?,
            },
            routes,
            input,
            watch,
        })
    }

    /// Adds the other ends of the references of a vertex, which is escaped.
    pub fn neighbours(&mut self, vertex: &[u8], reached: &mut impl Reached) -> Result<()> {
        for (from, to) in &self.routes.follow.spans {
            self.watch.check()?;
            let memory = &mut *self.memory;
            if let (Some(start), Some(end)) = (&mut memory.range.start, &mut memory.range.end) {
                set(&mut start.row, vertex, from);
                set(&mut end.row, vertex, to);
            }
            memory.cells.clear();
            memory
                .reader
                .read(self.input, &memory.range, &mut memory.cells)?;
            let cells = memory.cells.view();
            let mut at = 0;
            while at < cells.len() {
                let row = cells.cell(at).key.row;
                let mut end = at + 1;
                while end < cells.len() && cells.cell(end).key.row == row {
                    end += 1;
                }
                let (subject, escaped) = (&mut memory.subject, &mut memory.escaped);
                let follow = &self.routes.follow;
                match end - at == 1 && is_plain(follow, &cells, at, subject)? {
                    true => add(&subject.other, escaped, reached),
                    false => {
                        let records = memory.assembler.part(&cells, at..end)?;
                        for record in &records.records {
                            add(records.get(record.other), escaped, reached);
                        }
                    }
                }
                at = end;
            }
        }
        Ok(())
    }

    /// Ends it; what it has goes back to the routes.
    pub fn finish(self) {
        self.routes.leave(self.memory);
    }
}

/// Whether the one cell of a row says that its reference exists; reads its subject.
fn is_plain(
    follow: &FollowReferences,
    cells: &CellsView<'_>,
    at: usize,
    subject: &mut Subject,
) -> Result<bool> {
    let (cell, reading) = (cells.cell(at), &follow.reading);
    if cell.key.family != EXISTENCE || reading.retention.is_some() {
        return Ok(false);
    }
    let wanted = reading
        .as_of
        .is_none_or(|as_of| cell.key.timestamp <= as_of);
    if !wanted {
        return Ok(false);
    }
    follow.rows.read(Table::Vertices, cell.key.row, subject)?;
    let fact = Fact::read(subject.kind, &cell)?;
    // Whether it has expired is judged by the assembler.
    Ok(fact.state == FactState::Said && (fact.ttl.is_none() || reading.now.is_none()))
}

fn add(vertex: &[u8], escaped: &mut Vec<u8>, reached: &mut impl Reached) {
    if vertex.iter().all(|&byte| byte > 1) {
        reached.add(vertex);
        return;
    }
    escaped.clear();
    escape(vertex, escaped);
    reached.add(escaped);
}

fn set(row: &mut Vec<u8>, vertex: &[u8], rest: &[u8]) {
    row.clear();
    row.extend_from_slice(vertex);
    row.extend_from_slice(rest);
}

/// Refuses spans that do not start at the end of a vertex.
pub fn check_spans(spans: &[(Vec<u8>, Vec<u8>)]) -> Result<()> {
    let ends = |one: &[u8]| one.first() == Some(&0);
    match spans.iter().all(|(from, to)| ends(from) && ends(to)) {
        true => Ok(()),
        false => Err(Error::InvalidOption(
            "a span of references starts with the 00 that ends a vertex".into(),
        )),
    }
}
