//! Every page of a file, counted once: used, free, or missing.

use super::free::{free_pages, Seen};

/// More problems than this are counted, not told.
const TOLD: usize = 100;

/// What a walk found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pages {
    /// Pages that hold something, those that are free, and those that the file should have but has not.
    pub used: u64,
    pub free: u64,
    pub beyond: u64,
    /// What is wrong, in words; at most a hundred, then only counted.
    pub problems: Vec<String>,
    pub problem_count: u64,
}

/// What was found so far.
pub(super) struct Account {
    /// Pages that the file has.
    pages: u64,
    /// The last page that it should have.
    last: u64,
    seen: Seen,
    free: Vec<u64>,
    found: Pages,
}

impl Account {
    /// Of a file with so many pages, the first two of which are the meta pages.
    pub fn new(pages: u64, last: u64) -> Account {
        let mut seen = Seen::new(pages.min(last + 1));
        seen.add(0);
        seen.add(1);
        Account {
            pages,
            last,
            seen,
            free: Vec::new(),
            found: Pages::default(),
        }
    }

    /// Takes a list of free pages.
    pub fn free_list(&mut self, bytes: &[u8]) {
        match free_pages(bytes) {
            Ok(pages) => self.free.extend(pages),
            Err(what) => self.problem(what.into()),
        }
    }

    /// Takes pages as used; false where they are no pages to go to.
    pub fn take(&mut self, name: &str, first: u64, count: u64) -> bool {
        let end = first.saturating_add(count);
        if first < 2 || end > self.last + 1 {
            self.problem(format!(
                "{name} refers to page {first}, which does not exist"
            ));
            return false;
        }
        if end > self.pages {
            self.problem(format!(
                "page {} of {name} is missing: the file was cut short",
                end - 1
            ));
            return false;
        }
        if !(first..end).all(|page| self.seen.add(page)) {
            self.problem(format!("page {first} of {name} is used twice"));
            return false;
        }
        self.found.used += count;
        true
    }

    /// After everything was walked over: which pages are neither used nor free?
    pub fn close(mut self) -> Pages {
        let free = std::mem::take(&mut self.free);
        let mut beyond = 0;
        for &page in &free {
            if page < 2 || page > self.last {
                self.problem(format!("page {page} is free, but does not exist"));
            } else if page >= self.pages {
                beyond += 1;
            } else if !self.seen.add(page) {
                self.problem(format!("page {page} is free and used, or free twice"));
            }
        }
        self.found.free = free.len() as u64;
        self.found.beyond = (self.last + 1).saturating_sub(self.pages);
        // A page that was given out and freed by one transaction may never have been written.
        if self.found.beyond > beyond {
            self.problem(format!(
                "{} pages are missing at the end: the file was cut short",
                self.found.beyond - beyond
            ));
        }
        // After other damage, what lies below it was not seen.
        let missing = self.seen.missing();
        if missing > 0 && self.found.problem_count == 0 {
            self.problem(format!("{missing} pages are neither used nor free"));
        }
        self.found
    }

    pub fn problem(&mut self, what: String) {
        self.found.problem_count += 1;
        if self.found.problems.len() < TOLD {
            self.found.problems.push(what);
        }
    }
}
