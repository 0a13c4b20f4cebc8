//! Cells, keys and ranges: what a table is made of, and the one order they have.
//!
//! Order: row, family, qualifier, visibility ascending as unsigned bytes; timestamp descending; a
//! delete marker before a put of the same timestamp. `spec/cells.md` is the contract.

mod columns;
pub mod json;
mod key;
mod range;

pub use columns::{BytesColumn, BytesView, CellColumns, CellsView};
pub use key::{Cell, CellRef, Key, KeyRef};
pub use range::Range;
