//! A scan divided at row boundaries into parts that threads can work on: any cut gives the same cells.

use std::collections::VecDeque;

use crate::cells::{Key, Range};
use crate::stages::Families;
use crate::tree::{Cuts, TreeId};
use crate::Result;

use super::Input;

/// How many blocks a part has.
const BLOCKS: usize = 64;
/// More ranges than these are not divided but dealt out, into about `PIECES` parts of at most `RANGES`.
const FEW: usize = 8;
const PIECES: usize = 16;
const RANGES: usize = 128;

/// Parts in the order of their keys, found one by one as they are asked for.
#[derive(Debug)]
pub struct Parts {
    ranges: VecDeque<Range>,
    cuts: Option<Cuts>,
    /// Whether `cuts` is in the first range.
    inside: bool,
    /// How many ranges make a part, where they are not divided.
    dealt: usize,
}

impl Parts {
    /// Divides sorted ranges by the largest of the trees that hold a wanted family.
    pub fn new(input: &Input, families: &Families, ranges: Vec<Range>) -> Result<Parts> {
        let dealt = (ranges.len() / PIECES).clamp(1, RANGES);
        // What is as small as a row is not worth a look at separators.
        let cuts = if ranges.len() > FEW || ranges.iter().all(is_one_row) {
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
            dealt,
        })
    }

    /// The ranges of the next part; none behind the last.
    pub fn next(&mut self) -> Result<Option<Vec<Range>>> {
        let Some(cuts) = &mut self.cuts else {
            let many = self.ranges.len().min(self.dealt);
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
        let last = range.end.as_ref().map(|end| end.row.clone());
        while let Some(row) = cuts.next(BLOCKS, last.as_deref())? {
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

    /// How many ranges are left.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Whether the ranges are dealt out as they are.
    pub fn are_dealt(&self) -> bool {
        self.cuts.is_none()
    }

    /// All that is left, as one part.
    pub fn rest(self) -> Vec<Range> {
        self.ranges.into()
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
