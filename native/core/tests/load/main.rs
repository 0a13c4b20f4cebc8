//! Loads: what a reader sees afterwards is what the same cells, written in one batch, would show.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;
mod ends;
mod equals_write;
mod order;
#[path = "../tree/support.rs"]
mod support;
