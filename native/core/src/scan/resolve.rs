//! A scan made ready: stages in place, the table's and the scan's together, everything checked.

use crate::cells::Range;
use crate::functions::Sets;
use crate::settings::Settings;
use crate::stages::{
    build_scan, find_stage, judge_of, put_stages, AskedColumn, Cursor, Families, Fused, Scope,
    SortedCells, Source, StageContext, StageSpec,
};
use crate::tree::TreeCursor;
use crate::visibility::{conjunction, View, Visibility};
use crate::{Error, Result};

use super::joined::JoinedRanges;
use super::ranges::{ending_with_row, from_marker, merge_sorted};
use super::serial::Cells;
use super::{Resume, Spec};

/// Stages that look at times, which a merge that combines elements does away with.
const NEEDS_TIMES: [&str; 4] = ["as-of", "time-range", "age-off", "column-age-off"];

/// What a scan does to the raw cells of its table.
#[derive(Debug, Clone)]
pub struct ResolvedStack {
    /// Every stage with its priority, the closest to the data first.
    pub stages: Vec<StageSpec>,
    /// Where the stages begin that work over all ranges at once.
    pub split: usize,
    pub columns: Vec<AskedColumn>,
    /// The families of `columns`, as a cursor is sought with.
    pub families: Families,
    pub view: View,
    /// What a cell without a label is judged by.
    pub default_visibility: Vec<u8>,
    /// The clock, where the spec gives it.
    pub now: Option<i64>,
    /// The plans of table and scan.
    pub plans: serde_json::Map<String, serde_json::Value>,
    /// Sets of keys by name.
    pub sets: Sets,
    /// Sorted and joined.
    pub ranges: Vec<Range>,
    pub after: Option<Resume>,
}

impl ResolvedStack {
    /// Puts the stages of table and scan in place; reads no option of theirs yet.
    pub fn new(settings: &Settings, spec: &Spec) -> Result<ResolvedStack> {
        let mut stages = settings.stages(false);
        stages.extend(spec.stages.iter().cloned());
        ResolvedStack::with_stages(settings, spec, resolve_priorities(stages)?)
    }

    /// The same with these stages alone, which have their priorities, in place of those of table and
    /// scan: for a caller that runs the others above.
    pub fn with_stages(
        settings: &Settings,
        spec: &Spec,
        stages: Vec<StageSpec>,
    ) -> Result<ResolvedStack> {
        let split = first_whole_scan(&stages)?;
        check_times(settings, &stages)?;
        let mut plans = settings.plans.clone();
        for (name, plan) in &spec.plans {
            if plans.get(name).is_some_and(|own| own != plan) {
                return Err(Error::InvalidOption(format!(
                    "the table has another key plan '{name}', which its own stages use; give the \
                     plan of the scan another name"
                )));
            }
            plans.insert(name.clone(), plan.clone());
        }
        let by_row =
            |stage: &StageSpec| find_stage(&stage.name).is_ok_and(|kind| kind.ends_with_row);
        let by_row = stages.iter().take(split).any(by_row);
        let ranges = spec.ranges.iter().map(from_marker);
        let ranges = ranges.map(|range| {
            if by_row {
                ending_with_row(range)
            } else {
                range
            }
        });
        let families = spec.columns.iter().map(|(family, _)| family.clone());
        Ok(ResolvedStack {
            split,
            families: Families {
                names: families.collect(),
                inclusive: !spec.columns.is_empty(),
            },
            columns: spec.columns.clone(),
            view: spec.view.clone(),
            default_visibility: default_label(&settings.default_visibility, spec),
            now: spec.now,
            plans,
            sets: spec.sets.clone(),
            ranges: merge_sorted(ranges.collect()),
            after: spec.after.clone(),
            stages,
        })
    }

    /// The stages that work range by range, on raw cells.
    pub fn lower(&self) -> &[StageSpec] {
        self.stages.get(..self.split).unwrap_or(&self.stages)
    }

    /// The stages that work over the whole scan.
    pub fn upper(&self) -> &[StageSpec] {
        self.stages.get(self.split..).unwrap_or_default()
    }

    /// A context of its own for one stack: a roll-up adds the plan of its output.
    pub fn context(&self, now: i64) -> StageContext {
        let mut context = StageContext {
            scope: Scope::Scan,
            now: self.now.unwrap_or(now),
            authorizations: self.view.clone(),
            sets: self.sets.clone(),
            ..StageContext::default()
        };
        for (name, plan) in &self.plans {
            context.plans.give(name, plan.clone());
        }
        context
    }

