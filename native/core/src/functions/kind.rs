//! Which aggregators there are, by name, and what can be said of one besides.

use super::buckets::Bucket;
use crate::json::Node;
use crate::nearest::did_you_mean;
use crate::{Error, Result};

/// The largest top-n or sample: more would make every cell of a column too large to merge.
const MAX_KEPT: u64 = 1 << 20;

/// The built-in ways to make one value of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sum,
    Product,
    Min,
    Max,
    And,
    Or,
    First,
    Last,
    Set,
    List,
    Concat,
    FrequencyMap,
    TopN,
    TimeSeries,
    Reservoir,
    Hll,
    Theta,
    Quantiles,
    FrequentItems,
    Bitmap,
    /// How many elements there are, whatever their values.
    Count,
    /// Nothing is aggregated: the state is the value.
    Faithful,
}

const NAMES: [(&str, Kind); 21] = [
    ("sum", Kind::Sum),
    ("product", Kind::Product),
    ("min", Kind::Min),
    ("max", Kind::Max),
    ("and", Kind::And),
    ("or", Kind::Or),
    ("first", Kind::First),
    ("last", Kind::Last),
    ("set", Kind::Set),
    ("list", Kind::List),
    ("concat", Kind::Concat),
    ("frequency-map", Kind::FrequencyMap),
    ("top-n", Kind::TopN),
    ("time-series", Kind::TimeSeries),
    ("reservoir", Kind::Reservoir),
    ("hll", Kind::Hll),
    ("theta", Kind::Theta),
    ("quantiles", Kind::Quantiles),
    ("frequent-items", Kind::FrequentItems),
    ("bitmap", Kind::Bitmap),
    ("count", Kind::Count),
];

impl Kind {
    /// Finds an aggregator by its name.
    pub fn named(name: &str) -> Result<Kind> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| *kind).ok_or_else(|| {
            let near = did_you_mean(name, NAMES.iter().map(|(known, _)| *known));
            let names = NAMES.map(|(known, _)| known).join(", ");
            Error::UnknownName(format!(
                "there is no aggregator '{name}'{near}; available: {names}"
            ))
        })
    }

    /// The name in a plan.
    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(_, kind)| *kind == self);
        found.map_or("faithful", |(name, _)| name)
    }

    /// Every aggregator that a plan can name.
    pub fn all() -> impl Iterator<Item = Kind> {
        NAMES.iter().map(|(_, kind)| *kind)
    }

    /// Whether it takes one value and gives one of the same codec: of a value alone, that value.
    pub fn gives_one(self) -> bool {
        matches!(
            self,
            Kind::Sum
                | Kind::Product
                | Kind::Min
                | Kind::Max
                | Kind::And
                | Kind::Or
                | Kind::First
                | Kind::Last
                | Kind::Faithful
        )
    }

    /// Whether it finishes to pairs of key and number.
    pub fn is_map(self) -> bool {
        matches!(
            self,
            Kind::FrequencyMap | Kind::TimeSeries | Kind::FrequentItems
        )
    }

    /// Whether its state is that of a sketch or a bitmap.
    pub(crate) fn is_sketch(self) -> bool {
        matches!(
            self,
            Kind::Hll | Kind::Theta | Kind::Quantiles | Kind::FrequentItems | Kind::Bitmap
        )
    }

    /// The option that says how much is kept: its name, default and bounds.
    fn size(self) -> Option<(&'static str, u64, u64, u64)> {
        match self {
            Kind::TopN => Some(("n", 10, 1, MAX_KEPT)),
            Kind::Reservoir => Some(("size", 100, 1, MAX_KEPT)),
            Kind::Hll => Some(("lg_k", 12, 7, 21)),
            Kind::Theta => Some(("lg_k", 12, 5, 26)),
            Kind::Quantiles => Some(("k", 200, 8, 65_535)),
            Kind::FrequentItems => Some(("size", 64, 8, MAX_KEPT)),
            _ => None,
        }
    }
}

/// An aggregator with its options, those that it does not have at their defaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregate {
    pub kind: Kind,
    pub size: usize,
    pub separator: String,
    pub distinct: bool,
    pub bucket: Bucket,
}

impl From<Kind> for Aggregate {
    fn from(kind: Kind) -> Self {
        Aggregate {
            kind,
            size: kind.size().map_or(0, |(_, default, ..)| default as usize),
            separator: ",".into(),
            distinct: false,
            bucket: Bucket::Day,
        }
    }
}

impl Aggregate {
    /// Reads `{"name", option...}`; an option that the aggregator does not have is refused.
    pub fn parse(node: &Node<'_>) -> Result<Aggregate> {
        let named = node.member("name")?;
        let kind = Kind::named(named.name()?).map_err(|error| named.unknown(error.to_string()))?;
        let mut found = Aggregate::from(kind);
        match kind {
            Kind::Concat => {
                node.expect(&["name"], &["separator", "distinct"])?;
                if let Some(separator) = node.optional("separator")? {
                    found.separator = separator.text()?.into();
                }
                if let Some(distinct) = node.optional("distinct")? {
                    found.distinct = distinct.flag()?;
                }
            }
            Kind::TimeSeries => {
                node.expect(&["name"], &["bucket"])?;
                if let Some(bucket) = node.optional("bucket")? {
                    found.bucket = bucket.choice(&Bucket::NAMES)?;
                }
            }
            _ => match kind.size() {
                None => node.expect(&["name"], &[])?,
                Some((name, _, lowest, highest)) => {
                    node.expect(&["name"], &[name])?;
                    if let Some(size) = node.optional(name)? {
                        found.size = size.integer(lowest, highest)? as usize;
                        if kind == Kind::FrequentItems && !found.size.is_power_of_two() {
                            return Err(size.fail("a power of two is needed"));
                        }
                    }
                }
            },
        }
        Ok(found)
    }
}
