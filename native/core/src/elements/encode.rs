//! All rows of a table, on all cores.

use super::column::Column;
use super::encoded::{whole_parts, Encoded};
use super::merging::merge_equal;
use super::program::Program;
use super::row::{Part, RowEncoder};
use super::rules::Rules;
use crate::{Error, Result};

/// Fewer rows than this are not worth a thread of their own.
const ROWS_PER_THREAD: usize = 8_192;
const MOST_THREADS: usize = 8;
/// How many rows tell how much room the others will need.
const SAMPLE: usize = 256;

/// What is asked of a program.
#[derive(Debug, Clone, Copy, Default)]
pub struct Request {
    pub rows: usize,
    /// The clock of rules about age, in microseconds.
    pub now: i64,
    /// Whose turn it is, where elements take turns in shards.
    pub turn: u64,
    /// Whether rows that do not fit are left out; otherwise the first of them ends it.
    pub skips: bool,
}

impl Program {
    /// Makes cells of the rows in some columns.
    pub fn encode(&self, columns: &[Column<'_>], request: &Request) -> Result<Encoded> {
        if u32::try_from(request.rows).is_err() {
            let message = "a table of 2**32 rows or more is encoded in slices".into();
            return Err(Error::InvalidValue(message));
        }
        let rules = self.rules(request.now)?;
        let mut parts = self.encode_parts(columns, &rules, request)?;
        let mut bad: Vec<usize> = parts.iter().flat_map(|part| part.bad.clone()).collect();
        if !request.skips && !bad.is_empty() {
            bad.truncate(1);
            self.spare.give_back(&mut parts);
            return Ok(Encoded {
                bad,
                ..Encoded::default()
            });
        }
        let (runs, values) = if self.aggregates {
            merge_equal(&parts, self.values.plan())?
        } else {
            (whole_parts(&parts), Vec::new())
        };
        Ok(Encoded {
            elements: parts.iter().map(Part::elements).sum(),
            parts,
            runs,
            values,
            bad,
        })
    }

    /// Takes back the memory of cells that were copied: that of the next ones.
    pub fn reuse(&self, mut encoded: Encoded) {
        self.spare.give_back(&mut encoded.parts);
    }

    fn encode_parts(
        &self,
        columns: &[Column<'_>],
        rules: &Rules,
        request: &Request,
    ) -> Result<Vec<Part>> {
        let threads = self.count_threads(request);
        let size = request.rows.div_ceil(threads).max(1);
        let part = |number: usize| {
            let rows = number * size..request.rows.min((number + 1) * size);
            let turn = request.turn + rows.start as u64;
            let mut encoder = RowEncoder::new(self, columns, rules, turn, self.spare.take());
            for row in rows.clone() {
                if row == rows.start + SAMPLE {
                    encoder.expect(rows.end - row);
                }
                if encoder.take(row).is_err() {
                    encoder.refuse(row);
                    if !request.skips {
                        break;
                    }
                }
            }
            encoder.finish()
        };
        if threads == 1 {
            return Ok(vec![part(0)]);
        }
        std::thread::scope(|scope| {
            let part = &part;
            let started: Vec<_> = (0..threads)
                .map(|number| scope.spawn(move || part(number)))
                .collect();
            let finished = started.into_iter().map(|thread| {
                thread
                    .join()
                    .map_err(|_| Error::Unsupported("a thread that made cells has died".into()))
            });
            finished.collect()
        })
    }

    fn count_threads(&self, request: &Request) -> usize {
        // Where rows are left out and elements take turns, who is next depends on all before.
        if self.takes_turns() && request.skips {
            return 1;
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let most = request.rows / ROWS_PER_THREAD;
        most.clamp(1, cores.min(MOST_THREADS))
    }
}
