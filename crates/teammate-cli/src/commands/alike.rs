//! One answer for all questions that ask exactly the same.

use std::str::FromStr;

use teammate::{
    TeamHandle, TeamState,
    handle::{AnswerRequest, known_request},
    request::{Answer, Request, RequestId, RequestIdError},
};
use teammate_view::{SeenRequest, asking_the_same};

/// A request as it is named where it is answered: `req_000003` or `3`; with a `+` behind it all that ask exactly the same are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AnsweredId {
    pub(crate) id: RequestId,
    with_alike: bool,
}

impl FromStr for AnsweredId {
    type Err = RequestIdError;

    fn from_str(text: &str) -> Result<Self, RequestIdError> {
        let (id, with_alike) = match text.strip_suffix('+') {
            Some(id) => (id, true),
            None => (text, false),
        };
        let id = id.parse()?;
        Ok(Self { id, with_alike })
    }
}

impl AnsweredId {
    /// Those that ask the same, where they are meant.
    pub(super) fn alike(self, team: &TeamState, asked: &Request) -> Vec<SeenRequest> {
        match self.with_alike {
            true => asking_the_same(team, asked),
            false => Vec::new(),
        }
    }
}

/// How many others an answer to this request settles by itself: those that its "always" covers.
fn covered(team: &TeamState, request: RequestId, answer: &Answer) -> usize {
    let always = match answer {
        Answer::Approve { always, .. } => *always,
        Answer::Reject { .. } => None,
    };
    let known = known_request(team, request).ok();
    let covered = known
        .zip(always)
        .map(|(request, always)| team.covered_by(&request, always).count());
    covered.unwrap_or_default()
}

/// Answers a question, and those that ask the same and still wait then. Gives it as it is then, and how many others were settled
/// with it; `team` is as it was before.
pub(super) async fn answer_all(
    reach: &TeamHandle,
    team: &TeamState,
    first: AnswerRequest,
    alike: Vec<SeenRequest>,
) -> Result<(std::sync::Arc<Request>, usize), teammate::TeamError> {
    let (answer, device) = (first.answer.clone(), first.device.clone());
    let mut besides = covered(team, first.request, &answer);
    let request = reach.ask(first).await?;
    // An "always" has settled them.
    let rest = if besides > 0 { Vec::new() } else { alike };
    for other in rest {
        let verb = AnswerRequest {
            request: other.request,
            saw: Some(other.saw),
            answer: answer.clone(),
            device: device.clone(),
        };
        // What was settled meanwhile needs no answer.
        besides += usize::from(reach.ask(verb).await.is_ok());
    }
    Ok((request, besides))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plus_means_all_that_ask_the_same() {
        let read = |text: &str| text.parse::<AnsweredId>().ok();
        let id = RequestId::new(3);
        let named = |with_alike| Some(AnsweredId { id, with_alike });
        assert_eq!(read("req_000003"), named(false));
        assert_eq!(read("3+"), named(true));
        assert_eq!(read("+"), None);
    }
}
