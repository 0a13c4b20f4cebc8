//! Combiners over decimal text: sums, least, greatest; of equal numbers the newer text stays.

use std::cmp::Ordering;

use serde_json::Value;

use super::combiners::{combiner, Fold, Refused, COMMON};
use super::decimal_text::DecimalText;
use super::options::Options;
use super::{Source, StageContext};
use crate::{Error, Result};

#[derive(Debug, Clone, Copy)]
enum Merge {
    Sum,
    /// Keeps the one that stands so to the other.
    Keep(Ordering),
}

#[derive(Clone)]
struct Decimals {
    stage: &'static str,
    merge: Merge,
    result: Option<DecimalText>,
}

impl Fold for Decimals {
    fn start(&mut self) {
        self.result = None;
    }

    fn take(&mut self, value: &[u8]) -> std::result::Result<(), Refused> {
        let older =
            DecimalText::read(value).map_err(|error| Refused::Unreadable(error.to_string()))?;
        self.result = Some(match (self.result.take(), self.merge) {
            (None, _) => older,
            (Some(newer), Merge::Sum) => newer.add(&older).map_err(Refused::Failed)?,
            (Some(newer), Merge::Keep(wanted)) if older.compare(&newer) != wanted => newer,
            (Some(_), Merge::Keep(_)) => older,
        });
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        match &self.result {
            Some(number) => {
                number.write(out);
                Ok(())
            }
            None => Err(Error::InvalidBytes(format!(
                "stage '{}': no version of a column can be read",
                self.stage
            ))),
        }
    }
}

/// Makes `decimal-sum`: the versions added up.
pub fn decimal_sum(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    decimals(source, options, context, "decimal-sum", Merge::Sum)
}

/// Makes `decimal-min`: the least of the versions.
pub fn decimal_min(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    let merge = Merge::Keep(Ordering::Less);
    decimals(source, options, context, "decimal-min", merge)
}

/// Makes `decimal-max`: the greatest of the versions.
pub fn decimal_max(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    let merge = Merge::Keep(Ordering::Greater);
    decimals(source, options, context, "decimal-max", merge)
}

fn decimals(
    source: Source,
    options: &Value,
    context: &StageContext,
    stage: &'static str,
    merge: Merge,
) -> Result<Source> {
    let options = Options::of_stage(stage, options, &COMMON)?;
    let fold = Decimals {
        stage,
        merge,
        result: None,
    };
    combiner(source, fold, stage, &options, context)
}
