//! The column path gives what the stages give, whatever the table holds, and really runs where it should.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod at_once;
#[path = "../common/mod.rs"]
mod common;
mod equal;
mod forms;
mod labels;
mod support;