    /// Puts the system steps and the lower stages on raw cells.
    pub fn build_lower<C: Cursor + Send + 'static>(
        &self,
        source: C,
        context: &mut StageContext,
    ) -> Result<Source> {
        let label = &self.default_visibility;
        build_scan(source, self.lower(), context, &self.columns, label)
    }

    /// The whole stack; with upper stages it is to be sought with all keys.
    pub fn build<C: Cursor + Send + 'static>(&self, source: C, now: i64) -> Result<Source> {
        self.build_in(source, &mut self.context(now))
    }

    fn build_in<C: Cursor + Send + 'static>(
        &self,
        source: C,
        context: &mut StageContext,
    ) -> Result<Source> {
        let lower = self.build_lower(source, context)?;
        if self.upper().is_empty() {
            return Ok(lower);
        }
        // Above here all ranges are one table, so the system steps must not come again.
        let joined = Box::new(JoinedRanges::new(lower, self.ranges.clone()));
        put_stages(joined, self.upper(), context)
    }

    /// The lower stages on the raw cells of a table, in the quickest form there is for them.
    pub(super) fn cells(&self, source: TreeCursor, now: i64) -> Result<Cells> {
        let mut context = self.context(now);
        let label = &self.default_visibility;
        let (judge, above) = judge_of(self.lower(), &context, &self.columns, label)?;
        let bottom = Fused::new(source, judge);
        if above.is_empty() {
            return Ok(Cells::Bottom(Box::new(bottom)));
        }
        let stack = put_stages(Box::new(bottom), &above, &mut context)?;
        Ok(Cells::Stack(stack))
    }

    /// Builds the stack on nothing: mistakes in options show here.
    pub fn check(&self) -> Result<()> {
        self.published(0).map(drop)
    }

    /// The context as the stages leave it, with the plans of what roll-ups give.
    pub fn published(&self, now: i64) -> Result<StageContext> {
        let mut context = self.context(now);
        self.build_in(SortedCells::new(Vec::new()), &mut context)?;
        Ok(context)
    }

    /// How many of the stages, from the data upwards, can run in the core. Above them stands one of a
    /// user's own, or one that asks for what only Python can do. A mistake is an error.
    pub fn native_prefix(&self) -> Result<usize> {
        for (place, stage) in self.stages.iter().enumerate() {
            if find_stage(&stage.name).is_err() {
                return Ok(place);
            }
            let mut part = self.clone();
            part.stages.truncate(place + 1);
            part.split = part.split.min(place + 1);
            match part.check() {
                Ok(()) => {}
                Err(Error::Unsupported(_) | Error::UnknownName(_)) => return Ok(place),
                Err(error) => return Err(error),
            }
        }
        Ok(self.stages.len())
    }
}

/// Gives every stage its priority and sorts them. Given ones are kept and must differ; a stage without
/// one takes its default, or the next free number above it.
pub fn resolve_priorities(mut stages: Vec<StageSpec>) -> Result<Vec<StageSpec>> {
    let mut taken: Vec<i64> = Vec::with_capacity(stages.len());
    for (place, stage) in stages.iter().enumerate() {
        let Some(priority) = stage.priority else {
            continue;
        };
        if taken.contains(&priority) {
            let same = |other: &&StageSpec| other.priority == Some(priority);
            let first = stages.iter().take(place).find(same);
            let first = first.map_or("", |other| other.name.as_str());
            return Err(Error::InvalidOption(format!(
                "stages '{first}' and '{}' both have priority {priority}; give each stage its own, \
                 lower is closer to the data",
                stage.name
            )));
        }
        taken.push(priority);
    }
    for stage in &mut stages {
        if stage.priority.is_none() {
            let mut priority = find_stage(&stage.name)?.default_priority;
            while taken.contains(&priority) {
                priority += 1;
            }
            taken.push(priority);
            stage.priority = Some(priority);
        }
    }
    stages.sort_by_key(|stage| stage.priority);
    Ok(stages)
}

/// Where the stages begin that run over all ranges at once. A stage that groups cells range by range
/// cannot stand above one of them. A stage that the core does not know counts as neither.
fn first_whole_scan(stages: &[StageSpec]) -> Result<usize> {
    let kind = |stage: &StageSpec| find_stage(&stage.name).ok();
    let whole = |stage: &StageSpec| kind(stage).is_some_and(|kind| kind.whole_scan);
    let Some(first) = stages.iter().position(whole) else {
        return Ok(stages.len());
    };
    for stage in stages.iter().skip(first) {
        if kind(stage).is_some_and(|kind| kind.combines && !kind.whole_scan) {
            let below = stages.get(first).map_or("", |below| below.name.as_str());
            return Err(Error::InvalidOption(format!(
                "stage '{}' groups cells and cannot stand above '{below}', which sees the whole \
                 scan; give it a lower priority",
                stage.name
            )));
        }
    }
    Ok(first)
}

fn check_times(settings: &Settings, stages: &[StageSpec]) -> Result<()> {
    let needs = |stage: &&StageSpec| NEEDS_TIMES.contains(&stage.name.as_str());
    match stages.iter().find(needs) {
        Some(stage) if settings.combines_elements() => Err(Error::Unsupported(format!(
            "stage '{}' cannot be used on a table whose merges combine elements: what was combined no \
             longer has the times of its parts; filter on a time property instead, or keep a table \
             that does not combine",
            stage.name
        ))),
        _ => Ok(()),
    }
}

/// A scan may ask for more than its table does, never for less.
fn default_label(own: &[u8], spec: &Spec) -> Vec<u8> {
    let asked = spec.default_visibility.as_deref().unwrap_or_default();
    if asked.is_empty() {
        return own.to_vec();
    }
    if own.is_empty() || Visibility::parse(asked).is_err() {
        return asked.to_vec();
    }
    // A label of the table that cannot be parsed hides every cell that has none.
    conjunction([own, asked]).unwrap_or_else(|_| own.to_vec())
}
