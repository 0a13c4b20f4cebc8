//! Records: what their cells say (facts), and how facts become elements. `spec/facts.md` is the contract, the twin of
//! `lexigraph.layout.records`.
//!
//! Cells come in batches, sorted, of whole or of cut rows; a row is judged in one pass, and only what is returned is held.
//! Whatever is read is checked as Python checks it; ids and values stay the bytes that they are stored as.

mod assembler;
mod facts;
mod hints;
mod kinds;
mod open_fact;
mod open_row;
mod output;
mod retained;
mod retention;
mod rows;
mod values;
mod versions;

pub use assembler::{Assembler, RecordReading};
pub use facts::{Fact, Qualifier};
pub use hints::{FetchHints, Names};
pub use kinds::{Direction, FactKind, FactState, SubjectKind, Table};
pub use output::{Record, RecordMetadata, RecordValue, Records, Span};
pub use retained::retained;
pub use retention::{History, Retention};
pub use rows::{RecordRows, Subject};
