//! What was looked up of one state of a store, for all who read that very state.
//!
//! A state never changes, so what was found of it once holds for as long as it is read. Two transactions read the same
//! state if they have the same number, with one exception: LMDB notes the number first and copies the state
//! then, so a slow reader may have an old number and a newer state. Therefore it is shared only by transactions whose
//! number is still the newest after their start: had a later commit replaced the state, its number would be newer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::slot::lock;
use super::{Level, TreeId};
use crate::Result;

/// What was looked up of one state.
#[derive(Debug, Default)]
pub(super) struct LookedUp {
    /// Numbers of `meta` by key; readers ask for a handful of keys.
    numbers: Mutex<Vec<(Vec<u8>, Option<u64>)>>,
    /// The trees of each locality group that was asked for.
    levels: Mutex<BTreeMap<TreeId, Arc<[Level]>>>,
}

impl LookedUp {
    /// A number of `meta`; `find` looks for it the first time.
    pub fn number(
        &self,
        key: &[u8],
        find: impl FnOnce() -> Result<Option<u64>>,
    ) -> Result<Option<u64>> {
        let held = lock(&self.numbers)
            .iter()
            .find(|(held, _)| held == key)
            .map(|(_, number)| *number);
        if let Some(number) = held {
            return Ok(number);
        }
        // Without the lock: two who look at the same time find the same.
        let number = find()?;
        lock(&self.numbers).push((key.to_vec(), number));
        Ok(number)
    }

    /// The trees of a locality group; `find` looks for them the first time.
    pub fn levels(
        &self,
        tree: TreeId,
        find: impl FnOnce() -> Result<Vec<Level>>,
    ) -> Result<Arc<[Level]>> {
        if let Some(levels) = lock(&self.levels).get(&tree) {
            return Ok(Arc::clone(levels));
        }
        let levels: Arc<[Level]> = find()?.into();
        lock(&self.levels).insert(tree, Arc::clone(&levels));
        Ok(levels)
    }
}

/// What was looked up of the newest state that was read.
#[derive(Debug, Default)]
pub(super) struct Newest {
    number: u64,
    held: Arc<LookedUp>,
}

impl Newest {
    /// What is shared with a transaction that was started just before `newest` was read from the environment.
    pub fn of(&mut self, number: u64, newest: u64) -> Arc<LookedUp> {
        if number != newest {
            return Arc::default();
        }
        if self.number != number {
            *self = Newest {
                number,
                held: Arc::default(),
            };
        }
        Arc::clone(&self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transactions_of_the_newest_state_share_what_is_known_of_it() {
        let mut newest = Newest::default();
        let first = newest.of(7, 7);
        assert!(Arc::ptr_eq(&first, &newest.of(7, 7)));
        assert!(!Arc::ptr_eq(&first, &newest.of(8, 8)));
    }

    #[test]
    fn a_transaction_that_was_overtaken_shares_nothing() {
        let mut newest = Newest::default();
        let first = newest.of(7, 7);
        assert!(!Arc::ptr_eq(&first, &newest.of(7, 9)));
        assert!(Arc::ptr_eq(&first, &newest.of(7, 7)));
    }

    #[test]
    fn everything_is_looked_up_once() -> Result<()> {
        let held = LookedUp::default();
        assert_eq!(held.number(b"a", || Ok(Some(1)))?, Some(1));
        assert_eq!(held.number(b"a", || Ok(Some(2)))?, Some(1));
        assert_eq!(held.number(b"b", || Ok(None))?, None);
        assert_eq!(held.number(b"b", || Ok(Some(2)))?, None);
        Ok(())
    }
}
