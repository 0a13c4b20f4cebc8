//! Where vertices go that were reached.

use crate::cells::BytesColumn;

/// Takes vertices as they stand in rows, escaped, in any order and more than once.
pub trait Reached {
    fn add(&mut self, vertex: &[u8]);
}

/// The neighbours of one vertex. Rows are sorted, so these mostly come in order and need neither a set nor a sort.
#[derive(Debug, Default)]
pub struct Ends {
    column: BytesColumn,
    last: usize,
    is_mixed: bool,
}

impl Reached for Ends {
    fn add(&mut self, vertex: &[u8]) {
        let before = self.column.data.get(self.last..).unwrap_or_default();
        if !self.column.view().is_empty() {
            if before == vertex {
                return;
            }
            self.is_mixed |= before > vertex;
        }
        self.last = self.column.data.len();
        self.column.push(vertex);
    }
}

impl Ends {
    /// All that were added since the last time, sorted, each once.
    pub fn take(&mut self) -> BytesColumn {
        let is_mixed = std::mem::take(&mut self.is_mixed);
        let column = std::mem::take(&mut self.column);
        self.last = 0;
        if !is_mixed {
            return column;
        }
        let view = column.view();
        let mut ends: Vec<&[u8]> = (0..view.len()).map(|at| view.get(at)).collect();
        ends.sort_unstable();
        ends.dedup();
        let mut sorted = BytesColumn::default();
        ends.iter().for_each(|end| sorted.push(end));
        sorted
    }

    /// As [`Ends::take`], behind what a column holds; gives how many there are.
    pub fn move_to(&mut self, column: &mut BytesColumn) -> usize {
        if self.is_mixed {
            let sorted = self.take();
            column.append(&sorted, 0..sorted.view().len());
            return sorted.view().len();
        }
        // The memory stays for the next vertex.
        let count = self.column.view().len();
        column.append(&self.column, 0..count);
        self.column.clear();
        self.last = 0;
        count
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn taken(ends: &mut Ends, added: &[&str]) -> Vec<String> {
        added.iter().for_each(|end| ends.add(end.as_bytes()));
        let column = ends.take();
        let view = column.view();
        let text = |at| String::from_utf8(view.get(at).to_vec()).unwrap();
        (0..view.len()).map(text).collect()
    }

    #[test]
    fn ends_come_sorted_and_once_whatever_their_order() {
        let mut ends = Ends::default();
        assert_eq!(taken(&mut ends, &["a", "a", "b"]), ["a", "b"]);
        assert_eq!(taken(&mut ends, &["", "", "a", ""]), ["", "a"]);
        assert_eq!(taken(&mut ends, &["b", "a", "b", "ab"]), ["a", "ab", "b"]);
        assert_eq!(taken(&mut ends, &[]), [""; 0]);
        assert_eq!(taken(&mut ends, &["c", "d"]), ["c", "d"]);
    }

    #[test]
    fn ends_are_moved_behind_others() {
        let (mut ends, mut all) = (Ends::default(), BytesColumn::default());
        for (added, count) in [
            (["c", "a", "c"], 2),
            (["b", "b", "d"], 2),
            (["a", "b", "c"], 3),
        ] {
            added.iter().for_each(|end| ends.add(end.as_bytes()));
            assert_eq!(ends.move_to(&mut all), count);
        }
        assert_eq!(all.data, b"acbdabc");
        assert_eq!(all.offsets, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
