//! What a face of a running team does with care: takes words back, and answers no more than what it has shown.

use teammate_core::{
    Message, MessageId,
    permission::Mode,
    request::{Answer, Digest, RequestId},
};

use super::Team;
use crate::TeamError;

impl Team {
    /// Takes back mail of the user that no member has heard: this one, or the last. Returns it, so that its words can be said
    /// anew.
    ///
    /// Errors: who has heard it, or that there is none.
    pub async fn recall(&self, mail: Option<&MessageId>) -> Result<Message, TeamError> {
        Ok(self.host.recall(mail).await?)
    }

    /// Chooses another permission mode for the team, until it is closed: from the next call of any member on.
    ///
    /// Errors: the machine's administrator forbids it, or it cannot be recorded.
    pub async fn choose_mode(&self, mode: Mode) -> Result<(), TeamError> {
        Ok(self.host.choose_mode(mode).await?)
    }

    /// Begins a new conversation with the lead, which rests; the team, its board and its mail stay, and so does what was said.
    ///
    /// Errors: the lead works.
    pub async fn clear(&self) -> Result<(), TeamError> {
        Ok(self.host.clear().await?)
    }

    /// The user answers a request that was shown with this digest ([`Request::digest`](teammate_core::request::Request::digest)).
    /// If it asks for something else by now, nothing is answered.
    pub async fn answer_seen(
        &self,
        request: RequestId,
        saw: Digest,
        answer: Answer,
    ) -> Result<(), TeamError> {
        Ok(self.host.answer_seen(request, saw, answer).await?)
    }
}
