//! The numbers of a transcript's entries, and the terms under which it was written. Turns, calls and what was spent are known by
//! numbers for ever, so a lost line keeps its number: nothing new may be taken for something old.

use super::Entry;
use crate::id::Term;

/// Lines that are lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// They stood before this one of the entries that are left.
    pub before: usize,
    /// How many are known of.
    pub lines: u64,
}

/// The numbers of a transcript's entries, from the first on, without end. The gaps are in ascending order.
pub fn numbers(gaps: &[Gap]) -> impl Iterator<Item = u64> {
    let mut gaps = gaps.iter().peekable();
    let mut lost = 0;
    (0..).map(move |at: usize| {
        while let Some(gap) = gaps.next_if(|gap| gap.before <= at) {
            lost += gap.lines;
        }
        at as u64 + lost
    })
}

/// The number of the entry that comes after so many, which is the length of the transcript.
pub fn length(entries: usize, gaps: &[Gap]) -> u64 {
    let known = gaps.iter().filter(|gap| gap.before <= entries);
    entries as u64 + known.map(|gap| gap.lines).sum::<u64>()
}

/// A worker took a member over under a term that was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "entry {at} of the transcript is a take-over under term {term}, after term {last}: it was appended without a compare. \
     Nothing was dropped; the member does not go on before somebody has looked"
)]
pub struct TermError {
    /// The entry's place.
    pub at: usize,
    pub term: Term,
    /// The term before.
    pub last: Term,
}

/// The last term under which a transcript was taken; none in those of one process.
pub fn last_term(entries: &[Entry]) -> Term {
    let mut terms = entries.iter().rev().filter_map(taken);
    terms.next().unwrap_or_default()
}

/// Whether terms only rise. A reader drops nothing: what breaks this rule is reported.
pub fn check_terms(entries: &[Entry]) -> Result<(), TermError> {
    let mut last = Term::NONE;
    for (at, entry) in entries.iter().enumerate() {
        let Some(term) = taken(entry) else { continue };
        if term < last {
            return Err(TermError { at, term, last });
        }
        last = term;
    }
    Ok(())
}

fn taken(entry: &Entry) -> Option<Term> {
    match entry {
        Entry::Taken { term } => Some(*term),
        Entry::MemoryReset
        | Entry::Conversation(_)
        | Entry::Heard(_)
        | Entry::Answered(_)
        | Entry::ToolOutcomes(_)
        | Entry::Prompted(_)
        | Entry::TurnEnded(_)
        | Entry::HandedOver(_)
        | Entry::Shortened { .. }
        | Entry::Compacted(_)
        | Entry::SummaryFailed { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_line_keeps_its_number() {
        let gap = |before, lines| Gap { before, lines };
        for (gaps, expected, next) in [
            (vec![], [0, 1, 2], 3),
            (vec![gap(0, 2)], [2, 3, 4], 5),
            (vec![gap(1, 1), gap(1, 1), gap(2, 3)], [0, 3, 7], 8),
            (vec![gap(3, 1), gap(9, 1)], [0, 1, 2], 4),
        ] {
            let found: Vec<u64> = numbers(&gaps).take(3).collect();
            assert_eq!(
                (found.as_slice(), length(3, &gaps)),
                (&expected[..], next),
                "{gaps:?}"
            );
        }
    }

    fn taken(term: u64) -> Entry {
        Entry::Taken { term: Term(term) }
    }

    #[test]
    fn terms_rise_and_a_life_of_the_same_term_may_take_again() {
        let text = Entry::Prompted("go on".into());
        let sound = [taken(1), text.clone(), taken(3), taken(3), text];
        assert_eq!(check_terms(&sound), Ok(()));
        assert_eq!(last_term(&sound), Term(3));
        assert_eq!(last_term(&[]), Term::NONE);
    }

    #[test]
    fn a_term_that_was_over_is_reported_with_its_place() {
        let error = check_terms(&[taken(2), taken(1)]).unwrap_err();
        assert_eq!((error.at, error.term, error.last), (1, Term(1), Term(2)));
        assert!(error.to_string().contains("Nothing was dropped"), "{error}");
    }
}
