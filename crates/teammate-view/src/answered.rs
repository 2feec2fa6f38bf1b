//! The user's last answers, and what nobody answered in time: by the moment of the answer, whenever it was asked.

use std::{collections::VecDeque, sync::Arc};

use teammate_core::{
    Timestamp,
    port::Record,
    request::{Principal, Request, RequestEvent, RequestKind, RequestState},
    team::{TeamEvent, TeamState},
};

/// So many are kept in mind.
const ANSWERED_MAX: usize = 64;

/// A request that was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweredRequest {
    /// The request, with its answer.
    pub request: Arc<Request>,
    /// When it was answered, or its time was over.
    pub at: Timestamp,
    /// The answer in a word.
    pub word: &'static str,
    /// How many other questions it answered, too: those that its "always" covers, or that asked the same and were answered as one
    /// with it.
    pub besides: usize,
}

/// The last answers, the newest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct AnsweredLately {
    pub(crate) all: VecDeque<AnsweredRequest>,
}

impl AnsweredLately {
    /// Takes a record that the team has already taken.
    pub(crate) fn take_record(&mut self, record: &Record, team: &TeamState) {
        for event in &record.events {
            let TeamEvent::Request { request, change } = event else {
                continue;
            };
            let is_end = matches!(
                change,
                RequestEvent::Approved { .. }
                    | RequestEvent::Rejected { .. }
                    | RequestEvent::Expired
            );
            let known = is_end.then(|| team.requests().get(*request)).flatten();
            // Members answer these.
            let known = known.filter(|known| known.request_kind() != RequestKind::Shutdown);
            if let Some(request) = known
                && let Some(word) = word(&request.state)
            {
                match self.answered_with(request, word) {
                    Some(first) => first.besides += 1,
                    None => self.push(request, record.at, word),
                }
            }
        }
    }

    /// The answer that this one came with: the one whose "always" covers it, or the last one, if that is the same to the same
    /// question of another member.
    fn answered_with(
        &mut self,
        request: &Request,
        word: &'static str,
    ) -> Option<&mut AnsweredRequest> {
        let cover = match &request.state {
            RequestState::Approved(approval) => approval.covered_by,
            RequestState::Pending
            | RequestState::Rejected { .. }
            | RequestState::Expired
            | RequestState::Cancelled { .. } => None,
        };
        match cover {
            Some(cover) => {
                let mut known = self.all.iter_mut();
                known.find(|known| known.request.id == cover)
            }
            None => {
                let last = self.all.front_mut()?;
                let is_same = last.word == word
                    && last.request.from != request.from
                    && last.request.permission().is_some()
                    && last.request.shows() == request.shows()
                    && last.request.summary() == request.summary();
                is_same.then_some(last)
            }
        }
    }

    fn push(&mut self, request: &Arc<Request>, at: Timestamp, word: &'static str) {
        self.all.push_front(AnsweredRequest {
            request: request.clone(),
            at,
            word,
            besides: 0,
        });
        self.all.truncate(ANSWERED_MAX);
    }
}

/// The word for an answer of the user, or for none in time; nothing for what others answered.
fn word(state: &RequestState) -> Option<&'static str> {
    match state {
        RequestState::Approved(approval) if approval.by == Principal::User => Some("yes"),
        RequestState::Rejected {
            by: Principal::User,
            ..
        } => Some("no"),
        RequestState::Expired => Some("expired"),
        RequestState::Pending
        | RequestState::Approved(_)
        | RequestState::Rejected { .. }
        | RequestState::Cancelled { .. } => None,
    }
}
