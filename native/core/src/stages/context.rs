//! What a stage may know of the scan or merge that it runs in.

use super::elements::Plans;
use super::Scope;
use crate::functions::Sets;
use crate::visibility::View;

/// One for each stack; stages are made from the bottom up, and one may leave word for those above.
#[derive(Debug, Clone)]
pub struct StageContext {
    pub scope: Scope,
    /// The scan's clock value, in the table's time unit.
    pub now: i64,
    pub authorizations: View,
    /// False in a merge where an unseen cell could lie between two seen ones.
    pub combine: bool,
    /// Key plans by name, for element stages.
    pub plans: Plans,
    /// Sets of keys by name, for predicates.
    pub sets: Sets,
}

impl Default for StageContext {
    /// A scan by the owner at time 0.
    fn default() -> Self {
        StageContext {
            scope: Scope::Scan,
            now: 0,
            authorizations: View::All,
            combine: true,
            plans: Plans::default(),
            sets: Sets::new(),
        }
    }
}
