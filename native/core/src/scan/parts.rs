//! A scan divided at row boundaries into parts that threads can work on: any cut gives the same cells.

use std::collections::VecDeque;

use crate::cells::{Key, Range};
use crate::stages::Families;
use crate::tree::{Cuts, TreeId};
use crate::Result;

use super::Input;

/// How many blocks a part has, or how many ranges where these are many.
const BLOCKS: usize = 64;
const RANGES: usize = 128;

/// Parts in the order of their keys, found one by one as they are asked for.
#[derive(Debug)]
pub struct Parts {
    ranges: VecDeque<Range>,
    cuts: Option<Cuts>,
    /// Whether `cuts` is in the first range.
    inside: bool,
}

impl Parts {
    /// Divides sorted ranges by the largest of the trees that hold a wanted family.
    pub fn new(input: &Input, families: &Families, ranges: Vec<Range>) -> Result<Parts> {
        // What is as small as a row, or comes in hundreds, is not worth a look at separators.
        let cuts = if ranges.len() > RANGES || ranges.iter().all(is_one_row) {
            None
        } else {
            let groups = input.groups.iter();
            let needed = groups.filter(|group| group.families.meets(families));
            let trees: Vec<TreeId> = needed.map(|group| group.tree).collect();
            Cuts::new(&input.snapshot, &trees)?
        };
        Ok(Parts {
            ranges: ranges.into(),
            cuts,
            inside: false,
        })
    }

    /// The ranges of the next part; none behind the last.
    pub fn next(&mut self) -> Result<Option<Vec<Range>>> {
        let Some(cuts) = &mut self.cuts else {
            let many = self.ranges.len().min(RANGES);
            let part: Vec<Range> = self.ranges.drain(..many).collect();
            return Ok((!part.is_empty()).then_some(part));
        };
        let Some(range) = self.ranges.front_mut() else {
            return Ok(None);
        };
        if !self.inside {
            cuts.seek(range.start.as_ref().map(Key::as_ref).as_ref())?;
            self.inside = true;
        }
        while let Some(row) = cuts.next(BLOCKS)? {
            let cut = Key::leading(&row, b"", b"", b"");
            if range.is_beyond(&cut.as_ref()) {
                break;
            }
            // A row of many blocks gives the same cut again.
            if range.is_before(&cut.as_ref()) || range.start.as_ref() == Some(&cut) {
                continue;
            }
            let part = Range {
                end: Some(cut.clone()),
                end_inclusive: false,
                ..range.clone()
            };
            (range.start, range.start_inclusive) = (Some(cut), true);
            return Ok(Some(vec![part]));
        }
        self.inside = false;
        Ok(self.ranges.pop_front().map(|range| vec![range]))
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

fn is_one_row(range: &Range) -> bool {
    match (&range.start, &range.end) {
        (Some(start), Some(end)) => {
            let row = end.row.strip_suffix(&[0]).unwrap_or(&end.row);
            start.row == end.row || start.row == row
        }
        _ => false,
    }
}
