//! The stage that keeps the newest versions of each column.
//!
//! Versions are counted from the newest one even when a range starts among them, and cells of fully
//! equal keys count as versions of one another; delete markers count too.

use serde_json::Value;

use super::entry::{from_column_start, Entry};
use super::options::Options;
use super::settling::settling;
use super::{Cursor, Families, Source, StageContext};
use crate::cells::{CellRef, Key, Range};
use crate::Result;

struct Versions {
    source: Source,
    most: u64,
    entry: Entry,
    /// The column the cursor is in, once `seen` is not 0, and how many of its versions were seen.
    column: Key,
    seen: u64,
}

/// Reads how many versions the stage keeps; none is all.
pub fn most_versions(options: &Value) -> Result<Option<u64>> {
    let options = Options::of_stage("versions", options, &["max"])?;
    let most = match options.given("max") {
        None => Some(1),
        Some(_) => options.integer("max", 1, i64::from(i32::MAX))?,
    };
    Ok(most.and_then(|most| u64::try_from(most).ok()))
}

/// Makes `versions`: the `max` newest versions of each column; null keeps all.
pub fn versions(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    Ok(match most_versions(options)? {
        None => source,
        Some(most) => Box::new(Versions::new(source, most)),
    })
}

impl Versions {
    fn new(source: Source, most: u64) -> Versions {
        Versions {
            source,
            most,
            entry: Entry::default(),
            column: Key::default(),
            seen: 0,
        }
    }

    fn settle(&mut self) -> Result<()> {
        while let Some(top) = self.source.top() {
            if self.seen > 0 && top.key.column() == self.column.as_ref().column() {
                self.seen += 1;
            } else {
                self.column.assign(&top.key);
                self.seen = 1;
            }
            if self.seen <= self.most && !self.entry.is_before(&top.key) {
                break;
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl Cursor for Versions {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.entry = Entry::into_range(range);
        self.seen = 0;
        self.source.seek(&from_column_start(range), families)?;
        self.settle()
    }

    settling!();

    fn fork(&self) -> Source {
        Box::new(Versions::new(self.source.fork(), self.most))
    }
}
