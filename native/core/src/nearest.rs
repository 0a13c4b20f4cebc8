//! The known name that looks most like an unknown one, for error messages.

/// Writes `(did you mean: name?)` with a blank before it, or nothing.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let written: Vec<char> = name.chars().take(64).collect();
    let nearest = known
        .into_iter()
        .map(|known| (distance(&written, known), known))
        .filter(|(edits, known)| *edits <= known.len().max(written.len()) / 2)
        .min_by_key(|(edits, _)| *edits);
    nearest.map_or_else(String::new, |(_, known)| {
        format!(" (did you mean: {known}?)")
    })
}

/// How many characters must be put in, taken out or replaced to get from one to the other.
fn distance(left: &[char], right: &str) -> usize {
    let mut row: Vec<usize> = (0..=left.len()).collect();
    for (place, wanted) in right.chars().enumerate() {
        let mut diagonal = place;
        let mut before = place + 1;
        for (entry, &found) in row.iter_mut().skip(1).zip(left) {
            let replaced = diagonal + usize::from(found != wanted);
            diagonal = *entry;
            before = replaced.min(*entry + 1).min(before + 1);
            *entry = before;
        }
        if let Some(first) = row.first_mut() {
            *first = place + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_finds_its_name() {
        let known = ["grep", "versions", "whole-row"];
        assert_eq!(
            did_you_mean("versoins", known),
            " (did you mean: versions?)"
        );
        assert_eq!(did_you_mean("x", known), "");
    }
}
