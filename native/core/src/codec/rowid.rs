//! Row ids spread over several rows by time bucket and shard.
//!
//! A plan turns a logical id into rows and a question about ids and dates into ranges of rows that
//! miss nothing; `matches` drops what a range covers too much. Which ranges are exact, and why, is
//! in section 6 of `docs/formats/codec.md`.

use super::bucket::{check_shards, shard_name, shard_width};
pub use super::bucket::{shard_of, Unit, MAX_SHARDS};
use super::escape::escape;
use super::range::{following_prefix, prefix_range, successor, KeyRange};
use super::reader::Reader;
use crate::{Error, Result};

/// The first and the last moment asked for, in UTC microseconds since 1970.
pub type Dates = (i64, i64);

/// Where id and suffix stand in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Terminated,
    Plain,
    Leading,
}

/// What a row says: the logical id, the bucket and the shard (empty where the plan has none).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowParts {
    pub id: Vec<u8>,
    pub bucket: String,
    pub shard: String,
}

/// How ids become rows: by time bucket, by shard, or both.
///
/// ```
/// use lexigraph_core::codec::rowid::{Form, RowPlan, Unit};
/// let plan = RowPlan::new(None, Some(Unit::Month), Form::Plain).unwrap();
/// assert_eq!(plan.row(b"com.google.code", Some(0), b"").unwrap(), b"com.google.code_197001");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowPlan {
    shards: Option<u32>,
    bucket: Option<Unit>,
    form: Form,
}

impl RowPlan {
    /// Makes a plan; one that spreads nothing is refused.
    pub fn new(shards: Option<u32>, bucket: Option<Unit>, form: Form) -> Result<RowPlan> {
        if shards.is_none() && bucket.is_none() {
            return Err(Error::InvalidValue(
                "a row plan has shards, a bucket, or both".into(),
            ));
        }
        shards.map_or(Ok(()), check_shards)?;
        Ok(RowPlan {
            shards,
            bucket,
            form,
        })
    }

    /// Gives the row of an id for cells of this moment, spread over shards by `spread`.
    pub fn row(&self, id: &[u8], moment: Option<i64>, spread: &[u8]) -> Result<Vec<u8>> {
        let bucket = match (self.bucket, moment) {
            (Some(unit), Some(micros)) => Some(unit.bucket_of(micros)?),
            (None, None) => None,
            (Some(_), None) => return Err(refused("the row plan needs a moment")),
            (None, Some(_)) => {
                return Err(refused(
                    "the row plan has no buckets, so it takes no moment",
                ))
            }
        };
        let shard = self
            .shards
            .map(|shards| shard_of(spread, shards))
            .transpose()?;
        Ok(self.join(id, &suffix(bucket, shard)))
    }

    /// Takes a row apart; refuses one that the plan does not write.
    pub fn split(&self, row: &[u8]) -> Result<RowParts> {
        let foreign = || Error::InvalidBytes("the row plan does not write this row".into());
        let (id, suffix) = match self.form {
            Form::Terminated => {
                let mut reader = Reader::new(row, 0);
                let id = reader.terminated("row")?;
                (id, reader.rest().into_owned())
            }
            Form::Plain => {
                let at = row.len().checked_sub(self.width()).ok_or_else(foreign)?;
                let (head, suffix) = row.split_at(at);
                (
                    head.strip_suffix(b"_").ok_or_else(foreign)?.to_vec(),
                    suffix.to_vec(),
                )
            }
            Form::Leading => {
                let (suffix, tail) = row.split_at_checked(self.width()).ok_or_else(foreign)?;
                (
                    tail.strip_prefix(b"_").ok_or_else(foreign)?.to_vec(),
                    suffix.to_vec(),
                )
            }
        };
        let suffix = String::from_utf8(suffix).map_err(|_| foreign())?;
        let (bucket, shard) = match (self.bucket, self.shards) {
            (Some(_), Some(_)) => suffix.rsplit_once('_').ok_or_else(foreign)?,
            (Some(_), None) => (suffix.as_str(), ""),
            (None, _) => ("", suffix.as_str()),
        };
        if let Some(unit) = self.bucket {
            unit.parse(bucket)?;
        }
        if let Some(shards) = self.shards {
            let number = shard.parse::<u32>().ok().filter(|&number| number < shards);
            number
                .filter(|&number| shard_name(number, shards) == shard)
                .ok_or_else(foreign)?;
        }
        Ok(RowParts {
            id,
            bucket: bucket.into(),
            shard: shard.into(),
        })
    }

    /// Says whether a row is of an id in `lower <= id < upper` and of these dates.
    pub fn matches(
        &self,
        row: &[u8],
        lower: &[u8],
        upper: Option<&[u8]>,
        dates: Option<Dates>,
    ) -> Result<bool> {
        let buckets = dates.map(|dates| self.bucket_names(dates)).transpose()?;
        let Ok(parts) = self.split(row) else {
            return Ok(false);
        };
        let id = parts.id.as_slice();
        let within = id >= lower && upper.is_none_or(|upper| id < upper);
        Ok(within
            && buckets.is_none_or(|(first, last)| first <= parts.bucket && parts.bucket <= last))
    }

    /// Gives the ranges that hold all rows of one id, within these dates.
    pub fn ranges_of(&self, id: &[u8], dates: Option<Dates>) -> Result<Vec<KeyRange>> {
        if self.form == Form::Terminated {
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
        if self.form == Form::Plain && self.bucket.is_some() && dates.is_none() {
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
            Form::Terminated => {
                let end = upper.map(|upper| self.join(upper, ""));
                Ok(vec![KeyRange {
                    start: self.join(lower, ""),
                    end,
                }])
            }
            Form::Plain => {
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
            Form::Leading => {
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

    fn join(&self, id: &[u8], suffix: &str) -> Vec<u8> {
        let mut row = Vec::with_capacity(id.len() + suffix.len() + 1);
        match self.form {
            Form::Terminated => {
                escape(id, &mut row);
                row.push(0);
                row.extend_from_slice(suffix.as_bytes());
            }
            Form::Plain => {
                row.extend_from_slice(id);
                row.push(b'_');
                row.extend_from_slice(suffix.as_bytes());
            }
            Form::Leading => {
                row.extend_from_slice(suffix.as_bytes());
                row.push(b'_');
                row.extend_from_slice(id);
            }
        }
        row
    }

    fn width(&self) -> usize {
        let between = usize::from(self.bucket.is_some() && self.shards.is_some());
        self.bucket.map_or(0, Unit::width) + between + self.shards.map_or(0, shard_width)
    }

    fn unit(&self) -> Result<Unit> {
        self.bucket
            .ok_or_else(|| refused("the row plan has no buckets, so dates cannot narrow it"))
    }

    fn bucket_names(&self, dates: Dates) -> Result<(String, String)> {
        let unit = self.unit()?;
        Ok((unit.bucket_of(dates.0)?, unit.bucket_of(dates.1)?))
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

fn suffix(bucket: Option<String>, shard: Option<String>) -> String {
    match (bucket, shard) {
        (Some(bucket), Some(shard)) => format!("{bucket}_{shard}"),
        (bucket, shard) => bucket.or(shard).unwrap_or_default(),
    }
}

fn refused(problem: &str) -> Error {
    Error::InvalidValue(problem.into())
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
