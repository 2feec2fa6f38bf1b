//! The user's answers.

use std::sync::Arc;

use teammate_core::{
    name::DeviceName,
    request::{Answer, Digest, Request, RequestId},
};

use super::{UserVerb, known_request};
use crate::{Team, TeamClient, TeamError};

/// Answers a request; the first answer counts. Done: the request as it is then.
#[derive(Debug, Clone)]
pub struct AnswerRequest {
    /// Which.
    pub request: RequestId,
    /// The digest of what was shown: if the request asks for something else by now, nothing is answered. `None` where nothing was
    /// shown.
    pub saw: Option<Digest>,
    /// The answer.
    pub answer: Answer,
    /// The device of the user's that it comes from, if it is none of its terminals.
    pub device: Option<DeviceName>,
}

impl UserVerb for AnswerRequest {
    type Done = Arc<Request>;

    async fn here(self, team: &Team) -> Result<Arc<Request>, TeamError> {
        let seen = (self.request, self.saw);
        let answered = team.host.answer_from(self.device, seen, self.answer);
        answered.await?;
        known_request(&team.snapshot(), self.request)
    }

    async fn there(self, client: &mut TeamClient) -> Result<Arc<Request>, TeamError> {
        let seen = (self.request, self.saw);
        client.answer(self.device, seen, self.answer).await
    }
}
