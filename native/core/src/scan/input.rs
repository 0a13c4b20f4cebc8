//! What a scan reads: one table as one snapshot holds it.

use std::sync::Arc;

use crate::settings::Settings;
use crate::stages::Families;
use crate::tree::{Run, Snapshot, TreeCursor, TreeId, Watch};

/// A locality group and the families that it can hold.
#[derive(Debug, Clone)]
pub struct GroupTree {
    pub tree: TreeId,
    pub families: Families,
}

/// A table as of one moment; cheap to clone.
#[derive(Debug, Clone)]
pub struct Input {
    pub snapshot: Arc<Snapshot>,
    pub settings: Arc<Settings>,
    pub groups: Arc<[GroupTree]>,
    /// Commits that the snapshot does not hold yet, oldest first.
    pub buffered: Vec<Arc<Run>>,
    /// Rows at which a scan may be divided among threads.
    pub splits: Arc<[Vec<u8>]>,
    /// The clock, in the table's time unit.
    pub now: i64,
}

impl Input {
    /// The locality groups of a table as its settings lay them out.
    pub fn groups_of(table: u32, settings: &Settings) -> Arc<[GroupTree]> {
        let named = &settings.locality_groups;
        let rest = Families {
            names: named.iter().flatten().cloned().collect(),
            inclusive: false,
        };
        let named = named.iter().map(|families| Families {
            names: families.iter().cloned().collect(),
            inclusive: true,
        });
        let all = std::iter::once(rest).chain(named).enumerate();
        all.map(|(group, families)| GroupTree {
            tree: TreeId {
                table,
                group: group as u16,
            },
            families,
        })
        .collect()
    }

    /// Whether versions of one column may stand in two groups, because settings have changed.
    pub(crate) fn may_share_columns(&self) -> bool {
        let every = |group: &GroupTree| group.families == Families::default();
        self.groups.len() > 1 && self.groups.iter().any(every)
    }

    /// The raw cells of all groups; those that hold no wanted family are not read.
    pub fn cursor(&self, watch: &Arc<Watch>) -> TreeCursor {
        let trees: Vec<TreeId> = self.groups.iter().map(|group| group.tree).collect();
        let cursor = TreeCursor::with_runs(&self.snapshot, &trees, &self.buffered);
        let cursor = cursor.watched(watch);
        let hold =
            |cursor: TreeCursor, group: &GroupTree| cursor.holding(group.tree, &group.families);
        self.groups.iter().fold(cursor, hold)
    }
}
