//! Which question a bare `y`, `a` or `n` answers: the one that was shown as *the* question, and no other. What was typed for a
//! question that was settled elsewhere in the meantime has no effect.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use teammate::{lock::Hold, request::RequestId};
use teammate_view::SeenRequest;

/// The questions that this prompt has shown. Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub(in crate::commands) struct ShownQuestion(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// The question that was shown and has no answer yet.
    shown: Option<RequestId>,
    /// Those that ask exactly the same, and were shown as one with it.
    alike: Vec<SeenRequest>,
    /// Settled elsewhere while it was on the screen, and nothing was typed since.
    lost: Option<RequestId>,
    /// Answered here; the journal may not have the answers yet.
    answered: BTreeSet<RequestId>,
    /// Questions whose event was shown. The journal may have more, whose events are not shown yet.
    announced: BTreeSet<RequestId>,
}

/// The meaning of a bare answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum BareAnswer {
    /// No question is open: the text goes to the lead.
    Word,
    Answers(RequestId),
    /// It was typed for this question, which was settled elsewhere.
    TooLate(RequestId),
    /// A question is open that was not shown yet.
    TooEarly,
    /// Only this plan waits for the user.
    Plan(RequestId),
}

impl ShownQuestion {
    /// The question that is shown.
    pub(in crate::commands) fn id(&self) -> Option<RequestId> {
        self.0.hold().shown
    }

    /// The event of this question was shown.
    pub(in crate::commands) fn announce(&self, question: RequestId) {
        self.0.hold().announced.insert(question);
    }

    /// Whether this one can be shown: it was announced, and the user has not answered it here.
    pub(in crate::commands) fn is_due(&self, question: RequestId) -> bool {
        let known = self.0.hold();
        known.announced.contains(&question) && !known.answered.contains(&question)
    }

    /// Shows this one as the question. What is typed once it can be seen waits until it counts as shown.
    /// Those that ask the same are answered with it.
    pub(in crate::commands) fn show(
        &self,
        question: RequestId,
        alike: Vec<SeenRequest>,
        print: impl FnOnce(),
    ) {
        let mut known = self.0.hold();
        print();
        (known.shown, known.alike) = (Some(question), alike);
    }

    /// Those that were shown as one with this question.
    pub(in crate::commands) fn alike(&self, question: RequestId) -> Vec<SeenRequest> {
        let known = self.0.hold();
        match known.shown == Some(question) {
            true => known.alike.clone(),
            false => Vec::new(),
        }
    }

    /// Has these answered by the user; they are questions again if the answer has no effect.
    pub(in crate::commands) async fn while_answered<T, E>(
        &self,
        questions: &[RequestId],
        answer: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        self.answer(questions);
        answer.await.inspect_err(|_| self.mark_unanswered())
    }

    /// The user is about to answer these.
    fn answer(&self, questions: &[RequestId]) {
        let mut known = self.0.hold();
        if known.shown.is_some_and(|shown| questions.contains(&shown)) {
            known.shown = None;
        }
        known.answered = questions.iter().copied().collect();
    }

    /// The answer did not count.
    fn mark_unanswered(&self) {
        self.0.hold().answered.clear();
    }

    /// A question is settled.
    pub(in crate::commands) fn settled(&self, question: RequestId) {
        let mut known = self.0.hold();
        known.announced.remove(&question);
        if known.shown == Some(question) {
            known.shown = None;
            known.lost = Some(question);
        }
    }

    /// A line was typed: what it means if it is a bare answer. `is_any`: whether any question is open.
    pub(in crate::commands) fn meaning_of_bare(&self, is_any: bool) -> BareAnswer {
        let mut known = self.0.hold();
        match (known.lost.take(), known.shown) {
            (Some(lost), _) => BareAnswer::TooLate(lost),
            (None, Some(question)) => BareAnswer::Answers(question),
            (None, None) if is_any => BareAnswer::TooEarly,
            (None, None) => BareAnswer::Word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> RequestId {
        RequestId::new(number)
    }

    #[test]
    fn an_answer_is_for_the_question_that_was_shown() {
        let asked = ShownQuestion::default();
        assert_eq!(asked.meaning_of_bare(false), BareAnswer::Word);
        assert_eq!(asked.meaning_of_bare(true), BareAnswer::TooEarly);
        asked.show(id(1), Vec::new(), || {});
        assert_eq!(asked.meaning_of_bare(true), BareAnswer::Answers(id(1)));
        asked.answer(&[id(1)]);
        // Settled by our own answer.
        asked.settled(id(1));
        assert_eq!(asked.meaning_of_bare(false), BareAnswer::Word);
        asked.show(id(2), Vec::new(), || {});
        assert_eq!(asked.meaning_of_bare(true), BareAnswer::Answers(id(2)));
    }

    #[test]
    fn what_was_typed_for_a_question_that_is_settled_answers_no_other() {
        let asked = ShownQuestion::default();
        asked.show(id(1), Vec::new(), || {});
        // It expires, and the next one is shown while a finger is on the way.
        asked.settled(id(1));
        asked.show(id(2), Vec::new(), || {});
        assert_eq!(asked.meaning_of_bare(true), BareAnswer::TooLate(id(1)));
        // After this notice, the next line is for the new question.
        assert_eq!(asked.meaning_of_bare(true), BareAnswer::Answers(id(2)));
    }

    #[test]
    fn a_question_is_due_once_an_event_told_of_it_until_it_is_answered() {
        let asked = ShownQuestion::default();
        assert!(
            !asked.is_due(id(1)),
            "the journal knows it before the event"
        );
        asked.announce(id(1));
        assert!(asked.is_due(id(1)));
        asked.answer(&[id(1)]);
        assert!(
            !asked.is_due(id(1)),
            "the journal may not know the answer yet"
        );
        asked.mark_unanswered();
        assert!(asked.is_due(id(1)));
        asked.settled(id(1));
        assert!(!asked.is_due(id(1)));
    }

    #[test]
    fn others_that_are_settled_change_nothing() {
        let asked = ShownQuestion::default();
        asked.show(id(1), Vec::new(), || {});
        asked.settled(id(2));
        asked.answer(&[id(2)]);
        assert_eq!(asked.meaning_of_bare(true), BareAnswer::Answers(id(1)));
    }
}
