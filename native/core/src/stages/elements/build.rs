//! Element stages made from the options of a scan; bad options are refused before any cell is read.

use std::sync::Arc;

use serde_json::Value as Json;

use super::plans::check_mergeable;
use super::{AggregateStage, Decode, ElementFilter, Measure, RollUp, Rolled, Summarise, Where};
use crate::functions::{Predicate, Test};
use crate::json::Node;
use crate::plan::{read_aggregates, Aggregates, Plan};
use crate::stages::{Scope, Source, StageContext};
use crate::{Error, Result};

/// Makes a `filter` of `plan`, `where` and `once`.
pub fn build_filter(source: Source, options: &Json, context: &mut StageContext) -> Result<Source> {
    let (plan, asked, once) = read_filter(options, context)?;
    Ok(Box::new(ElementFilter::new(source, plan, &asked, once)?))
}

/// The options of a `filter`.
pub fn read_filter(options: &Json, context: &mut StageContext) -> Result<(Arc<Plan>, Where, bool)> {
    let node = Node::new(options, "stage 'filter'");
    node.expect(&["plan"], &["where", "once"])?;
    let asked = match node
        .optional("where")?
        .filter(|asked| !asked.value().is_null())
    {
        None => Where::All(Test::And(Vec::new())),
        Some(asked) => read_where(&asked, context)?,
    };
    let once = node
        .optional("once")?
        .map_or(Ok(false), |once| once.flag())?;
    let plan = context.plans.find(node.member("plan")?.text()?)?;
    Ok((plan, asked, once))
}

/// Makes an `aggregate` of `plan`.
pub fn build_aggregate(
    source: Source,
    options: &Json,
    context: &mut StageContext,
) -> Result<Source> {
    let plan = read_aggregate(options, context)?;
    Ok(Box::new(AggregateStage::new(source, plan, context.combine)))
}

/// The plan of an `aggregate`.
pub fn read_aggregate(options: &Json, context: &mut StageContext) -> Result<Arc<Plan>> {
    let node = Node::new(options, "stage 'aggregate'");
    node.expect(&["plan"], &[])?;
    let plan = context.plans.find(node.member("plan")?.text()?)?;
    check_mergeable(&plan, "aggregate")?;
    Ok(plan)
}

/// Makes a `roll-up` of `plan`, `by`, `visibility`, `as` and `aggregates`.
pub fn build_roll_up(source: Source, options: &Json, context: &mut StageContext) -> Result<Source> {
    let rolled = read_roll_up(options, context)?;
    Ok(Box::new(RollUp::new(source, rolled)))
}

/// The options of a `roll-up`; its output is made known to the stages above.
pub fn read_roll_up(options: &Json, context: &mut StageContext) -> Result<Rolled> {
    let node = Node::new(options, "stage 'roll-up'");
    node.expect(&["plan"], &["by", "visibility", "as", "aggregates"])?;
    let by = read_names(node.optional("by")?)?;
    let labels = [("merge", true), ("keep", false)];
    let merges = node
        .optional("visibility")?
        .map_or(Ok(true), |one| one.choice(&labels))?;
    let name = node.optional("as")?.filter(|name| !name.value().is_null());
    let name = name.map(|name| name.text()).transpose()?;
    require_scan("roll-up", context)?;
    let plan = context.plans.find(node.member("plan")?.text()?)?;
    let aggregates = match node.optional("aggregates")? {
        Some(asked) => read_aggregates(&asked, plan.model(), &by)?,
        None => Aggregates::new(),
    };
    let rolled = Rolled::new(plan, &by, &aggregates, merges)?;
    if let Some(name) = name {
        context.plans.publish(name, rolled.output.clone())?;
    }
    Ok(rolled)
}

/// Makes a `decode` of `plan` and `fields`.
pub fn build_decode(source: Source, options: &Json, context: &mut StageContext) -> Result<Source> {
    let node = Node::new(options, "stage 'decode'");
    node.expect(&["plan", "fields"], &[])?;
    let fields = read_names(node.optional("fields")?)?;
    require_scan("decode", context)?;
    let plan = context.plans.find(node.member("plan")?.text()?)?;
    Ok(Box::new(Decode::new(source, plan, &fields)?))
}

/// Makes a `summarise` of `plan`, `by` and `measures`.
pub fn build_summarise(
    source: Source,
    options: &Json,
    context: &mut StageContext,
) -> Result<Source> {
    let (plan, by, measures) = read_summarise(options, context)?;
    Ok(Box::new(Summarise::new(source, plan, &by, measures)?))
}

/// The options of a `summarise`.
pub fn read_summarise(
    options: &Json,
    context: &mut StageContext,
) -> Result<(Arc<Plan>, Vec<String>, Vec<Measure>)> {
    let node = Node::new(options, "stage 'summarise'");
    node.expect(&["plan", "measures"], &["by"])?;
    let by = read_names(node.optional("by")?)?;
    let measures = node.member("measures")?.items()?;
    require_scan("summarise", context)?;
    let plan = context.plans.find(node.member("plan")?.text()?)?;
    let measures = measures.iter().map(|item| Measure::parse(&plan, item));
    let measures = measures.collect::<Result<Vec<_>>>()?;
    Ok((plan, by, measures))
}

fn require_scan(stage: &str, context: &StageContext) -> Result<()> {
    if context.scope == Scope::Scan {
        return Ok(());
    }
    Err(Error::InvalidOption(format!(
        "stage '{stage}' changes what cells mean and runs in scans only; merge with 'aggregate' \
         or 'filter', and put this stage into the scan"
    )))
}

fn read_names(node: Option<Node<'_>>) -> Result<Vec<String>> {
    let Some(node) = node else {
        return Ok(Vec::new());
    };
    let items = node.items()?;
    items
        .iter()
        .map(|item| item.text().map(String::from))
        .collect()
}

fn read_where(node: &Node<'_>, context: &StageContext) -> Result<Where> {
    let parse = |item: &Node<'_>| Predicate::parse(item, context.now, &context.sets);
    if node.value().get("op").is_some_and(Json::is_string) {
        return Ok(Where::All(parse(node)?));
    }
    let read = |(name, item): &(&str, Node<'_>)| Ok((String::from(*name), parse(item)?));
    let predicates: Result<_> = node.members()?.iter().map(read).collect();
    Ok(Where::ByGroup(predicates?))
}
