//! Trees hold what a sorted list holds, through batches, merges, splits, chains and reopening.
#![allow(clippy::unwrap_used)]

mod chains;
#[path = "../common/mod.rs"]
mod common;
mod damage;
mod model;
mod runs;
mod store;
mod support;
mod values;
