//! Scans over real trees: the shared vectors, random tables, threads, and how a scan ends early.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
mod placing;
mod plain;
mod random;
mod skipping;
mod support;
mod threads;
mod vectors;
