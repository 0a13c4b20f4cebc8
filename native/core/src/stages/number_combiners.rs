//! Combiners over numbers and arrays of numbers: sums, least, greatest.
//!
//! Sums stop at the ends of 64 bits, from the newest version to the oldest, as Accumulo's do.

use serde_json::Value;

use super::combiners::{combiner, Fold, Refused, COMMON};
use super::options::{read_choice, Options};
use super::{Source, StageContext};
use crate::codec::counters::Counter;
use crate::{Error, Result};

#[derive(Debug, Clone, Copy)]
enum Merge {
    Sum,
    Min,
    Max,
}

impl Merge {
    /// What nothing readable gives.
    fn of_none(self) -> i64 {
        match self {
            Merge::Sum => 0,
            Merge::Min => i64::MAX,
            Merge::Max => i64::MIN,
        }
    }

    fn merge(self, left: i64, right: i64) -> i64 {
        match self {
            Merge::Sum => left.saturating_add(right),
            Merge::Min => left.min(right),
            Merge::Max => left.max(right),
        }
    }
}

#[derive(Clone)]
struct Numbers {
    counter: Counter,
    merge: Merge,
    result: i64,
}

impl Fold for Numbers {
    fn start(&mut self) {
        self.result = self.merge.of_none();
    }

    fn take(&mut self, value: &[u8]) -> std::result::Result<(), Refused> {
        let number = self.counter.decode(value).map_err(unreadable)?;
        self.result = self.merge.merge(self.result, number);
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        self.counter.encode(self.result, out);
        Ok(())
    }
}

#[derive(Clone)]
struct Arrays {
    counter: Counter,
    totals: Vec<i64>,
}

impl Fold for Arrays {
    fn start(&mut self) {
        self.totals.clear();
    }

    /// A shorter array counts as filled up with zeros.
    fn take(&mut self, value: &[u8]) -> std::result::Result<(), Refused> {
        let numbers = self.counter.decode_array(value).map_err(|error| {
            if self.counter.has_negative_length(value) {
                Refused::Broken(error.to_string())
            } else {
                unreadable(error)
            }
        })?;
        if numbers.len() > self.totals.len() {
            self.totals.resize(numbers.len(), 0);
        }
        for (total, number) in self.totals.iter_mut().zip(numbers) {
            *total = total.saturating_add(number);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        self.counter.encode_array(&self.totals, out);
        Ok(())
    }
}

fn unreadable(error: Error) -> Refused {
    Refused::Unreadable(error.to_string())
}

/// Makes `sum`: the versions added up.
pub fn sum(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    numbers(source, options, context, "sum", Merge::Sum)
}

/// Makes `min`: the least of the versions.
pub fn min(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    numbers(source, options, context, "min", Merge::Min)
}

/// Makes `max`: the greatest of the versions.
pub fn max(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    numbers(source, options, context, "max", Merge::Max)
}

/// Makes `sum-array`: arrays added up place by place.
pub fn sum_array(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    let options = read("sum-array", options)?;
    let fold = Arrays {
        counter: counter(&options)?,
        totals: Vec::new(),
    };
    combiner(source, fold, "sum-array", &options, context)
}

fn numbers(
    source: Source,
    options: &Value,
    context: &StageContext,
    stage: &'static str,
    merge: Merge,
) -> Result<Source> {
    let options = read(stage, options)?;
    let fold = Numbers {
        counter: counter(&options)?,
        merge,
        result: 0,
    };
    combiner(source, fold, stage, &options, context)
}

fn read<'a>(stage: &str, options: &'a Value) -> Result<Options<'a>> {
    let [columns, lossy, full_merge_only] = COMMON;
    let known = ["encoding", columns, lossy, full_merge_only];
    Options::of_stage(stage, options, &known)
}

fn counter(options: &Options<'_>) -> Result<Counter> {
    let given = options.required("encoding")?;
    let words = ["varlen", "fixed", "text"];
    Ok(
        match read_choice(given, &options.name("encoding"), &words)? {
            "varlen" => Counter::Varlen,
            "fixed" => Counter::Fixedlen,
            _ => Counter::String,
        },
    )
}
