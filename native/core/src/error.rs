//! The one error of the core. The Python face maps each kind to a class of `lexigraph.errors`.

use std::fmt;

/// What went wrong, with the words a person reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// Bytes that no encoder of ours wrote.
    InvalidBytes(String),
    /// A value that the asked-for codec cannot hold.
    InvalidValue(String),
    /// A key, range or key part that a cell cannot have.
    InvalidKey(String),
    /// An option, field or stage that a scan or table does not know or cannot combine.
    InvalidOption(String),
    /// A codec, aggregator or predicate that the core does not know; Python may know it.
    UnknownName(String),
    /// A group that a key plan does not list.
    GroupNotFound(String),
    /// Something that this part of the core cannot do; says the way around.
    Unsupported(String),
    /// Stored bytes that fail their check; names table and block.
    Corruption(String),
    /// The store below failed; says what is safe.
    Store(String),
    /// A table that is not there.
    TableNotFound(String),
    /// A name that a table cannot have, or that is taken.
    InvalidName(String),
    /// A call that does not fit the state of things: a foreign snapshot, a clock that is wrong.
    Usage(String),
    /// A cell of a write that breaks a rule of its table; nothing was written.
    Constraint {
        table: String,
        cell: usize,
        reason: String,
    },
    /// What was read has changed since; nothing was written.
    Conflict(String),
    /// A write to a store that was opened for reading.
    ReadOnly(String),
    /// Another process writes; names it.
    Locked(String),
    /// No space left; nothing of the write was stored.
    Full(String),
    /// The files are of a version that this one cannot read.
    FormatVersion(String),
    /// A snapshot was kept past its age limit.
    SnapshotExpired(String),
    /// The store, scan or snapshot was closed.
    Closed(String),
    /// The scan ran past its time limit.
    Timeout(String),
    /// The scan was cancelled.
    Cancelled(String),
    /// A visibility expression that does not follow the grammar; `position` counts bytes.
    InvalidVisibility { message: String, position: usize },
}

/// The result of everything in the core that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::InvalidBytes(message)
            | Error::InvalidValue(message)
            | Error::InvalidKey(message)
            | Error::InvalidOption(message)
            | Error::UnknownName(message)
            | Error::GroupNotFound(message)
            | Error::Unsupported(message)
            | Error::Corruption(message)
            | Error::Store(message)
            | Error::TableNotFound(message)
            | Error::InvalidName(message)
            | Error::Usage(message)
            | Error::Conflict(message)
            | Error::ReadOnly(message)
            | Error::Locked(message)
            | Error::Full(message)
            | Error::FormatVersion(message)
            | Error::SnapshotExpired(message)
            | Error::Closed(message)
            | Error::Timeout(message)
            | Error::Cancelled(message) => f.write_str(message),
            Error::Constraint {
                table,
                cell,
                reason,
            } => write!(
                f,
                "cell {cell} of the write to table '{table}' is refused: {reason}"
            ),
            Error::InvalidVisibility { message, position } => {
                write!(f, "{message} at byte {position}")
            }
        }
    }
}

impl std::error::Error for Error {}
