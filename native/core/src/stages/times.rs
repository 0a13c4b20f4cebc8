//! Stages that choose cells by their timestamps.
//!
//! The clock is `now` of the options or of the scan, never the machine's. Ages are computed in 64
//! bits and wrap, as they do in Accumulo: a cell of the smallest timestamp has a negative age and is
//! kept.

use serde_json::Value;

use super::columns::Columns;
use super::filter::{filter, Test};
use super::options::{record, refuse, Options};
use super::{Source, StageContext};
use crate::cells::CellRef;
use crate::Result;

/// Accepts timestamps from the first to the last; wider than a timestamp, so that exclusive bounds
/// at the ends can exclude everything.
#[derive(Clone)]
struct Between(i128, i128);

impl Test for Between {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        Ok((self.0..=self.1).contains(&i128::from(cell.key.timestamp)))
    }
}

/// Makes `as-of`: what is not newer than `timestamp`.
pub fn as_of(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let options = Options::of_stage("as-of", options, &["timestamp", "negate"])?;
    let last = options.required_time("timestamp")?;
    let test = Between(i64::MIN.into(), last.into());
    Ok(filter(source, test, options.flag("negate", false)?))
}

/// Makes `time-range`: what lies between `start` and `end`; one of them must be given.
pub fn time_range(source: Source, options: &Value, _: &mut StageContext) -> Result<Source> {
    let known = ["start", "end", "start_inclusive", "end_inclusive", "negate"];
    let options = Options::of_stage("time-range", options, &known)?;
    let (start, end) = (options.time("start")?, options.time("end")?);
    if start.is_none() && end.is_none() {
        return refuse("stage 'time-range' needs the option 'start', 'end' or both".to_owned());
    }
    let after = i128::from(!options.flag("start_inclusive", true)?);
    let before = i128::from(!options.flag("end_inclusive", true)?);
    let first = start.map_or(i64::MIN.into(), |start| i128::from(start) + after);
    let last = end.map_or(i64::MAX.into(), |end| i128::from(end) - before);
    let test = Between(first, last);
    Ok(filter(source, test, options.flag("negate", false)?))
}

#[derive(Clone)]
struct Young {
    now: i64,
    ttl: i64,
}

impl Test for Young {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        Ok(self.now.wrapping_sub(cell.key.timestamp) <= self.ttl)
    }
}

/// Makes `age-off`: what is at most `ttl` old.
pub fn age_off(source: Source, options: &Value, context: &mut StageContext) -> Result<Source> {
    let options = Options::of_stage("age-off", options, &["ttl", "now", "negate"])?;
    let test = Young {
        now: options.time("now")?.unwrap_or(context.now),
        ttl: options.required_time("ttl")?,
    };
    Ok(filter(source, test, options.flag("negate", false)?))
}

#[derive(Clone)]
struct YoungInColumn {
    now: i64,
    ttls: Columns<i64>,
}

impl Test for YoungInColumn {
    fn accepts(&mut self, cell: &CellRef<'_>) -> Result<bool> {
        let ttl = self.ttls.get(cell.key.family, cell.key.qualifier);
        Ok(ttl.is_none_or(|ttl| self.now.wrapping_sub(cell.key.timestamp) <= *ttl))
    }
}

/// Makes `column-age-off`: what is at most as old as its column or else its family allows; others
/// are kept.
pub fn column_age_off(
    source: Source,
    options: &Value,
    context: &mut StageContext,
) -> Result<Source> {
    let options = Options::of_stage("column-age-off", options, &["ttls", "now", "negate"])?;
    options.required("ttls")?;
    let mut ttls = Columns::new();
    let entries = options.list("ttls", 0, |value, what| {
        let fields = record(value, what, &["family", "qualifier", "ttl"])?;
        fields.required("family")?;
        let family = fields.bytes_or("family", b"")?;
        Ok((
            family,
            fields.bytes("qualifier")?,
            fields.required_time("ttl")?,
        ))
    })?;
    for (family, qualifier, ttl) in entries.unwrap_or_default() {
        if ttls.insert(&family, qualifier.as_deref(), ttl).is_some() {
            let shown = family.escape_ascii();
            return refuse(format!(
                "stage 'column-age-off' names a column of family '{shown}' twice"
            ));
        }
    }
    let now = options.time("now")?.unwrap_or(context.now);
    let negate = options.flag("negate", false)?;
    Ok(filter(source, YoungInColumn { now, ttls }, negate))
}
