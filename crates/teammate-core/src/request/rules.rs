//! Rules by which kinds of requests differ. Each kind answers them in its own file.

use super::{Answer, Principal, Request, RequestNotice, RequestRefusal, RequestState};
use crate::{MemberName, breadth::OfferedRules, mode::Mode, tool::ToolNames};

/// How much of a line a summary has.
const SUMMARY_CHARS: usize = 80;

/// The decisions of each kind of request. What is not answered here is the same for all kinds.
pub(crate) trait KindRules {
    /// The one who answers, in words.
    fn to(&self) -> String;

    /// Whether the user can answer it.
    fn awaits_user(&self) -> bool;

    /// A one-line summary of what is asked.
    fn summary(&self) -> String;

    /// Exactly what is asked.
    fn shows(&self) -> String {
        self.summary()
    }

    /// The rules of which an "always" makes one.
    fn offers(&self) -> OfferedRules {
        OfferedRules::default()
    }

    /// The member whose work it concerns.
    fn concerns<'a>(&'a self, from: &'a Principal) -> Option<&'a MemberName> {
        from.name()
    }

    /// Its state in words, with who answered and why.
    fn describe(&self, state: &RequestState) -> String {
        state.describe()
    }

    /// Whether it asks for one run of a call. The call reads the answer and uses a yes; other requests are answered by mail.
    fn is_for_call(&self) -> bool {
        false
    }

    /// Whether an answer counts only once its asker has heard it.
    fn awaits_hearing(&self) -> bool {
        false
    }

    /// Whether an answer counts after the deadline, too.
    fn takes_late_answers(&self) -> bool {
        false
    }

    /// Whether `by` may give this answer.
    fn may_answer(
        &self,
        request: &Request,
        by: &Principal,
        answer: &Answer,
    ) -> Result<(), RequestRefusal>;

    /// The mail to the one that answers; it names tools by `names`.
    fn opened(&self, request: &Request, names: &ToolNames) -> Option<RequestNotice>;

    /// The mail to its author, in a team with this ceiling.
    fn settled(
        &self,
        _request: &Request,
        _ceiling: Mode,
        _names: &ToolNames,
    ) -> Option<RequestNotice> {
        None
    }
}

/// The beginning of a line; ` ...` follows if `whole` goes on.
pub(super) fn beginning(line: &str, whole: &str) -> String {
    let short: String = line.chars().take(SUMMARY_CHARS).collect();
    let more = if short.len() < whole.len() {
        " ..."
    } else {
        ""
    };
    short + more
}
