//! The steps below every stage: deletes, families, qualifiers, visibility.
//!
//! `spec/cells.md` section 4 and `spec/scan.md` section 3 say what they do. They come in this order
//! and below everything else, so no stage ever sees a cell that its reader may not.

use super::columns::Columns;
use super::entry::{from_column_start, Entry};
use super::filter::Test;
use super::settling::settling;
use super::{Cursor, Families, Source};
use crate::cells::{CellRef, Key, Range};
use crate::visibility::LabelCache;
use crate::Result;

/// Drops what delete markers hide; keeps the newest marker of a column only where asked.
pub struct Deletes {
    source: Source,
    keep_markers: bool,
    entry: Entry,
    /// The newest marker of the column the cursor is in, while `hides`.
    marker: Key,
    hides: bool,
}

impl Deletes {
    pub fn new(source: Source, keep_markers: bool) -> Deletes {
        Deletes {
            source,
            keep_markers,
            entry: Entry::default(),
            marker: Key::default(),
            hides: false,
        }
    }

    // A marker hides what is older and therefore sorts behind it: the rest of its column.
    fn settle(&mut self) -> Result<()> {
        while let Some(top) = self.source.top() {
            let hidden = self.hides && top.key.column() == self.marker.as_ref().column();
            if !hidden {
                self.hides = top.key.deleted;
                if self.hides {
                    self.marker.assign(&top.key);
                }
                let given = !top.key.deleted || self.keep_markers;
                if given && !self.entry.is_before(&top.key) {
                    break;
                }
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl Cursor for Deletes {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.entry = Entry::into_range(range);
        self.hides = false;
        self.source.seek(&from_column_start(range), families)?;
        self.settle()
    }

    settling!();

    fn fork(&self) -> Source {
        Box::new(Deletes::new(self.source.fork(), self.keep_markers))
    }
}

/// Gives only the families that were asked for; below it all families are read.
pub struct FamilySkip {
    source: Source,
    families: Families,
}

impl FamilySkip {
    pub fn new(source: Source) -> FamilySkip {
        FamilySkip {
            source,
            families: Families::default(),
        }
    }

    fn settle(&mut self) -> Result<()> {
        while let Some(top) = self.source.top() {
            if self.families.wants(top.key.family) {
                break;
            }
            self.source.advance()?;
        }
        Ok(())
    }
}

impl Cursor for FamilySkip {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.families.clone_from(families);
        self.source.seek(range, families)?;
        self.settle()
    }

    settling!();

    fn fork(&self) -> Source {
        Box::new(FamilySkip::new(self.source.fork()))
    }
}

/// Accepts cells of a wanted family or a wanted (family, qualifier).
#[derive(Clone)]
pub struct Qualifiers(pub Columns<()>);

impl Test for Qualifiers {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        Ok(self.0.get(cell.key.family, cell.key.qualifier).is_some())
    }
}

/// Accepts what the authorizations of the scan may see.
#[derive(Clone)]
pub struct Visible(pub LabelCache);

impl Test for Visible {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        Ok(self.0.can_see(cell.key.visibility))
    }
}
