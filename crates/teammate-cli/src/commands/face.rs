//! The prompt without a command: the full screen, or plain lines, of the team that this process runs or that of another.

mod attached;
mod environment;
mod history;
mod hosted;

use std::{io::IsTerminal as _, sync::Arc};
use teammate_view::t;

use teammate::{
    Budget, Conversation, Timestamp, UserMessage,
    contained::{Bug, contained},
};
use teammate_tui::{After, Ends, Leaving, MouseUse, ScreenEnd, ScreenSetup, Theme};
use teammate_view::{
    Door, Fact, TeamView,
    screens::{TeamFacts, welcome::WorkspaceKind},
    theme::{ThemePreset, ThemeSettings},
};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc,
};

pub(super) use self::attached::show as watch;
use self::environment::ProgramEnvironment;
use super::{
    CliContext,
    door::ChosenTalk,
    next_talk::{NextTalk, TalkEnd},
    repl,
};
use crate::{
    screen::{Local, WaitingErrors, write_clean},
    settings::{FaceSettings, ScreenSetting, is_accessible},
};

/// Opens the screen that fits: lines where there is no terminal for more. `first` is said to the lead before anything is typed.
pub(super) async fn run(
    place: CliContext,
    conversation: Conversation,
    first: Option<UserMessage>,
) -> anyhow::Result<TalkEnd> {
    if !shows_full(&place)? {
        return repl::run(place, conversation, first).await;
    }
    let client = place.look_at(place.team()).await?;
    match client {
        Ok(client) if place.is_of_others(&client) => attached::run(&place, client, first).await,
        // Whatever is wrong with it, opening it says so.
        Ok(_) | Err(_) => hosted::run(place, conversation, first).await,
    }
}

/// Whether the full screen is wanted, and can be shown.
pub(super) fn shows_full(place: &CliContext) -> anyhow::Result<bool> {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let can_move = std::env::var("TERM").is_ok_and(|term| !matches!(term.as_str(), "" | "dumb"));
    let is_wanted = place.options.screen()? == ScreenSetting::Full;
    Ok(is_wanted && is_terminal && can_move && !is_accessible())
}

/// Shows the full screen until the user leaves, or a bug ends it. The terminal is given back either way; what is to be said meanwhile
/// by others is printed then.
async fn shown(
    setup: ScreenSetup,
    facts: mpsc::Receiver<Fact>,
    first: TeamView,
    ends: Ends,
) -> Result<std::io::Result<(ScreenEnd, Option<String>)>, Bug> {
    let _waits = WaitingErrors::begin();
    let screen = teammate_tui::run(setup, facts, first, ends);
    contained("the full screen", screen).await
}

/// The parts that the screen needs of a team of this process or of another.
fn setup(
    place: &CliContext,
    door: Arc<dyn Door>,
    environment: ProgramEnvironment,
    about: TeamAbout,
) -> anyhow::Result<ScreenSetup> {
    let FaceSettings {
        keys,
        mut theme,
        ui,
    } = place.options.face()?;
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        theme = ThemeSettings {
            preset: ThemePreset::None,
            ..ThemeSettings::default()
        };
    }
    let model = place.options.model().map(|model| model.to_string());
    Ok(ScreenSetup {
        door,
        team: about.team,
        model: model.unwrap_or_default(),
        mode: about.mode,
        facts: TeamFacts {
            workspace: about.workspace,
            prices: place.options.prices()?,
            limits: about.limits,
            way_on: String::new(),
        },
        theme: Theme::new(&theme),
        keys,
        mouse: match ui.mouse {
            true => MouseUse::OfScreen,
            false => MouseUse::OfTerminal,
        },
        motion: ui.motion,
        kept: environment.kept(),
        history: environment.history(),
        workspace: about.beginning,
        opened: about.opened,
        notes: about.notes,
        begins_at: about.begins_at,
        leaving: about.leaving,
        clock: Box::new(|at| Local::at(at).to_string()),
        environment: Box::new(environment),
    })
}

/// Facts about a team that the screen shows and no fact of the view has.
struct TeamAbout {
    team: String,
    workspace: String,
    mode: String,
    /// The budget of all members, where this process knows it.
    limits: Budget,
    beginning: WorkspaceKind,
    /// How this came to be the screen of the team, in a line.
    opened: Option<String>,
    notes: Vec<String>,
    begins_at: Option<Timestamp>,
    leaving: Leaving,
}

/// Resolves when the screen should end: a signal, or `closing`.
fn ends(closing: impl Future<Output = ()> + Send + 'static) -> std::io::Result<Ends> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(Ends {
        end: Box::pin(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
                () = closing => {}
            }
        }),
    })
}

/// The user's next talk: the last choice, unless they stayed after all and left later.
async fn chosen_after(after: After, chosen: &ChosenTalk) -> Option<NextTalk> {
    match after {
        After::GoesOn => chosen.lock().await.take(),
        After::Nothing => None,
    }
}

/// Prints the words that stay in the terminal's own scrollback.
fn print_left(last: Option<String>, how: &str) {
    let mut text = String::new();
    if let Some(last) = last {
        text.push_str(last.trim_end());
        text.push_str("\n\n");
    }
    if !how.is_empty() {
        text.push_str(how);
        text.push('\n');
    }
    write_clean(&mut std::io::stdout(), &text);
}

/// How a face that did not run the team says that it has ended.
fn left_attached(leave: ScreenEnd, is_run: bool) -> &'static str {
    match leave {
        ScreenEnd::Asked(_) | ScreenEnd::HandOver(_) if !is_run => {
            t("The team is as it was. `teammate resume` continues it")
        }
        ScreenEnd::Asked(_) | ScreenEnd::HandOver(_) => {
            t("The team goes on. `teammate` comes back to it, `teammate stop` pauses it")
        }
        ScreenEnd::Ended => t("The team was closed. `teammate resume` continues"),
    }
}
