//! The full screen of a team that this process runs. Leaving it pauses the team.

use std::{process::ExitCode, sync::Arc};

use teammate::{BoxFuture, Breadth, Conversation, Team, UserMessage, request::Answer};
use teammate_tui::ScreenEnd;
use teammate_view::{Door, Fact, Verb, VerbResult};

use super::{
    About, ProgramEnvironment, ends,
    facts::{self, Facts},
    print_left, setup, typed,
};
use crate::commands::{CliContext, CliResult, not_continuing, repl};

pub(super) async fn run(
    place: CliContext,
    conversation: Conversation,
    first_words: Option<UserMessage>,
) -> CliResult {
    let builder = place.options.builder(true)?;
    let team = builder.conversation(conversation).prepare().await?;
    let is_resumed = conversation == Conversation::Everything;
    let mut notes: Vec<String> = team.warnings().to_vec();
    notes.extend(not_continuing::at_opening(&team, is_resumed).await);
    let team = Arc::new(team);
    let Facts { first, next, pump } = facts::of_host(&team).await?;
    match first_words {
        Some(message) => team.start_with(message).await?,
        None => team.start().await?,
    }
    let about = About {
        team: team.name(),
        workspace: team.workspace().display().to_string(),
        mode: team.mode().to_string(),
        notes,
    };
    let environment = ProgramEnvironment::new(team.workspace(), team.look().await?.team().id());
    let door = Arc::new(Hosted { team: team.clone() });
    let setup = setup(&place, door, environment, about)?;
    let ends = ends(team.close_requested())?;
    let shown = teammate_tui::run(setup, next, first, ends).await;
    pump.abort();
    let _ = pump.await;
    let (leave, last) = match shown {
        Ok(shown) => shown,
        Err(error) => {
            close(team).await;
            return Err(error.into());
        }
    };
    close(team).await;
    let how = match leave {
        ScreenEnd::Asked => "Closed the team; unfinished turns go on with `teammate resume`",
        ScreenEnd::Ended => {
            "The team was paused from another terminal. `teammate resume` continues"
        }
    };
    print_left(last, how);
    Ok(ExitCode::SUCCESS)
}

/// Nobody else has it any more: the screen has ended everything that it began.
async fn close(team: Arc<Team>) {
    if let Some(team) = Arc::into_inner(team) {
        team.close().await;
    }
}

/// The way to a team that this process runs.
struct Hosted {
    team: Arc<Team>,
}

impl Hosted {
    async fn do_it(&self, verb: Verb) -> VerbResult {
        let team = &self.team;
        match verb {
            Verb::Say { to, text } => {
                let files = repl::speak(team, to.as_str(), &text).await?;
                Ok(files
                    .iter()
                    .map(|file| format!("attached: {file}"))
                    .collect())
            }
            Verb::Answer {
                request,
                saw,
                answer,
            } => {
                let word = word(&answer);
                let done = match saw {
                    Some(saw) => team.answer_seen(request, saw, answer).await,
                    None => team.answer(request, answer).await,
                };
                done.map_err(|error| error.to_string())?;
                Ok(vec![format!("{request}: {word}")])
            }
            Verb::Interrupt(Some(member)) => {
                team.interrupt(&member).await;
                Ok(Vec::new())
            }
            Verb::Interrupt(None) => {
                team.interrupt_all().await;
                Ok(Vec::new())
            }
            Verb::Recall(mail) => {
                let done = team.recall(mail.as_ref()).await;
                done.map(|_| Vec::new()).map_err(|error| error.to_string())
            }
            Verb::Typed(line) => Ok(typed::run(team, &line).await),
        }
    }
}

/// An answer in a word.
pub(super) fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Approve {
            always: Some(breadth),
            ..
        } => match breadth {
            Breadth::Exact => "yes, always",
            Breadth::Prefix => "yes, always with this prefix",
            Breadth::Tool => "yes, always with this tool",
        },
        Answer::Approve { always: None, .. } => "yes, once",
        Answer::Reject { .. } => "no",
    }
}

impl Door for Hosted {
    fn ask(&self, verb: Verb) -> BoxFuture<'_, VerbResult> {
        Box::pin(self.do_it(verb))
    }

    fn history(&self) -> BoxFuture<'_, Result<Vec<Fact>, String>> {
        Box::pin(async {
            let client = self.team.look().await.map_err(|error| error.to_string())?;
            let read = client.history().read_on().await;
            let all = read.map_err(|error| error.to_string())?;
            Ok(all.into_iter().map(facts::fact).collect())
        })
    }

    fn is_host(&self) -> bool {
        true
    }
}
