//! The greeting that the user sees first: the team and directory, and the last messages.

use teammate::{Team, TeamError, TeamPlace};

use super::{printer::Printer, prompt::LinePrompt};
use crate::{
    commands::{CliContext, log::last_exchange},
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
        let _ = print_last_result(place.team(), read_max, print).await;
    }
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
        format!(
            "Type to talk with the lead ({}). /help lists the commands, /quit leaves.",
            clean_line(&model)
        ),
    ]
}

/// The user's last words to the lead and the lead's last answer, a few lines of each.
async fn print_last_result(
    team: TeamPlace,
    read_max: u64,
    print: &Printer,
) -> Result<(), TeamError> {
    let (style, last) = (Style::for_stdout(), last_exchange(team, read_max).await?);
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
            print.line(&style.dim(&format!("{mark}({more} more lines)")));
        }
    }
    Ok(())
}
