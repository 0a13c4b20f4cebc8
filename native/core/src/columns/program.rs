//! A stack of stages as the column path runs it, or the finding that it cannot.

use std::sync::Arc;

use crate::codec::Codec;
use crate::functions::{Kind, Test};
use crate::plan::{Element, FieldRef, Follows, Plan, RowShapes};
use crate::stages::elements::{
    bind, check_names, read_aggregate, read_filter, read_roll_up, read_summarise, Measure, Origin,
    RolledGroup,
};
use crate::stages::{StageContext, StageSpec};
use crate::visibility::View;
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
    filters: Vec<Filter>,
    by: Vec<FieldRef>,
    pub measures: Vec<Measure>,
    pub figures: Vec<Figure>,
    pub versions: Versions,
    /// Whether filters and groups follow from shape, family, label and qualifier.
    pub coded: bool,
    /// Whether some measure is the number of elements.
    pub counts: bool,
    /// Whether the first version of a column must be told from the others.
    pub tells_versions: bool,
    /// Whether cells under different labels are one element.
    pub merges_labels: bool,
}

impl Program {
    pub fn compile(stages: &[StageSpec], context: &mut StageContext) -> Result<Option<Program>> {
        let Some((last, below)) = stages.split_last() else {
            return Ok(None);
        };
        let known = ["versions", "filter", "aggregate", "roll-up"];
        if last.name != "summarise" || !below.iter().all(|one| known.contains(&one.name.as_str())) {
            return Ok(None);
        }
        let mut below = below.to_vec();
        let rolled = below.iter().position(|stage| stage.name == "roll-up");
        if let Some(at) = rolled {
            let stage = below.remove(at);
            let asked = read_roll_up(&stage.options, context)?;
            // An owner may see labels that cannot be parsed, which merge with no other.
            let is_owner = context.authorizations == View::All;
            let is_whole = asked.output.model() == asked.plan.model()
                && asked.groups.iter().all(RolledGroup::passes_on);
            if !asked.merges_labels || is_owner || !is_whole {
                return Ok(None);
            }
        }
        let (plan, by, measures) = read_summarise(&last.options, context)?;
        let mut versions = Versions::Every;
        let mut filters = Vec::new();
        for (at, stage) in below.iter().enumerate() {
            let (own, fits) = match stage.name.as_str() {
                "versions" => {
                    match stage.options.get("max") {
                        Some(serde_json::Value::Null) => {}
                        Some(max) if max.as_i64() != Some(1) => return Ok(None),
                        _ if versions == Versions::Every && filters.is_empty() => {
                            versions = Versions::Newest;
                        }
                        _ => return Ok(None),
                    }
                    continue;
                }
                "aggregate" => {
                    if versions == Versions::Every {
                        versions = Versions::Combined;
                    }
                    let own = read_aggregate(&stage.options, context)?;
                    let fits = combines(&own, &plan);
                    (own, fits)
                }
                _ => {
                    let (own, asked, once) = read_filter(&stage.options, context)?;
                    let tests = bind(&asked, &own)?;
                    let is_above = rolled.is_some_and(|rolled| at >= rolled);
                    if is_above && tests.iter().flatten().any(asks_for_label) {
                        return Ok(None);
                    }
                    filters.push(Filter { tests, once });
                    let fits = rolled.is_some() && own.model() == plan.model();
                    (own, fits)
                }
            };
            if !Arc::ptr_eq(&own, &plan) && !fits {
                return Ok(None);
            }
        }
        match versions {
            Versions::Newest if rolled.is_some() => return Ok(None),
            _ if rolled.is_some() => versions = Versions::Combined,
            _ => {}
        }
        check_names(&by, &measures)?;
        let fields = plan.fields(None)?;
        let by = by.iter().map(|name| fields.locate(name));
        let by = by.collect::<Result<Vec<_>>>()?;
        let mut asked = Follows::Column;
        by.iter()
            .for_each(|field| asked = asked.max(field.follows()));
        for test in filters
            .iter()
            .flat_map(|filter| filter.tests.iter().flatten())
        {
            test.each_field(&mut |field: &FieldRef| asked = asked.max(field.follows()));
        }
        if versions == Versions::Combined
            && (asked == Follows::Cell || !measures.iter().all(commutes))
        {
            return Ok(None);
        }
        let figures: Vec<Figure> = measures.iter().map(figure).collect();
        let values = figures.iter().any(|one| matches!(one, Figure::Values));
        let counts = figures.iter().any(|one| matches!(one, Figure::Count));
        let coded = asked == Follows::Column && !values && RowShapes::suits(&plan);
        if rolled.is_some() && (values || by.iter().any(FieldRef::is_label)) {
            return Ok(None);
        }
        Ok(Some(Program {
            coded,
            merges_labels: rolled.is_some(),
            tells_versions: match versions {
                Versions::Every => false,
                Versions::Combined if rolled.is_some() => false,
                Versions::Combined => counts || values,
                Versions::Newest => true,
            },
            counts,
            plan,
            filters,
            by,
            measures,
            figures,
            versions,
        }))
    }

    /// The key of the group that an element belongs to; `false` where a filter leaves it out.
    pub fn group_key(
        &self,
        element: &Element<'_>,
        key: &mut Vec<u8>,
        scratch: &mut Vec<u8>,
    ) -> Result<bool> {
        for filter in &self.filters {
            if !filter.keeps(element, scratch)? {
                return Ok(false);
            }
        }
        key.clear();
        for field in &self.by {
            Codec::Any.encode_key(&element.value(field)?, key)?;
        }
        Ok(true)
    }
}

/// Whether a plan reads all groups of another as that one does; what else it lists matters to nobody.
fn combines(own: &Plan, plan: &Plan) -> bool {
    let (own, plan) = (own.model(), plan.model());
    let same = own.rows == plan.rows && own.family == plan.family;
    same && plan.groups.iter().all(|group| own.groups.contains(group))
}

fn asks_for_label(test: &Test<FieldRef>) -> bool {
    let mut asks = false;
    test.each_field(&mut |field: &FieldRef| asks |= field.is_label());
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
