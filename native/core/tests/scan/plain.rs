//! The plainest way to run a scan: sorted cells in memory, every step of the stack above the other.

use lexigraph_core::cells::{Cell, Range};
use lexigraph_core::scan::{ResolvedStack, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::{build_stack, put_stages, Families, SortedCells, Source};
use lexigraph_core::Result;

/// What a scan gives of cells in the order they were written.
pub fn run(written: &[Cell], settings: &Settings, spec: &Spec) -> Result<Vec<Cell>> {
    let resolved = ResolvedStack::new(settings, spec)?;
    let mut context = resolved.context(0);
    let source = Box::new(SortedCells::new(written.to_vec()));
    let (columns, label) = (&resolved.columns, &resolved.default_visibility);
    let mut stack = build_stack(source, resolved.lower(), &mut context, columns, label)?;
    let mut found = read(&mut stack, &resolved.ranges, &resolved.families)?;
    if !resolved.upper().is_empty() {
        found.reverse();
        let joined = Box::new(SortedCells::new(found));
        let mut stack = put_stages(joined, resolved.upper(), &mut context)?;
        found = read(&mut stack, &[Range::default()], &resolved.families)?;
    }
    Ok(found)
}

fn read(stack: &mut Source, ranges: &[Range], families: &Families) -> Result<Vec<Cell>> {
    let mut found = Vec::new();
    for range in ranges {
        stack.seek(range, families)?;
        while let Some(top) = stack.top() {
            found.push(top.to_owned());
            stack.advance()?;
        }
    }
    Ok(found)
}
