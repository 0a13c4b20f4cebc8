//! Tables: made, dropped, renamed, cloned, configured, split.

use std::sync::Arc;

use super::catalog::{delete_table, put_table, Catalog};
use super::definition::Definition;
use super::state::{state_key, State};
use super::{Engine, Inner};
use crate::tree::{Durability, Writer};
use crate::{Error, Result};

impl Engine {
    /// Makes an empty table.
    pub fn create_table(&self, name: &str, settings_json: &str, splits: &[Vec<u8>]) -> Result<()> {
        self.inner.change(|catalog, writer| {
            catalog.check_free(name)?;
            let id = writer.new_table()?;
            put_table(writer, &Definition::new(id, name, settings_json, splits)?)
        })
    }

    /// Removes a table with its cells; snapshots taken before still read it.
    pub fn drop_table(&self, name: &str) -> Result<()> {
        self.inner.change(|catalog, writer| {
            let id = catalog.find(name)?.id;
            writer.drop_cells(id)?;
            writer.delete(&state_key(id))?;
            delete_table(writer, id)
        })
    }

    /// Gives a table another name.
    pub fn rename_table(&self, name: &str, new_name: &str) -> Result<()> {
        self.inner.change(|catalog, writer| {
            let mut definition = Definition::clone(catalog.find(name)?);
            catalog.check_free(new_name)?;
            definition.name = new_name.to_owned();
            put_table(writer, &definition)
        })
    }

    /// Makes a table with the same cells and settings.
    pub fn clone_table(&self, name: &str, new_name: &str) -> Result<()> {
        self.inner.change(|catalog, writer| {
            let mut definition = Definition::clone(catalog.find(name)?);
            catalog.check_free(new_name)?;
            let from = definition.id;
            definition = definition.renumbered(writer.new_table()?, new_name);
            put_table(writer, &definition)?;
            if let Some(state) = writer.get(&state_key(from))?.map(<[u8]>::to_vec) {
                writer.put(&state_key(definition.id), &state)?;
            }
            writer.clone_cells(from, definition.id)
        })
    }

    /// Replaces a table's settings, all but its time unit and splits.
    ///
    /// Where its locality groups change again before all cells have moved, the table is merged first: so a cell is
    /// in the tree of its family or in the one before, and it is known which is newer.
    pub fn configure_table(&self, name: &str, settings_json: &str) -> Result<()> {
        while !self.try_configure(name, settings_json)? {
            self.compact(name, None, None)?;
        }
        Ok(())
    }

    /// Does so unless the table is to be merged first.
    fn try_configure(&self, name: &str, settings_json: &str) -> Result<bool> {
        self.inner.change(|catalog, writer| {
            let old = catalog.find(name)?;
            if !old.is_settled() && old.has_other_groups(settings_json)? {
                return Ok(false);
            }
            let state = State::read(writer.get(&state_key(old.id))?)?;
            let mut new = Definition::clone(old);
            let mut holds_cells = false;
            for tree in old.trees() {
                let [base, delta] = writer.snapshot().counts(tree)?;
                holds_cells |= base.cells + delta.cells > 0;
            }
            // Buffered cells will go by the groups of the moment they are stored in.
            new.configure(settings_json, holds_cells)?;
            if new.settings.time_unit != old.settings.time_unit {
                return Err(Error::InvalidOption(format!(
                    "table '{name}' was created with time unit '{}', which cannot become '{}'",
                    old.settings.time_unit.name(),
                    new.settings.time_unit.name()
                )));
            }
            if new.settings.append_only && state.markers > 0 {
                return Err(Error::InvalidOption(format!(
                    "table '{name}' holds delete markers and cannot become append-only"
                )));
            }
            put_table(writer, &new)?;
            Ok(true)
        })
    }

    /// Keeps rows at which parallel scans may divide a table.
    pub fn add_splits(&self, name: &str, rows: &[Vec<u8>]) -> Result<()> {
        self.inner.change(|catalog, writer| {
            let mut definition = Definition::clone(catalog.find(name)?);
            definition.add_splits(rows);
            put_table(writer, &definition)
        })
    }
}

impl Inner {
    /// Changes tables in a transaction of its own, behind everything that is buffered.
    pub(super) fn change<T>(
        &self,
        change: impl FnOnce(&Arc<Catalog>, &mut Writer<'_>) -> Result<T>,
    ) -> Result<T> {
        let directory = self.writable()?;
        self.flush(Durability::Relaxed)?;
        let mut writer = self.turn(&directory, "change tables")?;
        let catalog = self.catalogs.of(writer.snapshot())?;
        let changed = change(&catalog, &mut writer)?;
        writer.commit(Durability::Sync)?;
        Ok(changed)
    }
}
