//! What a roll-up does with the elements of each group, whatever it reads.

use std::sync::Arc;

use super::plans::check_mergeable;
use crate::cells::CellRef;
use crate::plan::{Aggregates, Kept, Place, Plan, Reader, Remake, States};
use crate::Result;

/// The plans before and after, and how to get from one to the other.
pub struct Rolled {
    pub plan: Arc<Plan>,
    pub output: Arc<Plan>,
    /// By number of group.
    pub groups: Vec<RolledGroup>,
    pub merges_labels: bool,
}

/// How the elements of one group merge.
pub struct RolledGroup {
    pub kept: Kept,
    /// How its values are made anew, where they are.
    remake: Option<Remake>,
}

impl Rolled {
    /// By the properties in `by` and by `aggregates`; with `merges_labels` one result over all
    /// labels, labelled with their conjunction, else one for each.
    pub fn new(
        plan: Arc<Plan>,
        by: &[String],
        aggregates: &Aggregates,
        merges_labels: bool,
    ) -> Result<Rolled> {
        let output = Arc::new(plan.rolled(by, aggregates)?);
        check_mergeable(&output, "roll-up")?;
        let mut groups = Vec::new();
        for (group, after) in plan.model().groups.iter().zip(&output.model().groups) {
            let remakes = aggregates.contains_key(&group.name);
            groups.push(RolledGroup {
                kept: Kept::new(group, by),
                remake: remakes
                    .then(|| Remake::new(&plan, group, after))
                    .transpose()?,
            });
        }
        Ok(Rolled {
            plan,
            output,
            groups,
            merges_labels,
        })
    }
}

impl RolledGroup {
    /// Whether a lone value stays as it is.
    pub fn passes_on(&self) -> bool {
        self.remake.is_none()
    }

    /// Merges the states of a cell into those that are held.
    pub fn fold(
        &self,
        reader: &mut Reader,
        place: Place,
        cell: CellRef<'_>,
        states: &mut States,
    ) -> Result<()> {
        let Some(remake) = &self.remake else {
            return reader.fold(place, cell.value, cell.key.timestamp, states);
        };
        match reader.read(cell)? {
            Some(element) => remake.fold(&element, states),
            None => Ok(()),
        }
    }
}
