//! Functions over values, by name: aggregators with their states, and predicates.
//!
//! Knows values and their bytes, but neither cells nor plans. `spec/functions.json` holds the
//! vectors that all languages share.

mod aggregator;
mod bags;
mod buckets;
mod contents;
mod counts;
mod extremes;
mod java_regex;
mod key_set;
mod kind;
mod murmur3;
mod predicate;
mod predicate_json;
mod sets;
mod sketches;
mod state;
mod sums;

pub use aggregator::Aggregator;
pub use buckets::Bucket;
pub(crate) use java_regex::JavaRegex;
pub use key_set::{KeySet, Sets};
pub use kind::{Aggregate, Kind};
pub(crate) use murmur3::murmur3_32;
pub use predicate::{Comparison, Fields, Holds, Lookup, Predicate, Test};
pub use state::State;
