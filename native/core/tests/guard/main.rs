//! A store's directory among processes: locks, forks, snapshots that are too old, full disks, damaged files.
#![allow(clippy::unwrap_used)]
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
mod copies;
mod damage;
mod files;
mod fork;
mod full;
mod locks;
mod processes;
mod snapshots;
mod support;
