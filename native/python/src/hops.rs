//! Hops as Python asks for them.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Instant;

use lexigraph_core::cells::BytesColumn;
use lexigraph_core::hops::{expand, Direction, Request};
use lexigraph_core::scan::Input;
use lexigraph_core::tree::{Ask, Watch};
use lexigraph_core::{Error, Result};

use crate::arguments;

/// One expansion, with its words not yet read.
pub struct Asked<'a> {
    /// The scan as JSON text: as whom, through which stages.
    pub spec: &'a str,
    pub plan: &'a str,
    pub seeds: Vec<Vec<u8>>,
    pub hops: usize,
    pub direction: &'a str,
    pub groups: Option<Vec<String>>,
    pub within: bool,
    pub deadline: Option<Instant>,
    pub threads: usize,
}

impl Asked<'_> {
    /// The vertices found, in key form.
    pub fn run(&self, input: &Input, ask: Ask) -> Result<BytesColumn> {
        let direction = match self.direction {
            "out" => Direction::Out,
            "in" => Direction::In,
            "both" => Direction::Both,
            other => {
                return Err(Error::InvalidOption(format!(
                    "a direction is out, in or both, not '{other}'"
                )))
            }
        };
        let request = Request {
            spec: &arguments::spec(self.spec, &[])?,
            plan: self.plan,
            seeds: &self.seeds,
            hops: self.hops,
            direction,
            groups: self.groups.as_deref(),
            within: self.within,
        };
        let watch = Watch::new(Arc::new(AtomicBool::new(false)), self.deadline);
        let watch = Arc::new(watch.asking(Some(ask)));
        Ok(expand(input, &request, self.threads, &watch)?.vertices)
    }
}
