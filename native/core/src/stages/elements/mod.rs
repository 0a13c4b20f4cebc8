//! Element stages: filter, aggregate, roll-up, decode and summarise, by a key plan.
//!
//! `spec/scan.md` section 7 is the contract. They know elements only through the plan that their
//! options name. A result lies in a scan when its own key does; so a stage that makes one cell of
//! several reads every group whole and then looks at the key of what it made.

mod aggregate;
mod build;
mod decode;
mod filter;
mod measure;
mod plans;
mod roll_up;
mod rolled;
mod rolled_cells;
mod summarise;
mod widen;

pub use aggregate::{AggregateStage, Versions};
pub(super) use build::{
    build_aggregate, build_decode, build_filter, build_roll_up, build_summarise,
};
pub(crate) use build::{read_aggregate, read_filter, read_roll_up, read_summarise};
pub use decode::Decode;
pub(crate) use filter::bind;
pub use filter::{ElementFilter, Where};
pub use measure::Measure;
pub(crate) use measure::{check_names, write_result, Origin};
pub use plans::Plans;
pub use roll_up::RollUp;
pub use rolled::Rolled;
pub use summarise::Summarise;
