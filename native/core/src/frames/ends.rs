//! Which rows of an edge count where both of them may be found.

use std::collections::HashSet;

use crate::plan::Element;
use crate::Result;

/// Vertices in key form.
pub type Keys = HashSet<Vec<u8>>;

/// Vertices by name, or from the first to the last of some ranges.
#[derive(Debug, Clone)]
pub enum Among {
    Keys(Keys),
    Ranges(Vec<(Vec<u8>, Vec<u8>)>),
}

impl Among {
    fn contains(&self, key: &[u8]) -> bool {
        match self {
            Among::Keys(keys) => keys.contains(key),
            Among::Ranges(ranges) => ranges
                .iter()
                .any(|(low, high)| low.as_slice() <= key && key <= high.as_slice()),
        }
    }
}

/// What is left out: the row of an edge that does not lead where it should, or whose other row is found too.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    /// Whether directed edges are found by both ends; undirected ones always are.
    pub turns: bool,
    /// What the far end of an edge must be one of.
    pub far_in: Option<Keys>,
    /// Where the far end must be for the other row to be found.
    pub again_far: Option<Among>,
    /// Where the near end must be for that.
    pub again_near: Option<Keys>,
}

impl Ends {
    /// Whether an element counts; vertices always do.
    pub(super) fn keep(
        &self,
        element: &Element<'_>,
        scratch: &mut Vec<u8>,
        other: &mut Vec<u8>,
    ) -> Result<bool> {
        let Some(directed) = element.direction() else {
            return Ok(true);
        };
        let far = element.far_end(scratch)?.unwrap_or_default();
        if self.far_in.as_ref().is_some_and(|keys| !keys.contains(far)) {
            return Ok(false);
        }
        let Some(again) = &self.again_far else {
            return Ok(true);
        };
        if element.once() || (directed && !self.turns) || !again.contains(far) {
            return Ok(true);
        }
        let Some(near) = &self.again_near else {
            return Ok(false);
        };
        Ok(!near.contains(element.first_end(other)?.unwrap_or_default()))
    }
}
