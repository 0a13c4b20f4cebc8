//! A stack of stages as the column path runs it, or the finding that it cannot.

use std::sync::Arc;

use crate::codec::Codec;
use crate::functions::{Kind, Test};
use crate::plan::model::{Model, Once, Shape};
use crate::plan::{Element, FieldRef, Follows, Plan, RowShapes};
use crate::stages::elements::{
    bind, check_names, read_aggregate, read_filter, read_roll_up, read_summarise, Measure, Origin,
};
use crate::stages::{StageContext, StageSpec};
use crate::Result;

/// What becomes of several versions of one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Versions {
    /// Each is an element.
    Every,
    /// Together they are one.
    Combined,
    /// The newest stands for all.
    Newest,
}

/// How a measure is kept.
#[derive(Debug, Clone)]
pub enum Figure {
    /// The number of elements.
    Count,
    /// A sum of integers, states of this property.
    Sum(FieldRef),
    /// Any other state of this property.
    States(FieldRef),
    /// Made of finished values.
    Values,
}

#[derive(Debug)]
pub struct Filter {
    tests: Vec<Option<Test<FieldRef>>>,
    once: bool,
}

impl Filter {
    fn keeps(&self, element: &Element<'_>, scratch: &mut Vec<u8>) -> Result<bool> {
        match self.tests.get(element.group()) {
            Some(Some(test)) if !self.once || element.once() => test.holds(element, scratch),
            _ => Ok(false),
        }
    }
}

/// What to do with the elements of a table.
#[derive(Debug)]
pub struct Program {
    pub plan: Arc<Plan>,
    below: Below,
    by: Vec<FieldRef>,
    pub measures: Vec<Measure>,
    pub figures: Vec<Figure>,
    pub versions: Versions,
    /// Whether filters and groups follow from shape, family, label and qualifier.
    pub coded: bool,
    /// Whether the first version of a column must be told from the others.
    pub tells_versions: bool,
    /// Whether the cells of one element under several labels are one.
    pub merges_labels: bool,
}

/// What the stages below an answer do, where they are of this path's forms.
#[derive(Debug)]
pub struct Below {
    filters: Vec<Filter>,
    pub versions: Versions,
    pub merges_labels: bool,
    plans: Vec<Arc<Plan>>,
    aggregated: Vec<Arc<Plan>>,
}

impl Below {
    /// Reads stages by ascending priority; nothing where they are none of this path's forms.
    pub fn compile(stages: &[StageSpec], context: &mut StageContext) -> Result<Option<Below>> {
        let known = ["versions", "filter", "aggregate", "roll-up"];
        if !stages.iter().all(|one| known.contains(&&*one.name)) {
            return Ok(None);
        }
        let mut versions = Versions::Every;
        let mut merges_labels = false;
        let mut filters = Vec::new();
        let (mut plans, mut aggregated) = (Vec::new(), Vec::new());
        for stage in stages {
            match stage.name.as_str() {
                "versions" => match stage.options.get("max") {
                    Some(serde_json::Value::Null) => {}
                    Some(max) if max.as_i64() != Some(1) => return Ok(None),
                    _ if versions == Versions::Every && filters.is_empty() => {
                        versions = Versions::Newest;
                    }
                    _ => return Ok(None),
                },
                "aggregate" => {
                    if versions == Versions::Every {
                        versions = Versions::Combined;
                    }
                    aggregated.push(read_aggregate(&stage.options, context)?);
                }
                "roll-up" => {
                    let rolled = read_roll_up(&stage.options, context)?;
                    let same = rolled.plan.model() == rolled.output.model()
                        && rolled.groups.iter().all(|group| group.passes_on());
                    if !same || !rolled.merges_labels || versions == Versions::Newest {
                        return Ok(None);
                    }
                    (versions, merges_labels) = (Versions::Combined, true);
                    plans.push(rolled.plan);
                }
                _ => {
                    let (own, asked, once) = read_filter(&stage.options, context)?;
                    let tests = bind(&asked, &own)?;
                    filters.push(Filter { tests, once });
                    plans.push(own);
                }
            }
        }
        Ok(Some(Below {
            filters,
            versions,
            merges_labels,
            plans,
            aggregated,
        }))
    }

    /// Whether all of it is about the elements of a plan.
    pub fn is_about(&self, plan: &Arc<Plan>) -> bool {
        let is_same = |own: &Arc<Plan>| Arc::ptr_eq(own, plan) || own.model() == plan.model();
        let covers = |own: &Arc<Plan>| is_same(own) || covers(own.model(), plan.model());
        self.plans.iter().all(is_same) && self.aggregated.iter().all(covers)
    }

    /// What the answers of the filters follow from.
    pub fn follows(&self) -> Follows {
        let mut asked = Follows::Column;
        self.each_field(|field| asked = asked.max(field.follows()));
        asked
    }

    /// Whether some filter asks for labels.
    pub fn asks_for_label(&self) -> bool {
        let mut asks = false;
        self.each_field(|field| asks |= field.is_label());
        asks
    }

    fn each_field(&self, mut visit: impl FnMut(&FieldRef)) {
        for filter in &self.filters {
            for test in filter.tests.iter().flatten() {
                test.each_field(&mut visit);
            }
        }
    }

