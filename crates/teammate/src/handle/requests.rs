//! The user's answers.

use teammate_core::request::{Answer, Digest, RequestId};

use super::UserVerb;
use crate::{Team, TeamClient, TeamError};

/// Answers a request; the first answer counts.
#[derive(Debug, Clone)]
pub struct AnswerRequest {
    /// Which.
    pub request: RequestId,
    /// The digest of what was shown: if the request asks for something else by now, nothing is answered. `None` where nothing was
    /// shown.
    pub saw: Option<Digest>,
    /// The answer.
    pub answer: Answer,
}

impl UserVerb for AnswerRequest {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        match self.saw {
            Some(saw) => {
                let answered = team.host.answer_seen(self.request, saw, self.answer);
                answered.await?;
            }
            None => team.host.answer(self.request, self.answer).await?,
        }
        Ok(())
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        let answered = match self.saw {
            Some(saw) => client.answer_seen(self.request, saw, self.answer).await,
            None => client.answer(self.request, self.answer).await,
        };
        answered.map(|_| ())
    }
}
