//! Functions over values, by name: aggregators with their states, and predicates.
//!
//! Knows values and their bytes, but neither cells nor plans. `spec/functions.json` holds the
//! vectors that all languages share.

mod aggregator;
mod extremes;
mod predicate;
mod predicate_json;
mod sets;
mod state;
mod sums;

pub use aggregator::{Aggregator, Kind};
pub use predicate::{Comparison, Fields, Lookup, Predicate, Test};
pub use state::State;
