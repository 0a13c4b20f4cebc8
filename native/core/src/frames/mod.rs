//! Elements by column, as Arrow shapes them: what a table of an answer is made of.
//!
//! A [`Decoder`] reads cells by a key plan, wherever they come from; [`FrameScan`] reads those of a scan. Every wanted field goes
//! into the buffers of its column. What nobody asks for is not looked at, so what is wrong in it is not found.

mod asked;
mod buffers;
mod builder;
mod column;
mod decoder;
mod ends;
mod kind;
mod straight;

use std::sync::Arc;

use crate::plan::Plan;
use crate::scan::{self, Cancel, Input, Scan, ScanOptions, Spec};
use crate::settings::Settings;
use crate::{Error, Result};

pub use asked::Asked;
pub use buffers::{Bits, Buffers};
pub use decoder::Decoder;
pub use ends::{Among, Ends, Keys};

/// How many cells are read at once.
const CELLS: usize = 16_384;
/// How many bytes a column of one batch may take up: offsets have 32 bits.
const COLUMN_BYTES: usize = 256 << 20;

/// Fewer rows at a time are not worth reading whole blocks.
const STRAIGHT: usize = 4096;

/// Some rows of a table: one entry for each column that was asked for.
#[derive(Debug)]
pub struct Frame {
    pub rows: usize,
    pub columns: Vec<Buffers>,
}

/// A running scan whose elements come out as columns.
pub struct FrameScan {
    scan: Scan,
    decoder: Decoder,
    /// What reads blocks itself, until it is known that the stages must.
    straight: Option<straight::Way>,
    feed: Option<straight::Feed>,
    rows: usize,
    done: bool,
}

/// A scan whose elements come out as columns, made ready before anything is read.
#[derive(Debug)]
pub struct Prepared {
    scan: scan::Prepared,
    plan: Arc<Plan>,
    asked: Asked,
    ends: Option<Ends>,
}

impl Prepared {
    /// Checks everything that is asked; `plan` names the key plan of what the stages of the scan give.
    pub fn new(
        settings: &Arc<Settings>,
        spec: Spec,
        plan: &str,
        asked: Asked,
        ends: Option<Ends>,
    ) -> Result<Prepared> {
        let (scan, plan) = scan::Prepared::with_plan(settings, spec, plan)?;
        asked.bind(&plan)?;
        Ok(Prepared {
            scan,
            plan,
            asked,
            ends,
        })
    }

    /// Starts the scan, which gives at most so many rows at a time; nothing is read before the first are asked for.
    pub fn open(&self, input: Input, options: &ScanOptions, rows: usize) -> Result<FrameScan> {
        let rows = rows.max(1);
        let scan = self.scan.open(input, options)?;
        let straight = match &self.ends {
            None if rows >= STRAIGHT => {
                straight::Way::find(scan.shared(), &self.plan, &self.asked, rows)?
            }
            _ => None,
        };
        Ok(FrameScan {
            scan,
            decoder: Decoder::new(&self.plan, &self.asked, self.ends.clone())?,
            straight,
            feed: None,
            rows,
            done: false,
        })
    }
}

impl FrameScan {
    /// The next rows; none when there are no more.
    pub fn next_frame(&mut self) -> Result<Option<Frame>> {
        if let Some(way) = self.straight.take() {
            let parts = self.scan.hand_over()?;
            self.feed = parts.map(|parts| way.feed(parts)).transpose()?;
        }
        if let Some(feed) = &mut self.feed {
            return feed.next();
        }
        let (rows, decoder) = (self.rows, &mut self.decoder);
        while !self.done && decoder.rows() < rows && decoder.column_bytes() < COLUMN_BYTES {
            match self.scan.next(CELLS.min(rows - decoder.rows()))? {
                Some(cells) => decoder.add(cells.view())?,
                None => self.done = true,
            }
        }
        Ok(decoder.take())
    }

    /// A handle by which another thread ends it.
    pub fn cancel_handle(&self) -> Cancel {
        self.scan.cancel_handle()
    }
}

fn refuse<T>(message: String) -> Result<T> {
    Err(Error::InvalidOption(message))
}
