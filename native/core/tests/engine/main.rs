//! The engine holds what a sorted list holds, through commits, merges, clones and reopening.
#![allow(clippy::unwrap_used)]

mod admin;
mod basics;
mod churn;
#[path = "../common/mod.rs"]
mod common;
mod conditions;
mod conflicts;
mod groups;
mod loads;
mod model;
mod runs;
mod shared;
mod support;
mod threads;
mod times;
