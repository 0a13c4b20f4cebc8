//! Records against `spec/facts`, the vectors that all languages share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cells;
mod cuts;
mod elements;
mod retention;
mod support;
#[allow(dead_code)]
#[path = "../../../python/src/typed_json.rs"]
mod typed_json;
mod write;
