//! Passing over what a cut result has given already.

use std::cmp::Ordering;

use crate::cells::CellRef;

use super::Resume;

/// Tells which cells come before the point where a scan goes on.
#[derive(Debug)]
pub struct Skip {
    after: Option<Resume>,
    seen: u64,
}

impl Skip {
    pub fn new(after: Option<Resume>) -> Skip {
        Skip { after, seen: 0 }
    }

    /// Whether nothing is passed over any more.
    pub fn is_over(&self) -> bool {
        self.after.is_none()
    }

    /// Whether the cell was given already. A stage may give keys before the start of its range, so
    /// earlier ones may come again as well.
    #[inline]
    pub fn passes_over(&mut self, cell: &CellRef<'_>) -> bool {
        let Some(after) = &self.after else {
            return false;
        };
        match cell.key.cmp(&after.key.as_ref()) {
            Ordering::Less => true,
            Ordering::Equal => {
                self.seen += 1;
                self.seen <= after.seen
            }
            Ordering::Greater => {
                self.after = None;
                false
            }
        }
    }
}
