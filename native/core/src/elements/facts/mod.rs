//! Columns of records become facts: the cells that `spec/facts.md` gives an element that is added, of many rows at once.
//!
//! Nothing is looked at, so this is right for new ids and unchanged shapes. Rows that do not fit are told by number
//! alone, as in [`super::Program`]. The meaning is Python's writer of records.

mod program;
mod row;
mod shape;
mod values;

pub use program::FactProgram;

use super::column::Column;
use super::encoded::{whole_parts, Encoded};
use super::row::Part;
use crate::{Error, Result};
use row::FactEncoder;

const ROWS_PER_THREAD: usize = 8_192;
const MOST_THREADS: usize = 8;

/// What is asked of a program.
#[derive(Debug, Clone, Copy, Default)]
pub struct FactRequest<'a> {
    pub rows: usize,
    /// Whether rows that do not fit are left out; otherwise the first of them ends it.
    pub skips: bool,
    /// The normalised visibility of rows that do not say theirs.
    pub visibility: &'a [u8],
    /// The time of rows that do not say theirs; none is that of the commit.
    pub time: Option<i64>,
    /// When rows with a time of their own are written.
    pub stamp: i64,
    /// Event data in its value form; empty for none.
    pub note: &'a [u8],
    /// The number of the generated id of the first row; the others count on.
    pub first_id: u128,
}

/// The cells of some rows by table.
#[derive(Debug, Default)]
pub struct EncodedFacts {
    pub vertices: Encoded,
    pub edges: Encoded,
    /// How many rows fit.
    pub elements: usize,
    /// The numbers of those that do not, ascending.
    pub bad: Vec<usize>,
}

impl FactProgram {
    /// Makes facts of the rows in some columns.
    pub fn encode(
        &self,
        columns: &[Column<'_>],
        request: &FactRequest<'_>,
    ) -> Result<EncodedFacts> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (request.rows / ROWS_PER_THREAD).clamp(1, cores.min(MOST_THREADS));
        let size = request.rows.div_ceil(threads).max(1);
        let part = |number: usize| {
            let mut encoder = FactEncoder::new(self, columns, request);
            let end = request.rows.min((number + 1) * size);
            for row in number * size..end {
                if encoder.take(row).is_err() {
                    encoder.refuse(row);
                    if !request.skips {
                        break;
                    }
                }
            }
            encoder.finish()
        };
        let parts: Vec<(Part, Part)> = if threads == 1 {
            vec![part(0)]
        } else {
            std::thread::scope(|scope| {
                let part = &part;
                let started: Vec<_> = (0..threads)
                    .map(|number| scope.spawn(move || part(number)))
                    .collect();
                let died = |_| Error::Unsupported("a thread that made facts has died".into());
                let finished = started.into_iter().map(|one| one.join().map_err(died));
                finished.collect::<Result<_>>()
            })?
        };
        let (vertices, edges): (Vec<Part>, Vec<Part>) = parts.into_iter().unzip();
        let mut bad: Vec<usize> = vertices.iter().flat_map(|part| part.bad.clone()).collect();
        if !request.skips && !bad.is_empty() {
            bad.truncate(1);
            return Ok(EncodedFacts {
                bad,
                ..EncodedFacts::default()
            });
        }
        Ok(EncodedFacts {
            elements: vertices.iter().map(Part::elements).sum(),
            vertices: whole(vertices),
            edges: whole(edges),
            bad,
        })
    }
}

fn whole(parts: Vec<Part>) -> Encoded {
    Encoded {
        runs: whole_parts(&parts),
        parts,
        ..Encoded::default()
    }
}
