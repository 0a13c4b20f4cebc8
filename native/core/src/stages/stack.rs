//! The stack of one scan or merge: system steps first, then stages by ascending priority.
//!
//! Everything that reads cells goes through [`build_stack`]; nothing puts a stage below the
//! visibility check.

use super::builtin::find_stage;
use super::columns::Columns;
use super::filter::Keep;
use super::fused::{Fused, Judge};
use super::system::{Deletes, FamilySkip, Qualifiers, Visible};
use super::versions::most_versions;
use super::{Cursor, Scope, Source, StageContext, StageSpec};
use crate::visibility::{LabelCache, View};
use crate::Result;

/// A wanted family, or one qualifier of it.
pub type AskedColumn = (Vec<u8>, Option<Vec<u8>>);

/// Puts the system steps and the stages on a source of raw cells.
///
/// Whoever seeks passes the families of `columns` as `Families`. Stages of equal priority keep their
/// order; whoever reads a spec refuses such a spec before.
pub fn build_stack(
    source: Source,
    stages: &[StageSpec],
    context: &mut StageContext,
    columns: &[AskedColumn],
    default_visibility: &[u8],
) -> Result<Source> {
    let keep_markers = context.scope.keeps_deletes();
    let deletes = Box::new(Deletes::new(source, keep_markers));
    let mut stack: Source = Box::new(FamilySkip::new(deletes));
    if context.scope == Scope::Scan {
        if columns.iter().any(|(_, qualifier)| qualifier.is_some()) {
            let mut wanted = Columns::new();
            for (family, qualifier) in columns {
                wanted.insert(family, qualifier.as_deref(), ());
            }
            stack = Box::new(Keep::new(stack, Qualifiers(wanted)));
        }
        if let View::Of(_) = context.authorizations {
            let view = context.authorizations.clone();
            let labels = LabelCache::new(view, default_visibility, LabelCache::LIMIT_BYTES);
            stack = Box::new(Keep::new(stack, Visible(labels)));
        }
    }
    put_stages(stack, stages, context)
}

/// As [`build_stack`] at scan scope, on a source of a known type: the system steps and a `versions`
/// right above them are one.
pub fn build_scan<C: Cursor + Send + 'static>(
    source: C,
    stages: &[StageSpec],
    context: &mut StageContext,
    columns: &[AskedColumn],
    default_visibility: &[u8],
) -> Result<Source> {
    let (judge, above) = judge_of(stages, context, columns, default_visibility)?;
    put_stages(Box::new(Fused::new(source, judge)), &above, context)
}

/// The judge of a scan's columns, and the stages that are left for above it.
pub fn judge_of(
    stages: &[StageSpec],
    context: &StageContext,
    columns: &[AskedColumn],
    default_visibility: &[u8],
) -> Result<(Judge, Vec<StageSpec>)> {
    let mut above = stages.to_vec();
    let mut places = Vec::with_capacity(above.len());
    for stage in &above {
        places.push(priority_of(stage)?);
    }
    let lowest = places.iter().min();
    let first = places.iter().position(|place| Some(place) == lowest);
    let versions = first.filter(|&first| above.get(first).is_some_and(|s| s.name == "versions"));
    let most = match versions {
        Some(place) => most_versions(&above.remove(place).options)?,
        None => None,
    };
    let view = &context.authorizations;
    Ok((Judge::new(columns, view, default_visibility, most), above))
}

/// Puts stages alone on a source, by ascending priority: those over a whole scan come this way.
pub fn put_stages(
    source: Source,
    stages: &[StageSpec],
    context: &mut StageContext,
) -> Result<Source> {
    let mut placed = Vec::with_capacity(stages.len());
    for spec in stages {
        placed.push((priority_of(spec)?, spec));
    }
    placed.sort_by_key(|(priority, _)| *priority);
    let mut stack = source;
    for (_, spec) in placed {
        stack = (find_stage(&spec.name)?.build)(stack, &spec.options, context)?;
    }
    Ok(stack)
}

/// The place of a stage: its own priority, or its stage's default.
pub fn priority_of(spec: &StageSpec) -> Result<i64> {
    match spec.priority {
        Some(priority) => Ok(priority),
        None => Ok(find_stage(&spec.name)?.default_priority),
    }
}
