//! Questions of members to the user that the other side has: asked once, withdrawn when somebody else has answered.

use std::{collections::BTreeMap, sync::Arc};

use teammate::{
    Team,
    handle::AnswerRequest,
    request::{Answer, Request, RequestId, RequestKind},
};
use tokio::task::{AbortHandle, JoinSet};

/// The questions that the other side has. `Asked` is what a door keeps of one, `Came` an answer as it is read.
#[derive(Debug)]
pub(crate) struct Questions<Asked, Came> {
    open: BTreeMap<RequestId, Question<Asked>>,
    answers: JoinSet<Came>,
}

#[derive(Debug)]
struct Question<Asked> {
    asked: Asked,
    waits: AbortHandle,
}

impl<Asked, Came> Default for Questions<Asked, Came> {
    fn default() -> Self {
        Self {
            open: BTreeMap::new(),
            answers: JoinSet::new(),
        }
    }
}

impl<Asked, Came: Send + 'static> Questions<Asked, Came> {
    /// Those that are not among these any more: they were settled elsewhere, and are to be withdrawn. Their answers come no more.
    pub(crate) fn settled(&mut self, questions: &[Arc<Request>]) -> Vec<(RequestId, Asked)> {
        let is_open = |id: &RequestId| questions.iter().any(|one| one.id == *id);
        let settled = self.open.extract_if(.., |id, _| !is_open(id));
        settled.map(|(id, one)| (id, one.withdrawn())).collect()
    }

    /// Whether the other side has this one.
    pub(crate) fn has(&self, id: RequestId) -> bool {
        self.open.contains_key(&id)
    }

    /// The other side has it now; `answer` comes from there.
    pub(crate) fn add(
        &mut self,
        id: RequestId,
        asked: Asked,
        answer: impl Future<Output = Came> + Send + 'static,
    ) {
        let waits = self.answers.spawn(answer);
        self.open.insert(id, Question { asked, waits });
    }

    /// It has its answer.
    pub(crate) fn remove(&mut self, id: RequestId) -> Option<Asked> {
        self.open.remove(&id).map(|one| one.asked)
    }

    /// All, which are to be withdrawn. Their answers come no more.
    pub(crate) fn take_all(&mut self) -> Vec<Asked> {
        let open = std::mem::take(&mut self.open).into_values();
        open.map(Question::withdrawn).collect()
    }

    /// The next answer; never, if nothing is asked.
    pub(crate) async fn next(&mut self) -> Came {
        loop {
            match self.answers.join_next().await {
                Some(Ok(came)) => return came,
                // It was withdrawn.
                Some(Err(_)) => {}
                None => return std::future::pending().await,
            }
        }
    }
}

impl<Asked> Question<Asked> {
    fn withdrawn(self) -> Asked {
        self.waits.abort();
        self.asked
    }
}

/// Takes an answer to the team, for exactly what was shown. If somebody else was faster, that answer holds.
pub(crate) async fn answer(team: &Team, request: &Request, answer: Answer) {
    let verb = AnswerRequest {
        request: request.id,
        saw: request.digest().cloned(),
        answer,
        device: None,
    };
    let _ = team.ask(verb).await;
}

/// Refuses what members ask permission for, where nothing is to be changed or run.
pub(crate) async fn refuse_permissions(team: &Team, because: &str) {
    for request in team.questions() {
        if request.request_kind() == RequestKind::Permission {
            let no = AnswerRequest {
                request: request.id,
                saw: None,
                answer: Answer::no(because),
                device: None,
            };
            let _ = team.ask(no).await;
        }
    }
}
