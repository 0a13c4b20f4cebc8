//! Cursors that pass on cells of their source, and skip the others.

/// The methods of a cursor whose top is that of its source: `settle` moves the source on to the next cell that
/// is given, from where it stands.
macro_rules! settling {
    () => {
        fn top(&self) -> Option<CellRef<'_>> {
            self.source.top()
        }

        fn advance(&mut self) -> Result<()> {
            self.source.advance()?;
            self.settle()
        }
    };
}

pub(in crate::stages) use settling;
