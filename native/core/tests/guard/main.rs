//! A store's directory among processes: locks, forks, snapshots that are too old, full disks, damaged files.
#![allow(clippy::unwrap_used)]

mod locks;
mod snapshots;
mod support;
