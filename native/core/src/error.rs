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
    /// A group that a key plan does not list.
    GroupNotFound(String),
    /// Something that this part of the core cannot do; says the way around.
    Unsupported(String),
    /// Stored bytes that fail their check; names table and block.
    Corruption(String),
    /// The store below failed; says what is safe.
    Store(String),
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
            | Error::GroupNotFound(message)
            | Error::Unsupported(message)
            | Error::Corruption(message)
            | Error::Store(message) => f.write_str(message),
            Error::InvalidVisibility { message, position } => {
                write!(f, "{message} at byte {position}")
            }
        }
    }
}

impl std::error::Error for Error {}
