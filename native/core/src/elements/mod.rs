//! Columns of elements become cells: many rows of one group at a time, none of them an object.
//!
//! A [`Program`] says which columns there are, what a row has to fit, and how the keys and values of
//! its cells are put together; it is made once, and nothing is looked up by name for a row. Rows that
//! do not fit are told by number alone: why they do not is said by whoever made the program. Equal
//! elements of a group that aggregates become one, as if they had been written one after another.

mod column;
mod encode;
mod encoded;
pub mod facts;
mod field;
mod keys;
mod labels;
mod merging;
mod program;
mod row;
mod rules;
mod shard;
mod types;
mod values;

pub use column::{Buffers, Column, Items};
pub use encode::Request;
pub use encoded::{BytesOf, Encoded};
pub use program::Program;
pub use types::Type;
