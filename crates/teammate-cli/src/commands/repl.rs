//! Talks with the lead: a prompt that stays while the team works.

mod above;
mod answers;
mod choices;
mod command;
mod draft;
mod editing;
#[cfg(feature = "tui")]
pub(super) mod goes_on;
mod greeting;
mod input;
mod leave;
mod left;
mod offered;
mod printer;
mod prompt;
mod receipt;
mod screen;
mod session;
mod shell;
mod status;

use std::{process::ExitCode, sync::Arc};
use teammate_view::t;

use teammate::{Conversation, Team, TeamClient, TeamHandle, UserMessage, handle::Say};
use tokio::task::JoinSet;

#[cfg(feature = "tui")]
pub(super) use self::input::history as history_file;
use self::{
    left::LeftTeam,
    prompt::{LinePrompt, PromptFacts},
};
use super::{
    CliContext, closing, facts,
    next_talk::TalkEnd,
    not_continuing,
    notify::{self, OwnAlert},
    typed,
    up::background,
};
use crate::screen::clean;

/// Talks until the user leaves: with the team that another process runs, or with one that this process opens. `first` is said to
/// the lead before anything is typed.
pub(super) async fn run(
    place: CliContext,
    conversation: Conversation,
    first: Option<UserMessage>,
) -> anyhow::Result<TalkEnd> {
    match place.look_at(place.team()).await? {
        Ok(client) if place.is_of_others(&client) => attach(&place, client, first).await,
        // Whatever is wrong with it, opening it says so.
        Ok(_) | Err(_) => host(&place, conversation, first).await,
    }
}

/// Opens the team; leaving closes it.
async fn host(
    place: &CliContext,
    conversation: Conversation,
    first: Option<UserMessage>,
) -> anyhow::Result<TalkEnd> {
    let builder = place.options.builder(prompt::is_terminal())?;
    let team = builder.conversation(conversation).prepare().await?;
    let state = team.changes().borrow().clone();
    let prompt = LinePrompt::open(team.workspace(), &state, team.secrets())?;
    greeting::print_banner(place, &team, &prompt).await;
    let is_resumed = conversation == Conversation::Everything;
    let mut notes = not_continuing::at_opening(&team, is_resumed).await;
    notes.extend(typed::notices(team.workspace()));
    for line in notes {
        prompt.note(&line);
    }
    let talk = HostTalk::begin(place, prompt, &team).await?;
    match first {
        Some(message) => {
            talk.prompt.says(&message);
            team.start_with(message).await?;
        }
        None => team.start().await?,
    }
    talk.run(place, Arc::new(team)).await
}

/// A prompt with what goes on beside it, of a team that this process runs.
struct HostTalk {
    prompt: LinePrompt,
    shown: PromptFacts,
    /// The user's own command for what needs them.
    alerting: JoinSet<()>,
}

impl HostTalk {
    async fn begin(place: &CliContext, prompt: LinePrompt, team: &Team) -> anyhow::Result<Self> {
        let command = OwnAlert::configured(&place.options, team.workspace())?;
        let shown = prompt.show(facts::of_host(team).await?, place.options.motion()?);
        let mut alerting = JoinSet::new();
        if let Some(command) = command.filter(|_| prompt.is_terminal) {
            let print = prompt.printer.clone();
            let say = move |how: &str| print.wrapped(how);
            alerting.spawn(notify::follow(team.changes(), team.name(), command, say));
        }
        Ok(Self {
            prompt,
            shown,
            alerting,
        })
    }

    /// Talks until the user leaves, and closes the team.
    async fn run(mut self, place: &CliContext, team: Arc<Team>) -> anyhow::Result<TalkEnd> {
        let reached = TeamHandle::here(team.clone());
        let left = self.prompt.talk(place, &reached).await;
        drop(reached);
        self.alerting.shutdown().await;
        closing::close_shared(team).await;
        // The feed has ended, so this does.
        self.shown.rest().await;
        self.prompt.close().await;
        let left = left?;
        let code = match left.team {
            LeftTeam::ToClose => ExitCode::SUCCESS,
            LeftTeam::HandedOver => background::hand_over(place).await?,
        };
        Ok(TalkEnd::of(code, left.next))
    }
}

/// Talks with the team that another process runs; leaving ends nothing.
async fn attach(
    place: &CliContext,
    client: TeamClient,
    first: Option<UserMessage>,
) -> anyhow::Result<TalkEnd> {
    client.require_user()?;
    let mut prompt = LinePrompt::open(client.workspace(), client.team(), client.secrets())?;
    let by = match client.host() {
        Some(host) if client.is_on_workers() => t!("the team on {host}", host),
        Some(host) => t!("the team that {host} runs", host),
        None => t("a team that no worker runs now").to_owned(),
    };
    prompt.printer.wrapped(&clean(&t!(
        "Attached to {by}: leaving ends nothing. /help lists the commands",
        by
    )));
    for line in typed::notices(client.workspace()) {
        prompt
            .printer
            .line(&t!("note: {text}", text = clean(&line)));
    }
    // What was asked before still waits.
    let open = client.team().questions();
    open.for_each(|question| prompt.asked.announce(question.id));
    let shown = prompt.show(facts::of_files(&client).await?, place.options.motion()?);
    let team = TeamHandle::there(client);
    if let Some(message) = first {
        prompt.says(&message);
        let to = "lead".to_owned();
        team.ask(Say { to, message }).await?;
    }
    let left = prompt.talk(place, &team).await;
    shown.cut().await;
    prompt.close().await;
    left.map(|left| TalkEnd::of(ExitCode::SUCCESS, left.next))
}