    /// Whether the filters let no element pass whose rows have this shape of the plan, whatever else it is.
    pub fn leaves_out(&self, shape: &Shape) -> bool {
        let direction = shape.direction.as_ref();
        let never = direction.is_some_and(|one| one.once == Once::Never);
        never && self.filters.iter().any(|filter| filter.once)
    }

    /// Whether the filters let an element pass.
    pub fn keeps(&self, element: &Element<'_>, scratch: &mut Vec<u8>) -> Result<bool> {
        for filter in &self.filters {
            if !filter.keeps(element, scratch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Program {
    pub fn compile(stages: &[StageSpec], context: &mut StageContext) -> Result<Option<Program>> {
        let Some((last, below)) = stages.split_last() else {
            return Ok(None);
        };
        if last.name != "summarise" {
            return Ok(None);
        }
        let Some(below) = Below::compile(below, context)? else {
            return Ok(None);
        };
        let (plan, by, measures) = read_summarise(&last.options, context)?;
        if !below.is_about(&plan) {
            return Ok(None);
        }
        check_names(&by, &measures)?;
        let fields = plan.fields(None)?;
        let by = by.iter().map(|name| fields.locate(name));
        let by = by.collect::<Result<Vec<_>>>()?;
        let mut asked = below.follows();
        by.iter()
            .for_each(|field| asked = asked.max(field.follows()));
        let (versions, merges_labels) = (below.versions, below.merges_labels);
        if versions == Versions::Combined
            && (asked == Follows::Cell || !measures.iter().all(commutes))
        {
            return Ok(None);
        }
        if merges_labels && (below.asks_for_label() || asks_for_label(&by, &measures)) {
            return Ok(None);
        }
        let figures: Vec<Figure> = measures.iter().map(figure).collect();
        let values = figures.iter().any(|one| matches!(one, Figure::Values));
        let counts = figures.iter().any(|one| matches!(one, Figure::Count));
        Ok(Some(Program {
            coded: asked == Follows::Column && !values && RowShapes::suits(&plan),
            tells_versions: match versions {
                Versions::Every => false,
                Versions::Combined => counts || values,
                Versions::Newest => true,
            },
            plan,
            below,
            by,
            measures,
            figures,
            versions,
            merges_labels,
        }))
    }

    /// Whether no row of this shape of the plan counts.
    pub fn leaves_out(&self, shape: usize) -> bool {
        let shape = self.plan.model().rows.get(shape);
        shape.is_some_and(|shape| self.below.leaves_out(shape))
    }

    /// The place and the property of the one sum of integers, if there is one; nothing where there are other measures
    /// besides it and counts.
    pub fn only_sum(&self) -> Option<Option<(usize, &FieldRef)>> {
        let mut found = None;
        for (place, figure) in self.figures.iter().enumerate() {
            match figure {
                Figure::Count => {}
                Figure::Sum(field) if found.is_none() => found = Some((place, field)),
                _ => return None,
            }
        }
        Some(found)
    }

    /// The key of the group that an element belongs to; `false` where a filter leaves it out.
    pub fn group_key(
        &self,
        element: &Element<'_>,
        key: &mut Vec<u8>,
        scratch: &mut Vec<u8>,
    ) -> Result<bool> {
        if !self.below.keeps(element, scratch)? {
            return Ok(false);
        }
        key.clear();
        for field in &self.by {
            Codec::Any.encode_key(&element.value(field)?, key)?;
        }
        Ok(true)
    }
}

/// Whether elements of the second plan are combined by the first as they would be by the second: it has all their
/// groups, and no more about them.
fn covers(first: &Model, second: &Model) -> bool {
    let serves = |shape: &Shape| second.groups.iter().any(|group| shape.serves(group));
    let shapes = |model: &Model| -> Vec<Shape> {
        let serving = model.rows.iter().filter(|shape| serves(shape));
        serving.cloned().collect()
    };
    first.family == second.family
        && second
            .groups
            .iter()
            .all(|group| first.groups.contains(group))
        && shapes(first) == shapes(second)
}

/// Whether groups or measures ask for the label of elements.
fn asks_for_label(by: &[FieldRef], measures: &[Measure]) -> bool {
    let mut asks = by.iter().any(FieldRef::is_label);
    for measure in measures {
        if let Origin::States(field) | Origin::Values(field) = measure.origin() {
            asks |= field.is_label();
        }
    }
    asks
}

/// Whether a measure over combined elements can be made of the versions one by one, where the first alone
/// tells values.
fn commutes(measure: &Measure) -> bool {
    match measure.origin() {
        Origin::Elements | Origin::States(_) => true,
        Origin::Values(field) => {
            let timed = matches!(measure.aggregator().kind(), Kind::First | Kind::Last);
            field.follows() != Follows::Cell && !timed
        }
    }
}

fn figure(measure: &Measure) -> Figure {
    let aggregator = measure.aggregator();
    match measure.origin() {
        Origin::Elements => Figure::Count,
        Origin::States(field)
            if aggregator.kind() == Kind::Sum && *aggregator.codec() == Codec::Int =>
        {
            Figure::Sum(field.clone())
        }
        Origin::States(field) => Figure::States(field.clone()),
        Origin::Values(_) => Figure::Values,
    }
}
