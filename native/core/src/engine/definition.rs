//! What a table is besides its cells: name, settings, splits, locality groups.

use std::sync::Arc;

use super::definition_json::{parse, read_groups};
use crate::scan;
use crate::settings::Settings;
use crate::stages::Families;
use crate::tree::TreeId;
use crate::{Error, Result};

/// A table, without what changes with each commit.
#[derive(Debug, Clone)]
pub struct Definition {
    pub id: u32,
    pub name: String,
    pub settings: Arc<Settings>,
    /// The settings as they were given.
    pub settings_json: String,
    /// Rows, sorted.
    pub splits: Arc<[Vec<u8>]>,
    /// Group 0 first, which takes the families that no other has.
    pub groups: Vec<LocalityGroup>,
    /// The groups as a scan needs them.
    pub layout: Arc<[scan::GroupTree]>,
    /// How often the groups changed.
    pub generation: u64,
}

/// A locality group. Its number is its own for as long as it may hold cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalityGroup {
    pub number: u16,
    pub name: String,
    /// What is written to it.
    pub families: Vec<Vec<u8>>,
    /// It may still hold cells of families that are no longer its own; unless it is group 0 it has none then.
    pub stale: bool,
}

impl Definition {
    /// A new table.
    pub fn new(id: u32, name: &str, settings: &str, splits: &[Vec<u8>]) -> Result<Definition> {
        let mut definition = Definition {
            id,
            name: name.to_owned(),
            settings: Arc::new(Settings::default()),
            settings_json: String::new(),
            splits: Arc::new([]),
            groups: vec![LocalityGroup::rest()],
            layout: Arc::new([]),
            generation: 0,
        };
        definition.configure(settings, false)?;
        definition.add_splits(splits);
        Ok(definition)
    }

    /// Takes on other settings; `holds_cells` says whether cells may stand in the groups it has. Where the groups
    /// change, all cells must stand where their families belong: [`Definition::is_settled`].
    pub fn configure(&mut self, settings: &str, holds_cells: bool) -> Result<()> {
        let value = parse(settings)?;
        self.settings = Arc::new(Settings::from_json(&value)?);
        self.settings_json = settings.to_owned();
        let wanted = read_groups(&value)?;
        if self.used_groups() == wanted {
            self.lay_out();
            return Ok(());
        }
        self.generation += 1;
        for group in &mut self.groups {
            let same = |(name, families): &(String, Vec<Vec<u8>>)| {
                *name == group.name && *families == group.families
            };
            // Its cells stay where they are, and no other group has any of its families.
            if group.number == 0 || !wanted.iter().any(same) {
                group.stale |= holds_cells;
                group.families.clear();
            }
        }
        let is_kept = |group: &LocalityGroup| group.number == 0 || group.stale || group.is_used();
        self.groups.retain(is_kept);
        for (name, families) in wanted {
            let held = |group: &LocalityGroup| group.is_used() && group.name == name;
            if self.groups.iter().any(held) {
                continue;
            }
            // Under the same name too: so every tree that is new is newer than all that were there.
            let number = self.free_number()?;
            self.groups.push(LocalityGroup {
                number,
                name,
                families,
                stale: false,
            });
        }
        self.lay_out();
        Ok(())
    }

    /// Whether all cells stand where their families belong.
    pub fn is_settled(&self) -> bool {
        self.groups.iter().all(|group| !group.stale)
    }

    /// Whether these settings have other groups.
    pub fn has_other_groups(&self, settings: &str) -> Result<bool> {
        Ok(self.used_groups() != read_groups(&parse(settings)?)?)
    }

    /// The groups that have families, by name.
    fn used_groups(&self) -> Vec<(String, Vec<Vec<u8>>)> {
        let used = self.groups.iter().filter(|group| group.is_used());
        let named = |group: &LocalityGroup| (group.name.clone(), group.families.clone());
        let mut used: Vec<_> = used.map(named).collect();
        used.sort();
        used
    }

    /// After a merge of everything: cells stand where their families belong.
    pub fn settle(&mut self) {
        for group in &mut self.groups {
            group.stale = false;
        }
        self.groups
            .retain(|group| group.number == 0 || !group.families.is_empty());
        self.lay_out();
    }

    /// Makes the layout after the groups changed.
    pub(super) fn lay_out(&mut self) {
        let all = || self.groups.iter().flat_map(|group| &group.families);
        let held = |group: &LocalityGroup| match (group.stale, group.number) {
            (true, _) => Families::default(),
            (false, 0) => Families {
                names: all().cloned().collect(),
                inclusive: false,
            },
            (false, _) => Families {
                names: group.families.iter().cloned().collect(),
                inclusive: true,
            },
        };
        let groups = self.newest_first().into_iter();
        let groups = groups.map(|group| scan::GroupTree {
            tree: self.tree(group.number),
            families: held(group),
        });
        self.layout = groups.collect();
    }

    pub fn add_splits(&mut self, rows: &[Vec<u8>]) {
        let mut splits = [&self.splits, rows].concat();
        splits.sort();
        splits.dedup();
        self.splits = splits.into();
    }

    /// The same table as another one.
    pub fn renumbered(mut self, id: u32, name: &str) -> Definition {
        self.id = id;
        self.name = name.to_owned();
        self.lay_out();
        self
    }

    /// Where cells of a family are written.
    pub fn tree_of(&self, family: &[u8]) -> TreeId {
        let holds = |group: &&LocalityGroup| group.families.iter().any(|held| held == family);
        let group = self.groups.iter().find(holds);
        self.tree(group.map_or(0, |group| group.number))
    }

    /// Every tree that may hold cells; of two that hold a family, the one it is written to comes first.
    pub fn trees(&self) -> Vec<TreeId> {
        let groups = self.newest_first().into_iter();
        groups.map(|group| self.tree(group.number)).collect()
    }

    /// A family came from a group that is given up to a newer one, from there to group 0, or from group 0 to a
    /// newer one.
    fn newest_first(&self) -> Vec<&LocalityGroup> {
        let mut groups: Vec<&LocalityGroup> = self.groups.iter().collect();
        groups.sort_by_key(|group| match (group.number, group.stale) {
            (0, _) => 1,
            (_, false) => 0,
            (_, true) => 2,
        });
        groups
    }

    fn tree(&self, group: u16) -> TreeId {
        TreeId {
            table: self.id,
            group,
        }
    }

    fn free_number(&self) -> Result<u16> {
        (1..u16::MAX)
            .find(|number| self.groups.iter().all(|group| group.number != *number))
            .ok_or_else(|| {
                Error::InvalidOption("a table has at most 65,535 locality groups".into())
            })
    }
}

impl LocalityGroup {
    fn is_used(&self) -> bool {
        !self.families.is_empty()
    }

    fn rest() -> LocalityGroup {
        LocalityGroup {
            number: 0,
            name: String::new(),
            families: Vec::new(),
            stale: false,
        }
    }
}
