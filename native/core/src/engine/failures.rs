//! Why tables are not merged: the last failure of each, for whoever asks.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::background::lock;
use super::MergeReport;
use crate::{Error, Result};

/// Failures of merges in this process, by number of table, until a merge of the whole table succeeds.
#[derive(Debug, Default)]
pub(super) struct Failures(Mutex<BTreeMap<u32, Error>>);

impl Failures {
    pub fn of(&self, table: u32) -> Option<Error> {
        lock(&self.0).get(&table).cloned()
    }

    /// Takes note of how a merge ended. One that was told to stop did not fail.
    pub fn note(&self, table: u32, outcome: &Result<MergeReport>) {
        match outcome {
            Ok(report) if report.full => drop(lock(&self.0).remove(&table)),
            Ok(_) | Err(Error::Cancelled(_)) => {}
            Err(error) => drop(lock(&self.0).insert(table, error.clone())),
        }
    }
}
