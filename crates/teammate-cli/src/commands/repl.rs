//! Talks with the lead: a prompt that stays while the team works.

mod above;
mod choices;
mod command;
mod draft;
mod editing;
mod greeting;
mod input;
mod leave;
mod left;
mod offered;
mod printer;
mod prompt;
mod question;
mod receipt;
mod screen;
mod session;
mod shell;
mod status;
mod talk_team;
mod too_late;
mod words;

use std::process::ExitCode;

use teammate::{Conversation, TeamClient, UserMessage};
use tokio::{sync::Mutex, task::JoinSet};

#[cfg(feature = "tui")]
pub(super) use self::input::history as history_file;
pub(super) use self::question::ShownQuestion;
use self::{left::LeftTeam, prompt::Prompt, talk_team::TalkTeam};
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
    let command = OwnAlert::configured(&place.options, team.workspace())?;
    let state = team.changes().borrow().clone();
    let mut prompt = Prompt::open(team.workspace(), &state, team.secrets())?;
    greeting::print_banner(place, &team, &prompt).await;
    let is_resumed = conversation == Conversation::Everything;
    let mut notes = not_continuing::at_opening(&team, is_resumed).await;
    notes.extend(typed::notices(team.workspace()));
    for line in notes {
        prompt.note(&line);
    }
    let shown = prompt.show(facts::of_host(&team).await?);
    let mut alerting = JoinSet::new();
    if let Some(command) = command.filter(|_| prompt.is_terminal) {
        let print = prompt.printer.clone();
        let say = move |how: &str| print.wrapped(how);
        alerting.spawn(notify::follow(team.changes(), team.name(), command, say));
    }
    match first {
        Some(message) => {
            prompt.says(&message);
            team.start_with(message).await?;
        }
        None => team.start().await?,
    }
    let left = prompt.talk(place, TalkTeam::Host(&team)).await;
    alerting.shutdown().await;
    closing::close(team).await;
    // The feed has ended, so this does.
    shown.rest().await;
    prompt.close().await;
    let left = left?;
    let code = match left.team {
        LeftTeam::ToClose => ExitCode::SUCCESS,
        LeftTeam::HandedOver => background::hand_over(place).await?,
    };
    Ok(TalkEnd::of(code, left.next))
}

/// Talks with the team that another process runs; leaving ends nothing.
async fn attach(
    place: &CliContext,
    mut client: TeamClient,
    first: Option<UserMessage>,
) -> anyhow::Result<TalkEnd> {
    client.require_user()?;
    let mut prompt = Prompt::open(client.workspace(), client.team(), client.secrets())?;
    let by = match client.host() {
        Some(host) if client.is_on_workers() => format!("the team on {host}"),
        Some(host) => format!("the team that {host} runs"),
        None => "a team that no worker runs now".to_owned(),
    };
    prompt.printer.wrapped(&clean(&format!(
        "Attached to {by}: leaving ends nothing. /help lists the commands"
    )));
    for line in typed::notices(client.workspace()) {
        prompt.printer.line(&format!("note: {}", clean(&line)));
    }
    // What was asked before still waits.
    let open = client.team().questions();
    open.for_each(|question| prompt.asked.announce(question.id));
    let shown = prompt.show(facts::of_files(&client).await?);
    if let Some(message) = first {
        prompt.says(&message);
        client.send("lead", message).await?;
    }
    let team = TalkTeam::Client {
        host: client.host_process(),
        client: &Mutex::new(client),
    };
    let left = prompt.talk(place, team).await;
    shown.cut().await;
    prompt.close().await;
    left.map(|left| TalkEnd::of(ExitCode::SUCCESS, left.next))
}
