//! The full screen of a team that another process runs. Leaving it ends nothing.

use std::{process::ExitCode, sync::Arc};
use teammate_view::t;

use teammate::{TeamClient, TeamHandle, Timestamp, UserMessage, handle::Say};
use teammate_tui::{Leaving, ScreenEnd};

use super::{
    ProgramEnvironment, TeamAbout, chosen_after, ends, left_attached, print_left, setup, shown,
};
use crate::commands::{
    CliContext, beginning,
    door::{ChosenTalk, TeamDoor},
    facts::{self, Facts},
    next_talk::TalkEnd,
    repl, typed,
};

pub(super) async fn run(
    place: &CliContext,
    mut client: TeamClient,
    first_words: Option<UserMessage>,
) -> anyhow::Result<TalkEnd> {
    if let Some(message) = first_words {
        client.require_user()?;
        client.ask(Say::to("lead", message)).await?;
    }
    show(place, client, None).await
}

/// Shows it, as it is now or was at a moment, until the user leaves.
pub(in crate::commands) async fn show(
    place: &CliContext,
    client: TeamClient,
    begins_at: Option<Timestamp>,
) -> anyhow::Result<TalkEnd> {
    client.require_user()?;
    let Facts { first, next, pump } = facts::of_files(&client).await?;
    let workspace = std::fs::canonicalize(&place.dir)?;
    let is_run = place.is_of_others(&client);
    let opened = match client.host() {
        Some(host) if client.is_on_workers() => {
            t!("Attached to the team on {host}: leaving ends nothing", host)
        }
        Some(host) => t!(
            "Attached to the team that {host} runs: leaving ends nothing",
            host
        ),
        None if place.is_attached => {
            t("No worker runs this team now; `teammate worker --join URL` starts one").to_owned()
        }
        None => t("No process runs this team; `teammate resume` continues it").to_owned(),
    };
    let about = TeamAbout {
        team: client.team().name().to_owned(),
        workspace: workspace.display().to_string(),
        mode: client
            .team()
            .ceiling()
            .map(|mode| mode.to_string())
            .unwrap_or_default(),
        // A process that runs the team alone has its own.
        limits: client.team().budgets().team,
        beginning: beginning(&workspace),
        opened: Some(opened),
        notes: typed::notices(&workspace),
        begins_at,
        leaving: Leaving::EndsNothing,
    };
    let environment = ProgramEnvironment::new(
        &place.options,
        &workspace,
        (client.team(), client.secrets().clone()),
    )?;
    let chosen = Arc::new(ChosenTalk::default());
    let door = Arc::new(TeamDoor {
        team: TeamHandle::there(client),
        place: place.clone(),
        chosen: chosen.clone(),
    });
    let setup = setup(place, door, environment, about)?;
    let ends = ends(std::future::pending())?;
    let shown = shown(setup, next, first, ends).await;
    pump.abort();
    let Ok(shown) = shown else {
        // It was said what the bug is.
        return repl::goes_on::attach_again(place).await;
    };
    let (leave, last) = shown?;
    print_left(last, left_attached(leave, is_run));
    let next = match leave {
        ScreenEnd::Asked(after) | ScreenEnd::HandOver(after) => chosen_after(after, &chosen).await,
        ScreenEnd::Ended => None,
    };
    Ok(TalkEnd::of(ExitCode::SUCCESS, next))
}
