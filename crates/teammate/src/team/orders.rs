//! What a face of a running team does with care: takes words back, and answers no more than what it has shown.

use teammate_core::{
    Message, MessageId,
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
