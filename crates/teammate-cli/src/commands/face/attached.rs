//! The full screen of a team that another process runs. Leaving it ends nothing.

use std::sync::Arc;

use teammate::{BoxFuture, LookOptions, TeamClient, TeamPlace, UserMessage, project::UserDirs};
use teammate_view::{Door, Fact, Verb, VerbResult};
use tokio::sync::Mutex;

use super::{
    About, ProgramEnvironment, ends,
    facts::{self, Facts},
    hosted::word,
    left_attached, print_left, setup,
};
use crate::{
    commands::{CliContext, CliResult},
    settings::user_dirs,
};

pub(super) async fn run(
    place: &CliContext,
    mut client: TeamClient,
    first_words: Option<UserMessage>,
) -> CliResult {
    client.require_user()?;
    if let Some(message) = first_words {
        client.send("lead", message).await?;
    }
    let Facts { first, next, pump } = facts::of_files(&client).await?;
    let workspace = std::fs::canonicalize(&place.dir)?;
    let host = client.host().unwrap_or_default();
    let about = About {
        team: client.team().name().to_owned(),
        workspace: workspace.display().to_string(),
        mode: client
            .team()
            .ceiling()
            .map(|mode| mode.to_string())
            .unwrap_or_default(),
        notes: vec![format!(
            "Attached to the team that {host} runs: leaving ends nothing"
        )],
    };
    let environment = ProgramEnvironment::new(&place.options, &workspace, client.team().id())?;
    let door = Arc::new(Attached {
        client: Mutex::new(client),
        place: place.team(),
        user: user_dirs(),
        options: place.look_options()?,
    });
    let setup = setup(place, door, environment, about)?;
    let ends = ends(std::future::pending())?;
    let shown = teammate_tui::run(setup, next, first, ends).await;
    pump.abort();
    let (leave, last) = shown?;
    Ok(print_left(last, left_attached(leave)))
}

/// The way to a team that another process runs: its journal and its mail.
struct Attached {
    client: Mutex<TeamClient>,
    place: TeamPlace,
    user: UserDirs,
    options: LookOptions,
}

impl Attached {
    async fn do_it(&self, verb: Verb) -> VerbResult {
        let mut client = self.client.lock().await;
        // Members and requests that came after the opening are known by that.
        let caught_up = client.catch_up().await;
        caught_up.map_err(|error| error.to_string())?;
        match verb {
            Verb::Say { to, text } => {
                let sent = client.send(to.as_str(), text).await;
                sent.map(|_| Vec::new()).map_err(|error| error.to_string())
            }
            Verb::Answer {
                request,
                saw,
                answer,
            } => {
                let word = word(&answer);
                let done = match saw {
                    Some(saw) => client.answer_seen(request, saw, answer).await,
                    None => client.answer(request, answer).await,
                };
                done.map_err(|error| error.to_string())?;
                Ok(vec![format!("{request}: {word}")])
            }
            Verb::Interrupt(member) => {
                let done = client.interrupt(member.as_ref()).await;
                done.map(|()| Vec::new()).map_err(|error| error.to_string())
            }
            Verb::Recall(mail) => {
                let done = client.recall(mail.as_ref()).await;
                done.map(|_| Vec::new()).map_err(|error| error.to_string())
            }
            Verb::Typed(line) => Err(format!(
                "{line}: not here; `teammate {}` in a shell does it",
                line.trim_start_matches('/')
            )),
        }
    }

    async fn read_all(&self) -> Result<Vec<Fact>, String> {
        let client = TeamClient::open_with(self.place.clone(), &self.user, self.options).await;
        let client = client.map_err(|error| error.to_string())?;
        let all = client.history().read_on().await;
        let all = all.map_err(|error| error.to_string())?;
        Ok(all.into_iter().map(facts::fact).collect())
    }
}

impl Door for Attached {
    fn ask(&self, verb: Verb) -> BoxFuture<'_, VerbResult> {
        Box::pin(self.do_it(verb))
    }

    fn history(&self) -> BoxFuture<'_, Result<Vec<Fact>, String>> {
        Box::pin(self.read_all())
    }

    fn is_host(&self) -> bool {
        false
    }
}
