//! The terms under which a transcript was written, and whether their order is sound.

use super::Entry;
use crate::team::Term;

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
