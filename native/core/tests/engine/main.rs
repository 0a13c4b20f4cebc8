//! The engine holds what a sorted list holds, through commits, merges, clones and reopening.
#![allow(clippy::unwrap_used)]

mod basics;
mod loads;
mod support;
