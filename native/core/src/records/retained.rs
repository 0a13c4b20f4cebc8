//! Which cells a history keeps: what a merge may drop are the others.

use std::collections::HashSet;

use super::facts::{kind_of, read_value, Qualifier};
use super::kinds::{FactKind, FactState, Table};
use super::retention::{Retention, Version};
use super::rows::{RecordRows, Subject};
use crate::cells::CellsView;
use crate::Result;

/// Name, key, visibility and time of a version of a value.
type ValueName = (Vec<u8>, Vec<u8>, Vec<u8>, i64);

/// The places, ascending, of the cells that are kept, of sorted cells of whole rows.
pub fn retained(
    rows: &RecordRows,
    table: Table,
    cells: &CellsView<'_>,
    retention: &Retention,
) -> Result<Vec<usize>> {
    let mut found = Vec::new();
    let mut subject = Subject::default();
    let mut qualifier = Qualifier::default();
    let mut values: HashSet<ValueName> = HashSet::new();
    let mut at = 0;
    while at < cells.len() {
        let first = cells.cell(at);
        if at == 0 || subject.row() != first.key.row {
            rows.read(table, first.key.row, &mut subject)?;
            values.clear();
        }
        let kind = kind_of(subject.kind, &first)?;
        qualifier.read(kind, first.key.qualifier, first.key.visibility)?;
        let mut versions = Vec::new();
        let start = at;
        while at < cells.len() && cells.cell(at).key.column() == first.key.column() {
            let cell = cells.cell(at);
            kind_of(subject.kind, &cell)?;
            let header = read_value(kind, subject.kind, &cell)?;
            let time = cell.key.timestamp;
            versions.push(Version::new(kind, time, &header, cell.value));
            at += 1;
        }
        let named = |visibility: &[u8], time: i64| {
            let (name, key) = (qualifier.name.clone(), qualifier.key.clone());
            (name, key, visibility.to_vec(), time)
        };
        // A metadata entry is kept as long as the version of the value that it belongs to.
        if kind == FactKind::Metadata
            && !values.contains(&named(&qualifier.value_visibility, qualifier.value_time))
        {
            continue;
        }
        for place in retention.kept(&versions, retention.of(kind, &qualifier.name)) {
            found.push(start + place);
            if let Some(version) = versions.get(place) {
                if kind == FactKind::Value && version.state == FactState::Said {
                    values.insert(named(first.key.visibility, version.time));
                }
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}
