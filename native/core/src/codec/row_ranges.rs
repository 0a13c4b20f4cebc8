//! The ranges of rows that hold what is asked of a row plan.
//!
//! They miss nothing; where they cover too much, `RowPlan::matches` drops the rest. Section 6 of
//! `docs/formats/codec.md` says which are exact, and why.

use super::bucket::shard_name;
use super::range::{following_prefix, prefix_range, successor, KeyRange};
use super::rowid::{refused, suffix, Dates, RowIdForm, RowPlan};
use crate::Result;

impl RowPlan {
    /// Gives the ranges that hold all rows of one id, within these dates.
    pub fn ranges_of(&self, id: &[u8], dates: Option<Dates>) -> Result<Vec<KeyRange>> {
        if self.form == RowIdForm::Terminated {
            let Some(dates) = dates else {
                return Ok(vec![prefix_range(&self.join(id, ""))]);
            };
            let (first, last) = self.bucket_names(dates)?;
            if first > last {
                return Ok(Vec::new());
            }
            let end = following_prefix(&self.join(id, &last));
            return Ok(vec![KeyRange {
                start: self.join(id, &first),
                end,
            }]);
        }
        if self.form == RowIdForm::Plain && self.bucket.is_some() && dates.is_none() {
            return Ok(vec![prefix_range(&self.join(id, ""))]);
        }
        let rows = self
            .suffixes(dates)?
            .into_iter()
            .map(|suffix| self.join(id, &suffix));
        Ok(rows
            .map(|row| KeyRange {
                end: Some(successor(&row)),
                start: row,
            })
            .collect())
    }

    /// Gives the ranges that hold all rows of ids in `lower <= id < upper`.
    pub fn ranges_between(
        &self,
        lower: &[u8],
        upper: Option<&[u8]>,
        dates: Option<Dates>,
    ) -> Result<Vec<KeyRange>> {
        let no_dates = match dates {
            Some(dates) => {
                let (first, last) = self.bucket_names(dates)?;
                first > last
            }
            None => false,
        };
        if no_dates || upper.is_some_and(|upper| lower >= upper) {
            return Ok(Vec::new());
        }
        match self.form {
            RowIdForm::Terminated => {
                let end = upper.map(|upper| self.join(upper, ""));
                Ok(vec![KeyRange {
                    start: self.join(lower, ""),
                    end,
                }])
            }
            RowIdForm::Plain => {
                let whole = KeyRange {
                    start: lower.to_vec(),
                    end: upper.map(<[u8]>::to_vec),
                };
                // A proper prefix of `upper` is below it, but its rows may lie above it.
                let shorter = upper.into_iter().flat_map(|upper| {
                    let ids = (0..upper.len()).filter_map(|size| upper.get(..size));
                    ids.filter(|id| *id >= lower)
                        .map(|id| prefix_range(&self.join(id, "")))
                });
                Ok(merge(std::iter::once(whole).chain(shorter).collect()))
            }
            RowIdForm::Leading => {
                let suffixes = self.suffixes(dates)?.into_iter();
                Ok(suffixes
                    .map(|suffix| KeyRange {
                        start: self.join(lower, &suffix),
                        end: match upper {
                            Some(upper) => Some(self.join(upper, &suffix)),
                            None => following_prefix(&self.join(b"", &suffix)),
                        },
                    })
                    .collect())
            }
        }
    }

    fn suffixes(&self, dates: Option<Dates>) -> Result<Vec<String>> {
        let shards: Vec<Option<String>> = match self.shards {
            Some(shards) => (0..shards)
                .map(|number| Some(shard_name(number, shards)))
                .collect(),
            None => vec![None],
        };
        let buckets: Vec<Option<String>> = match (dates, self.bucket) {
            (Some(dates), _) => {
                let unit = self.unit()?;
                let numbers = unit.number_of(dates.0)?..=unit.number_of(dates.1)?;
                numbers.map(|number| Some(unit.name(number))).collect()
            }
            (None, None) => vec![None],
            (None, Some(_)) => return Err(refused("rows that start with their bucket need dates")),
        };
        let pairs = buckets
            .iter()
            .flat_map(|bucket| shards.iter().map(move |s| (bucket, s)));
        Ok(pairs
            .map(|(bucket, shard)| suffix(bucket.clone(), shard.clone()))
            .collect())
    }
}

/// Joins ranges that overlap or touch.
fn merge(mut ranges: Vec<KeyRange>) -> Vec<KeyRange> {
    ranges.sort_by(|one, other| one.start.cmp(&other.start));
    let mut merged: Vec<KeyRange> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if last.end.as_ref().is_none_or(|end| range.start <= *end) => {
                last.end = match (last.end.take(), range.end) {
                    (Some(one), Some(other)) => Some(one.max(other)),
                    _ => None,
                };
            }
            _ => merged.push(range),
        }
    }
    merged
}
