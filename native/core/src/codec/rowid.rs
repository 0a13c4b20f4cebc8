//! Row ids spread over several rows by time bucket and shard.
//!
//! A plan turns a logical id into rows and rows back into ids; `row_ranges.rs` turns a question
//! about ids and dates into ranges of rows. Section 6 of `docs/formats/codec.md` has the bytes.

use super::bucket::{check_shards, shard_name, shard_width};
pub use super::bucket::{shard_of, Unit, MAX_SHARDS};
use super::escape::escape;
use super::reader::Reader;
use crate::{Error, Result};

/// The first and the last moment asked for, in UTC microseconds since 1970.
pub type Dates = (i64, i64);

/// Where id and suffix stand in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowIdForm {
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
/// use lexigraph_core::codec::rowid::{RowIdForm, RowPlan, Unit};
/// let plan = RowPlan::new(None, Some(Unit::Month), RowIdForm::Plain).unwrap();
/// assert_eq!(plan.row(b"com.google.code", Some(0), b"").unwrap(), b"com.google.code_197001");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowPlan {
    pub(super) shards: Option<u32>,
    pub(super) bucket: Option<Unit>,
    pub(super) form: RowIdForm,
}

impl RowPlan {
    /// Makes a plan; one that spreads nothing is refused.
    pub fn new(shards: Option<u32>, bucket: Option<Unit>, form: RowIdForm) -> Result<RowPlan> {
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
            (Some(_), None) => return Err(refused("the row plan needs a time")),
            (None, Some(_)) => {
                return Err(refused(
                    "the row plan has no buckets, so it does not take a time",
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
        let foreign = || Error::InvalidBytes("the row does not fit the row plan".into());
        let (id, suffix) = match self.form {
            RowIdForm::Terminated => {
                let mut reader = Reader::new(row, 0);
                let id = reader.terminated("row")?;
                (id, reader.rest().into_owned())
            }
            RowIdForm::Plain => {
                let at = row.len().checked_sub(self.width()).ok_or_else(foreign)?;
                let (head, suffix) = row.split_at(at);
                (
                    head.strip_suffix(b"_").ok_or_else(foreign)?.to_vec(),
                    suffix.to_vec(),
                )
            }
            RowIdForm::Leading => {
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

    pub(super) fn join(&self, id: &[u8], suffix: &str) -> Vec<u8> {
        let mut row = Vec::with_capacity(id.len() + suffix.len() + 1);
        match self.form {
            RowIdForm::Terminated => {
                escape(id, &mut row);
                row.push(0);
                row.extend_from_slice(suffix.as_bytes());
            }
            RowIdForm::Plain => {
                row.extend_from_slice(id);
                row.push(b'_');
                row.extend_from_slice(suffix.as_bytes());
            }
            RowIdForm::Leading => {
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

    pub(super) fn unit(&self) -> Result<Unit> {
        self.bucket
            .ok_or_else(|| refused("the row plan has no buckets, so dates cannot narrow it"))
    }

    pub(super) fn bucket_names(&self, dates: Dates) -> Result<(String, String)> {
        let unit = self.unit()?;
        Ok((unit.bucket_of(dates.0)?, unit.bucket_of(dates.1)?))
    }
}

pub(super) fn suffix(bucket: Option<String>, shard: Option<String>) -> String {
    match (bucket, shard) {
        (Some(bucket), Some(shard)) => format!("{bucket}_{shard}"),
        (bucket, shard) => bucket.or(shard).unwrap_or_default(),
    }
}

pub(super) fn refused(problem: &str) -> Error {
    Error::InvalidValue(problem.into())
}
