//! The greeting that the user sees first: the team and directory, and the last messages.

use teammate::{Team, TeamError, TeamPlace};
use teammate_view::screens::welcome::Welcome;
use teammate_view::t;

use super::{printer::Printer, prompt::LinePrompt};
use crate::{
    commands::{CliContext, beginning, log::last_exchange},
    screen::{Style, clean_line, fit},
};

/// The most lines of each last message.
const LINES_MAX: usize = 3;

/// Says where this is, at a terminal; notices in any case.
pub(super) async fn print_banner(place: &CliContext, team: &Team, prompt: &LinePrompt) {
    let print = &prompt.printer;
    if prompt.is_terminal {
        for line in where_this_is(place, team) {
            print.wrapped(&line);
        }
    }
    for notice in team.warnings() {
        prompt.note(notice);
    }
    if prompt.is_terminal {
        let read_max = place
            .options
            .read_max()
            .unwrap_or(teammate::TeamConfig::READ_MAX_BYTES);
        // An unreadable log must not keep the prompt from opening.
        let talked = print_last_result(place.team(), read_max, print).await;
        if let Ok(LastResult::Nothing) = talked {
            examples(team).iter().for_each(|line| print.wrapped(line));
        }
    }
}

/// What somebody who has not talked with this team could say.
fn examples(team: &Team) -> Vec<String> {
    let state = team.changes().borrow().clone();
    let workspace = beginning(team.workspace());
    let welcome = Welcome::to_begin(&state, workspace, "", &team.mode().to_string());
    let examples = welcome.examples.iter();
    let examples = examples.map(|example| format!("  \"{example}\""));
    std::iter::once(t(Welcome::SAY).to_owned())
        .chain(examples)
        .collect()
}

/// Whether anything was said before.
enum LastResult {
    Printed,
    Nothing,
}

fn where_this_is(place: &CliContext, team: &Team) -> [String; 2] {
    let model = place
        .options
        .model()
        .map(|model| model.to_string())
        .unwrap_or_default();
    [
        format!(
            "teammate {}, team '{}' in {}, permission mode {}",
            env!("CARGO_PKG_VERSION"),
            clean_line(&team.name()),
            clean_line(&team.workspace().display().to_string()),
            team.mode(),
        ),
        t!(
            "Type to talk with the lead ({model}). /help lists the commands, /quit leaves.",
            model = clean_line(&model)
        ),
    ]
}

/// The user's last words to the lead and the lead's last answer, a few lines of each.
async fn print_last_result(
    team: TeamPlace,
    read_max: u64,
    print: &Printer,
) -> Result<LastResult, TeamError> {
    let (style, last) = (Style::for_stdout(), last_exchange(team, read_max).await?);
    if last.person.is_none() && last.lead.is_none() {
        return Ok(LastResult::Nothing);
    }
    let said = last.person.map(|text| ("> ", text));
    let answered = last.lead.map(|text| ("  ", text));
    for (mark, text) in said.into_iter().chain(answered) {
        let width = teammate::platform::terminal_width(std::io::stdout());
        let room = width.map(|width| width.saturating_sub(mark.len() + 1));
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        for line in lines.by_ref().take(LINES_MAX) {
            print.line(&style.dim(&format!("{mark}{}", fit(&clean_line(line), room))));
        }
        let more = lines.count();
        if more > 0 {
            print.line(&style.dim(&t!("{mark}({more} more lines)", mark, more)));
        }
    }
    Ok(LastResult::Printed)
}
