//! How screens and the page reach a team, wherever it runs: what their verbs are to the team.

use std::sync::Arc;

use teammate::{
    BoxFuture, CallId, MemberName, Refusal, TeamError, TeamHandle,
    handle::{AnswerRequest, Continue, Interrupt, Pause, Recall},
    request::RequestRefusal,
};
use teammate_view::{
    Door, Elsewhere, Fact, ShownPicture, Verb, VerbAnswer, VerbRefusal, VerbResult, answer_receipt,
    continue_receipt, heard_after_pause, pause_receipt,
};
use tokio::sync::Mutex;

use super::{
    CliContext,
    alike::answer_all,
    facts,
    next_talk::NextTalk,
    typed::{self, TypedAnswer, say},
};

/// The choice of what to go on with; the last choice holds.
pub(super) type ChosenTalk = Mutex<Option<NextTalk>>;

/// The way of a screen to its team.
pub(super) struct TeamDoor {
    pub(super) team: TeamHandle,
    pub(super) place: CliContext,
    pub(super) chosen: Arc<ChosenTalk>,
}

impl Door for TeamDoor {
    fn ask(&self, verb: Verb) -> BoxFuture<'_, VerbResult> {
        Box::pin(self.do_it(verb))
    }

    fn history(&self) -> BoxFuture<'_, Result<Vec<Fact>, String>> {
        Box::pin(async {
            let facts = async {
                let mut history = self.team.look().await?.history();
                facts::read_all(&mut history).await
            };
            facts.await.map_err(|error: TeamError| error.to_string())
        })
    }

    fn pictures<'a>(
        &'a self,
        member: &'a MemberName,
        call: &'a CallId,
    ) -> BoxFuture<'a, Result<Vec<ShownPicture>, String>> {
        Box::pin(async move {
            let found = async { self.team.look().await?.pictures(member, call).await };
            let found = found.await.map_err(|error: TeamError| error.to_string())?;
            let shown = found.into_iter().map(|picture| ShownPicture {
                media_type: picture.media_type,
                bytes: picture.bytes,
            });
            Ok(shown.collect())
        })
    }
}

impl TeamDoor {
    async fn do_it(&self, verb: Verb) -> VerbResult {
        let lines = match verb {
            Verb::Typed(line) => return self.answer_to(&line).await,
            Verb::Say { to, text } => {
                let state = self.team.state().await.map_err(refusal)?;
                let said = say(&self.team, &state, to.as_str(), &text).await?;
                let files = said.files.iter();
                let files = files.map(|file| format!("attached: {file}"));
                files.chain(state.pause().map(heard_after_pause)).collect()
            }
            Verb::Answer {
                request,
                saw,
                answer,
                alike,
                device,
            } => {
                let before = self.team.state().await.map_err(refusal)?;
                let verb = AnswerRequest {
                    request,
                    saw,
                    answer: answer.clone(),
                    device,
                };
                let answered = answer_all(&self.team, &before, verb, alike).await;
                let (request, besides) = answered.map_err(refusal)?;
                vec![answer_receipt(&request, &answer, besides)]
            }
            Verb::Interrupt(member) => {
                self.team.ask(Interrupt { member }).await.map_err(refusal)?;
                Vec::new()
            }
            Verb::Pause(device) => {
                let state = self.team.state().await.map_err(refusal)?;
                self.team.ask(Pause { device }).await.map_err(refusal)?;
                vec![pause_receipt(state.pause())]
            }
            Verb::Continue(device) => {
                let state = self.team.state().await.map_err(refusal)?;
                self.team.ask(Continue { device }).await.map_err(refusal)?;
                vec![continue_receipt(state.pause())]
            }
            Verb::Recall(mail) => {
                self.team.ask(Recall { mail }).await.map_err(refusal)?;
                Vec::new()
            }
        };
        Ok(VerbAnswer::Lines(lines))
    }

    /// A command of the prompt.
    async fn answer_to(&self, line: &str) -> VerbResult {
        let answer = typed::run_line(line, &self.team, &self.place).await?;
        Ok(match answer {
            TypedAnswer::Lines(lines) | TypedAnswer::Answered(lines) => {
                VerbAnswer::Lines(lines.lines().map(str::to_owned).collect())
            }
            TypedAnswer::Choices(choices) => VerbAnswer::Choices(choices),
            TypedAnswer::GoesOn(next) => {
                let elsewhere = match next {
                    NextTalk::Team(_) => Elsewhere::Team,
                    NextTalk::Conversation(_) => Elsewhere::Conversation,
                };
                *self.chosen.lock().await = Some(next);
                VerbAnswer::GoesOn(elsewhere)
            }
        })
    }
}

/// Why a screen's verb was not done.
fn refusal(error: TeamError) -> VerbRefusal {
    match error {
        TeamError::Refused(Refusal::Request(why @ RequestRefusal::Settled { .. })) => {
            VerbRefusal::Settled(why.to_string())
        }
        TeamError::Refused(Refusal::Request(why @ RequestRefusal::OtherDigest { .. })) => {
            VerbRefusal::OtherDigest(why.to_string())
        }
        error => VerbRefusal::Other(error.to_string()),
    }
}
