//! What the core runs, or why not: told before anything is read, so that nobody has to try.

use lexigraph_core::{Error, Result};

/// Something ready to run, or the reason why there is none.
pub type Offer<T> = (Option<T>, Option<String>);

/// Takes what the core cannot do or does not know for a reason: Python may, and says what is wrong if it may not.
pub fn offer<T>(made: Result<T>) -> Result<Offer<T>> {
    match made {
        Ok(made) => Ok((Some(made), None)),
        Err(
            Error::Unsupported(reason) | Error::UnknownName(reason) | Error::InvalidOption(reason),
        ) => Ok((None, Some(reason))),
        Err(error) => Err(error),
    }
}

/// The same offer of something made from it.
pub fn map<T, U>((made, reason): Offer<T>, make: impl FnOnce(T) -> U) -> Offer<U> {
    (made.map(make), reason)
}
