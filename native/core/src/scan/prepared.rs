//! A scan made ready before anything is read: resolved and checked once, then started by who knows what is read.

use std::sync::{Arc, Mutex, PoisonError};

use super::{open_resolved, Input, ResolvedStack, Scan, ScanOptions, Spec};
use crate::plan::Plan;
use crate::settings::Settings;
use crate::Result;

/// A scan that the core runs whole. Between two runs it holds no state of the store.
#[derive(Debug)]
pub struct Prepared {
    spec: Spec,
    ready: Mutex<Option<(Arc<Settings>, ResolvedStack)>>,
}

impl Prepared {
    /// Checks the spec against the settings of its table.
    pub fn new(settings: &Arc<Settings>, spec: Spec) -> Result<Prepared> {
        let resolved = ResolvedStack::new(settings, &spec)?;
        resolved.check()?;
        Ok(Prepared::of(settings, spec, resolved))
    }

    /// The same, and the key plan of what its stages give, by its name.
    pub fn with_plan(
        settings: &Arc<Settings>,
        spec: Spec,
        name: &str,
    ) -> Result<(Prepared, Arc<Plan>)> {
        let resolved = ResolvedStack::new(settings, &spec)?;
        let plan = resolved.published(0)?.plans.find(name)?;
        Ok((Prepared::of(settings, spec, resolved), plan))
    }

    fn of(settings: &Arc<Settings>, spec: Spec, resolved: ResolvedStack) -> Prepared {
        Prepared {
            spec,
            ready: Mutex::new(Some((Arc::clone(settings), resolved))),
        }
    }

    /// Starts the scan; nothing is read before the first batch is asked for.
    pub fn open(&self, input: Input, options: &ScanOptions) -> Result<Scan> {
        let held = {
            let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            ready.take()
        };
        let resolved = match held {
            Some((own, resolved)) if Arc::ptr_eq(&own, &input.settings) => resolved,
            // Another run took it, or the settings have changed since.
            _ => ResolvedStack::new(&input.settings, &self.spec)?,
        };
        open_resolved(input, resolved, options)
    }
}
