//! The key plans of one stack by name, compiled when the first stage asks for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::nearest::did_you_mean;
use crate::plan::Plan;
use crate::{Error, Result};

/// Key plans by name: one for each stack, made from the bottom up, to which a roll-up adds the plan
/// of its output.
#[derive(Debug, Clone, Default)]
pub struct Plans(BTreeMap<String, Entry>);

#[derive(Debug, Clone)]
enum Entry {
    Given(Json),
    Compiled(Arc<Plan>),
}

impl Plans {
    /// Adds a plan as a scan or table gives it; it is read when it is asked for.
    pub fn give(&mut self, name: &str, plan: Json) {
        self.0.insert(name.into(), Entry::Given(plan));
    }

    /// The plan of that name, compiled.
    pub fn find(&mut self, name: &str) -> Result<Arc<Plan>> {
        let plan = match self.0.get(name) {
            Some(Entry::Compiled(plan)) => return Ok(plan.clone()),
            Some(Entry::Given(json)) => Arc::new(Plan::parse(json, &format!("plans.{name}"))?),
            None => {
                let near = did_you_mean(name, self.0.keys().map(String::as_str));
                return Err(Error::InvalidOption(format!(
                    "there is no key plan '{name}'{near}; give it in 'plans' of the scan or of the \
                     table, or as 'as' of a roll-up below"
                )));
            }
        };
        self.0.insert(name.into(), Entry::Compiled(plan.clone()));
        Ok(plan)
    }

    /// Adds the plan of a stage's output; refuses a name that another plan has.
    pub fn publish(&mut self, name: &str, plan: Arc<Plan>) -> Result<()> {
        if self.0.contains_key(name) {
            let taken = self.find(name).map(|held| held.model() != plan.model());
            if taken.unwrap_or(true) {
                return Err(Error::InvalidOption(format!(
                    "roll-up calls the plan of its output '{name}', but there is such a plan \
                     already; choose another name for 'as'"
                )));
            }
        }
        self.0.insert(name.into(), Entry::Compiled(plan));
        Ok(())
    }
}

/// Refuses a plan for a stage that merges: every property needs an aggregator.
///
/// A value without one has no time of its own once cells are combined, so no choice between two of
/// them would be the same in every order of merging.
pub fn check_mergeable(plan: &Plan, stage: &str) -> Result<()> {
    for group in &plan.model().groups {
        let lacking = group.properties.iter().find(|one| one.aggregate.is_none());
        if let Some(property) = lacking {
            return Err(Error::InvalidOption(format!(
                "stage '{stage}' cannot merge group '{}': its property '{}' has no aggregator",
                group.name, property.field
            )));
        }
    }
    Ok(())
}
