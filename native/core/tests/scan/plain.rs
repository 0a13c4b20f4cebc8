//! The plainest way to run a scan: sorted cells in memory, every step of the stack above the other.

use lexigraph_core::cells::{Cell, Range};
use lexigraph_core::scan::{ResolvedStack, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::{build_stack, put_stages, SortedCells};
use lexigraph_core::Result;

use crate::common::cells::read;

/// What a scan gives of cells in the order they were written.
pub fn run(written: &[Cell], settings: &Settings, spec: &Spec) -> Result<Vec<Cell>> {
    let resolved = ResolvedStack::new(settings, spec)?;
    let mut context = resolved.context(0);
    let source = Box::new(SortedCells::new(written.to_vec()));
    let (columns, label) = (&resolved.columns, &resolved.default_visibility);
    let mut stack = build_stack(source, resolved.lower(), &mut context, columns, label)?;
    let mut found = read(stack.as_mut(), &resolved.ranges, &resolved.families)?;
    if !resolved.upper().is_empty() {
        found.reverse();
        let joined = Box::new(SortedCells::new(found));
        let mut stack = put_stages(joined, resolved.upper(), &mut context)?;
        found = read(stack.as_mut(), &[Range::default()], &resolved.families)?;
    }
    Ok(found)
}
