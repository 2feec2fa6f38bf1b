//! Files that a command wrote where they would decide what programs do later: the member reads that they are held, the user is asked
//! with what is in them.

use std::fmt::Write as _;

use similar::TextDiff;
use teammate_core::{
    fence::escaped,
    port::{ToolContext, UserAnswer, UserQuestion},
};
use teammate_sandbox::HeldFile;

/// How many lines of one file the user is shown in the question.
const LINES_MAX: usize = 120;
/// How many files one question is about. More than that is nobody's to read at once.
const FILES_MAX: usize = 20;
/// Who asks, as tools are called.
const BY: &str = "sandbox";

/// What the member reads; empty if nothing was held. The user is asked meanwhile, and their yes puts the files in place.
pub(super) fn remark(held: Vec<HeldFile>, context: &ToolContext) -> String {
    let Some(first) = held.first() else {
        return String::new();
    };
    let names: Vec<String> = (held.iter().take(FILES_MAX))
        .map(|held| held.name().display().to_string())
        .collect();
    let more = match held.len().saturating_sub(FILES_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let at = first.held_at();
    let at = at.parent().and_then(std::path::Path::parent).unwrap_or(&at);
    let names = escaped(&names.join(", "));
    let ask = UserQuestion {
        by: BY.to_owned(),
        summary: format!(
            "put {names}{more} in place, which a command of {} wrote",
            context.caller.name
        ),
        text: question(&held, context),
    };
    let team = context.team.clone();
    let place = move |held: &HeldFile| held.put_in_place().is_ok();
    tokio::spawn(async move {
        if let UserAnswer::Yes(_) = team.ask_user(ask).await {
            let placed = move || held.iter().filter(|held| place(held)).count();
            // What cannot be put there stays where it is held.
            let _ = tokio::task::spawn_blocking(placed).await;
        }
    });
    format!(
        "[Held back: {names}{more}. Such a file decides what programs of the user do later, so what is new in it counts only after \
         the user's yes. The user is asked now, with its content; after a yes it stands there. Until then what was there before does. \
         Do not write it again; go on, or wait. It is kept in {}.]\n",
        at.display()
    )
}

/// All that the user needs to decide.
fn question(held: &[HeldFile], context: &ToolContext) -> String {
    let mut text = format!(
        "A command of {} wrote what decides what your programs do later. It is held in {}. If you wrote it yourself while the command \
         ran: a yes puts it back.\n",
        context.caller.name,
        context.workspace.team_dir.join("held").display()
    );
    for held in held.iter().take(FILES_MAX) {
        // A text in memory does not fail.
        let _ = write!(text, "\n{}\n", shown(held));
    }
    if held.len() > FILES_MAX {
        let _ = writeln!(
            text,
            "\n{} more files are not shown; a yes is for them, too.",
            held.len() - FILES_MAX
        );
    }
    text
}

fn shown(held: &HeldFile) -> String {
    let name = escaped(&held.name().display().to_string());
    if held.is_directory() {
        return format!(
            "{name}: a directory with too much in it to show; look at it before you say yes"
        );
    }
    let before = held.text_before();
    let kind = match (before.is_some(), held.is_executable()) {
        (false, false) => "new",
        (false, true) => "new, can be run",
        (true, false) => "changed",
        (true, true) => "changed, can be run",
    };
    let (before, after) = (before.unwrap_or_default(), held.text());
    let diff = TextDiff::from_lines(&before, &after);
    let diff = diff.unified_diff().context_radius(3).to_string();
    let lines: Vec<&str> = diff.lines().collect();
    let mut shown = format!(
        "{name} ({kind}):\n{}",
        escaped(&lines[..lines.len().min(LINES_MAX)].join("\n"))
    );
    if lines.len() > LINES_MAX {
        let _ = write!(
            shown,
            "\n({} more lines; all is in {})",
            lines.len() - LINES_MAX,
            held.held_at().display()
        );
    }
    shown
}
