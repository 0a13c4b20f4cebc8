//! What an aggregator holds between two merges.

use std::collections::BTreeMap;

use super::bags::Bag;
use super::counts::Counts;
use super::sketches::Sketch;
use super::sums::Total;
use crate::codec::{Decimal, Value};

/// The state of one aggregator. Which case it is follows from the aggregator that made it.
#[derive(Debug, Clone)]
pub enum State {
    Int(Total),
    Float(f64),
    Decimal(Decimal),
    /// The smallest or largest value so far. The key is empty where the value is its own key.
    Extreme {
        key: Vec<u8>,
        value: Vec<u8>,
    },
    /// The first or last value so far.
    Timed {
        time: i64,
        value: Vec<u8>,
    },
    /// Key form to value form.
    Set(BTreeMap<Vec<u8>, Vec<u8>>),
    Flag(bool),
    /// The values of a list, a sample and the like.
    Bag(Bag),
    Counts(Counts),
    Sketch(Box<Sketch>),
    /// A value that nothing aggregates.
    Faithful(Value),
}

impl State {
    /// The state of an integer sum or a count.
    pub(crate) fn integer(total: i128) -> State {
        State::Int(Total::Small(total))
    }
}
