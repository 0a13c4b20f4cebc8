//! Blocks: many sorted cells in one byte string, by column. `docs/formats/embedded.md` section 3.
//!
//! A block is written once by [`BlockBuilder`] and read in place through [`Page`] and [`Block`]. Whatever
//! bytes are given, reading ends in cells or in [`Error::Corruption`], never in a panic.

mod builder;
mod cursor;
mod dictionary;
mod forms;
mod header;
mod items;
mod layout;
mod packed;
mod rows;
mod shred;
mod span;
mod strings;
mod times;
mod unpacked;
mod values;
mod view;

pub use builder::{BlockBuilder, Compression};
pub use cursor::CellCursor;
pub(crate) use dictionary::Dictionary;
#[cfg(test)]
pub(crate) use forms::form_of;
pub(crate) use forms::shows;
pub use layout::Layout;
pub use packed::Packed;
pub use rows::{RowCursor, RowEntries};
pub use shred::ShreddedProperty;
pub use span::Span;
pub use strings::{Entries, Strings};
pub use times::Times;
pub(crate) use unpacked::Unpacked;
pub use view::{Block, Page};

use crate::Error;

/// Rows that share nothing with the row before stand this far apart.
pub(crate) const RESTART: usize = 16;

/// The bytes of the header, which LZ4 leaves alone.
pub(crate) const HEADER: usize = 16;

/// The numbers of the columns in the directory; never renumbered.
pub(crate) mod column {
    pub const ROWS: usize = 0;
    pub const RUNS: usize = 1;
    pub const FAMILIES: usize = 2;
    pub const QUALIFIERS: usize = 3;
    pub const VISIBILITIES: usize = 4;
    pub const TIMESTAMPS: usize = 5;
    pub const DELETES: usize = 6;
    pub const REFERENCES: usize = 7;
    pub const VALUES: usize = 8;
    pub const COUNT: usize = 9;
}

/// The numbers of the encodings; never renumbered.
pub(crate) mod encoding {
    pub const ABSENT: u8 = 0;
    pub const CONSTANT: u8 = 1;
    pub const FIXED: u8 = 2;
    pub const OFFSETS: u8 = 3;
    pub const DICTIONARY: u8 = 4;
    pub const SHREDDED: u8 = 5;
    pub const DELTAS: u8 = 6;
    pub const TIMES: u8 = 7;
    pub const BITMAP: u8 = 8;
    pub const PREFIX: u8 = 9;
    pub const STARTS: u8 = 10;
    pub const FORMED: u8 = 11;
}

pub(crate) fn corrupt(what: &str) -> Error {
    Error::Corruption(format!("a block is damaged: {what}"))
}

/// How many bytes two strings share from the start.
pub(crate) fn common(mut left: &[u8], mut right: &[u8]) -> usize {
    let mut shared = 0;
    while let (Some((a, left_rest)), Some((b, right_rest))) =
        (left.split_first_chunk(), right.split_first_chunk())
    {
        let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differ != 0 {
            return shared + differ.trailing_zeros() as usize / 8;
        }
        shared += 8;
        (left, right) = (left_rest, right_rest);
    }
    shared + left.iter().zip(right).take_while(|(a, b)| a == b).count()
}
