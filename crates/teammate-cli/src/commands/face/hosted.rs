//! The full screen of a team that this process runs. Leaving it pauses the team, or hands it over to a process in the background.

use std::{process::ExitCode, sync::Arc};
use teammate_view::t;

use teammate::{Conversation, TeamHandle, UserMessage};
use teammate_tui::{After, Leaving, ScreenEnd};

use super::{ProgramEnvironment, TeamAbout, chosen_after, ends, print_left, setup, shown};
use crate::commands::{
    CliContext, beginning, closing,
    door::{ChosenTalk, TeamDoor},
    facts::{self, Facts},
    next_talk::TalkEnd,
    not_continuing, repl, typed,
    up::background,
};

pub(super) async fn run(
    place: CliContext,
    conversation: Conversation,
    first_words: Option<UserMessage>,
) -> anyhow::Result<TalkEnd> {
    let builder = place.options.builder(true)?;
    let team = builder.conversation(conversation).prepare().await?;
    let is_resumed = conversation == Conversation::Everything;
    let mut notes: Vec<String> = team.warnings().to_vec();
    notes.extend(not_continuing::at_opening(&team, is_resumed).await);
    notes.extend(typed::notices(team.workspace()));
    let team = Arc::new(team);
    let Facts { first, next, pump } = facts::of_host(&team).await?;
    match first_words {
        Some(message) => team.start_with(message).await?,
        None => team.start().await?,
    }
    let about = TeamAbout {
        team: team.name(),
        workspace: team.workspace().display().to_string(),
        mode: team.mode().to_string(),
        limits: place.options.budgets()?.team,
        beginning: beginning(team.workspace()),
        opened: None,
        notes,
        begins_at: None,
        leaving: Leaving::Pauses,
    };
    let state = team.changes().borrow().clone();
    let environment = ProgramEnvironment::new(
        &place.options,
        team.workspace(),
        (&state, team.secrets().clone()),
    )?;
    let chosen = Arc::new(ChosenTalk::default());
    let door = Arc::new(TeamDoor {
        team: TeamHandle::here(team.clone()),
        place: place.clone(),
        chosen: chosen.clone(),
    });
    let setup = setup(&place, door, environment, about)?;
    let ends = ends(team.close_requested())?;
    let shown = shown(setup, next, first, ends).await;
    pump.abort();
    let _ = pump.await;
    let (leave, last) = match shown {
        Ok(Ok(shown)) => shown,
        Ok(Err(error)) => {
            closing::close_shared(team).await;
            return Err(error.into());
        }
        // It was said what the bug is.
        Err(_) => return repl::goes_on::keep(&place, team).await,
    };
    closing::close_shared(team).await;
    let (how, after) = match leave {
        ScreenEnd::Asked(after) => (
            t("Closed the team; unfinished turns go on with `teammate resume`"),
            after,
        ),
        ScreenEnd::Ended => (
            t("The team was paused from another terminal. `teammate resume` continues"),
            After::Nothing,
        ),
        ScreenEnd::HandOver(after) => {
            print_left(last, "");
            let code = background::hand_over(&place).await?;
            return Ok(TalkEnd::of(code, chosen_after(after, &chosen).await));
        }
    };
    print_left(last, how);
    let next = chosen_after(after, &chosen).await;
    Ok(TalkEnd::of(ExitCode::SUCCESS, next))
}
