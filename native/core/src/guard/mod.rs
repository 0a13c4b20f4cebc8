//! A store's directory among processes: who has it open, who writes, what the file system and the file are like.
//! `docs/formats/embedded.md` sections 4 and 5.
//!
//! [`Directory`] is what an engine opens. It gives one environment per directory and process, a writer lock with
//! a time-out that names its holder, a clear error after a fork, and refuses file systems that LMDB cannot
//! work on. Nothing in here knows of cells.

mod backup;
mod check;
mod directory;
mod failure;
mod filesystem;
mod holder;
mod lock;
mod marker;
mod pages;
mod queue;
mod space;
#[allow(unsafe_code)]
mod system;
mod vacuum;
mod verify;

pub use directory::{Directory, DirectoryOptions};
pub(crate) use failure::{failure, open_failure};
pub use lock::WriterGuard;
pub use pages::Pages;
pub(crate) use space::no_room;
pub use vacuum::Vacuumed;
pub use verify::{verify, Report};
