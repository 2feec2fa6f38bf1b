//! `teammate conversations`: the lead's conversations, one for each job.

use clap::Args;
use serde_json::json;
use teammate::{ConversationLine, Outside, platform::now};

use super::{Ended, Place, say, say_json};
use crate::screen::{Style, ago, clean};

/// The most characters of the person's first words in a line.
const PROMPT_CHARS_MAX: usize = 60;

/// List the lead's conversations
///
/// `teammate run` begins a new one, `teammate run --continue` goes on with the last one and `teammate run --conversation ID` with
/// any other. What one leaves unfinished stays paused until it goes on; `teammate resume` goes on with everything.
#[derive(Args)]
pub(crate) struct Conversations {
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Conversations {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let outside = place.look().await?;
        let lines = outside.conversations().await?;
        if self.json {
            let lines: Vec<_> = lines.iter().map(|line| as_json(line, &outside)).collect();
            say_json(&json!({ "conversations": lines }));
        } else {
            let style = Style::for_stdout();
            lines
                .iter()
                .for_each(|line| say(as_text(line, &outside, style)));
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

/// `running`, `unfinished` or `finished`.
fn state(line: &ConversationLine, outside: &Outside) -> &'static str {
    if line.is_current && outside.runs_in().is_some() {
        "running"
    } else if line.unfinished.is_empty() {
        "finished"
    } else {
        "unfinished"
    }
}

fn as_json(line: &ConversationLine, outside: &Outside) -> serde_json::Value {
    json!({
        "id": line.id,
        "began_at": line.began,
        "state": state(line, outside),
        "current": line.is_current,
        "prompt": line.prompt,
        "unfinished": {
            "lead": line.unfinished.lead,
            "members": line.unfinished.members,
            "tasks": line.unfinished.tasks,
        },
    })
}

fn as_text(line: &ConversationLine, outside: &Outside, style: Style) -> String {
    let prompt = line.prompt.as_deref().unwrap_or("(nothing was said)");
    let prompt = clean(prompt)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let mut shown: String = prompt.chars().take(PROMPT_CHARS_MAX).collect();
    if shown.len() < prompt.len() {
        shown.push('…');
    }
    let mut state = state(line, outside).to_owned();
    if !line.unfinished.is_empty() {
        state = format!("{state}: {}", line.unfinished);
    }
    let began = ago(now().millis_since(line.began) / 1000);
    let mark = if line.is_current { "*" } else { " " };
    format!(
        "{mark} {}  {}  {shown} ({state})",
        line.id,
        style.dim(&began)
    )
}
