//! How screens and the page reach a team, wherever it runs: what their verbs are to the team.

use std::sync::Arc;

use teammate::{
    BoxFuture, Refusal, TeamError, TeamHandle,
    handle::{AnswerRequest, Interrupt, Recall},
    request::RequestRefusal,
};
use teammate_view::{Door, Elsewhere, Fact, Verb, VerbAnswer, VerbRefusal, VerbResult};
use tokio::sync::Mutex;

use super::{
    CliContext, facts,
    next_talk::Next,
    shown_question::ShownQuestion,
    typed::{self, TypedAnswer, TypedCall, receipt, say},
};
use crate::screen::Style;

/// The choice of what to go on with; the last choice holds.
pub(super) type Chosen = Mutex<Option<Next>>;

/// The way of a screen to its team.
pub(super) struct TeamDoor {
    pub(super) team: TeamHandle,
    pub(super) place: CliContext,
    pub(super) chosen: Arc<Chosen>,
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
}

impl TeamDoor {
    async fn do_it(&self, verb: Verb) -> VerbResult {
        let lines = match verb {
            Verb::Typed(line) => return self.answer_to(&line).await,
            Verb::Say { to, text } => {
                let state = self.team.state().await.map_err(refusal)?;
                let said = say(&self.team, &state, to.as_str(), &text).await?;
                let files = said.files.iter();
                files.map(|file| format!("attached: {file}")).collect()
            }
            Verb::Answer {
                request,
                saw,
                answer,
            } => {
                let team = self.team.state().await.map_err(refusal)?;
                let receipt = receipt(&team, request, &answer);
                let verb = AnswerRequest {
                    request,
                    saw,
                    answer,
                };
                self.team.ask(verb).await.map_err(refusal)?;
                vec![receipt]
            }
            Verb::Interrupt(member) => {
                self.team.ask(Interrupt { member }).await.map_err(refusal)?;
                Vec::new()
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
        let (word, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let call = TypedCall {
            team: &self.team,
            state: self.team.state().await.map_err(refusal)?,
            place: &self.place,
            asked: &ShownQuestion::default(),
            style: Style::PLAIN,
            width: None,
            words: words.trim(),
        };
        Ok(match typed::run(word, call).await? {
            TypedAnswer::Lines(lines) => {
                VerbAnswer::Lines(lines.lines().map(str::to_owned).collect())
            }
            TypedAnswer::Answered(receipt) => VerbAnswer::Lines(vec![receipt]),
            TypedAnswer::Choices(choices) => VerbAnswer::Choices(choices),
            TypedAnswer::GoesOn(next) => {
                let elsewhere = match next {
                    Next::Team(_) => Elsewhere::Team,
                    Next::Conversation(_) => Elsewhere::Conversation,
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
