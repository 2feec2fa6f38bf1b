//! `teammate conversations`: the lead's conversations, one for each job.

use clap::{Args, Subcommand};
use serde_json::json;
use teammate::{ConversationId, ConversationLine, DroppedConversation, TeamClient, platform::now};

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};
use crate::screen::{Style, ago, clean};

/// The most characters of the user's first words in a line.
const PROMPT_CHARS_MAX: usize = 60;

/// List the lead's conversations
///
/// `teammate run` begins a new one, `teammate run --continue` uses the last one and `teammate run --conversation
/// ID` any other. Work that a conversation leaves unfinished stays paused until the conversation continues;
/// `teammate resume` continues all of them.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Conversations {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    verb: Option<ConversationsCommand>,
}

#[derive(Subcommand)]
enum ConversationsCommand {
    /// Drop an unfinished job, so that `resume` does not continue it
    ///
    /// Its paused members are interrupted, and their tasks in progress go back to the board. The job's tasks wait
    /// there until somebody assigns them. Its unread mail goes into the transcripts unanswered. Everything stays
    /// readable, and `teammate run --conversation ID` can still begin a new turn in it. The team must not be
    /// running.
    Drop {
        /// The conversation's number
        id: ConversationId,
    },
}

impl Verb for Conversations {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        if let Some(ConversationsCommand::Drop { id }) = self.verb {
            let dropped = client.drop_conversation(id).await?;
            print_line(as_sentences(id, &dropped));
            return Ok(std::process::ExitCode::SUCCESS);
        }
        let lines = client.conversations().await?;
        if self.json {
            let lines: Vec<_> = lines
                .iter()
                .map(|line| as_json(line, state(line, &client)))
                .collect();
            print_json(&json!({ "conversations": lines }));
        } else {
            let style = Style::for_stdout();
            lines
                .iter()
                .for_each(|line| print_line(as_text(line, &client, style)));
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

/// Where the conversation went, and how to get it back.
fn as_sentences(id: ConversationId, dropped: &DroppedConversation) -> String {
    let left = &dropped.unfinished;
    let mut done = Vec::new();
    if left.lead {
        done.push("the lead's turn has ended".to_owned());
    }
    done.extend(
        left.members
            .iter()
            .map(|name| format!("{name} is interrupted")),
    );
    let tasks: Vec<String> = left.tasks.iter().map(ToString::to_string).collect();
    if !tasks.is_empty() {
        let tasks = tasks.join(", ");
        done.push(format!("{tasks} waits until it is assigned"));
    }
    match dropped.unanswered {
        0 => {}
        1 => done.push("1 message stays unanswered".to_owned()),
        count => done.push(format!("{count} messages stay unanswered")),
    }
    format!(
        "Dropped conversation {id}: {}. Nothing was deleted; `teammate run --conversation {id} \"...\"` can still continue it",
        done.join("; ")
    )
}

/// How it stands: `running`, `unfinished`, `dropped` or `finished`.
pub(super) fn state(line: &ConversationLine, client: &TeamClient) -> &'static str {
    if line.is_current && client.host().is_some() {
        "running"
    } else if line.is_dropped {
        "dropped"
    } else if line.unfinished.is_empty() {
        "finished"
    } else {
        "unfinished"
    }
}

pub(super) fn as_json(line: &ConversationLine, state: &str) -> serde_json::Value {
    json!({
        "id": line.id,
        "began_at": line.began,
        "state": state,
        "current": line.is_current,
        "prompt": line.prompt,
        "unfinished": {
            "lead": line.unfinished.lead,
            "members": line.unfinished.members,
            "tasks": line.unfinished.tasks,
        },
    })
}

/// A conversation in a line.
fn as_text(line: &ConversationLine, client: &TeamClient, style: Style) -> String {
    let mark = if line.is_current { "*" } else { " " };
    format!("{mark} {}  {}", line.id, summary(line, client, style))
}

/// When it began, what the user said first, and how it stands.
pub(super) fn summary(line: &ConversationLine, client: &TeamClient, style: Style) -> String {
    let prompt = line.prompt.as_deref().unwrap_or("(no prompt)");
    let prompt = clean(prompt)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let mut shown: String = prompt.chars().take(PROMPT_CHARS_MAX).collect();
    if shown.len() < prompt.len() {
        shown.push('…');
    }
    let mut state = state(line, client).to_owned();
    if !line.unfinished.is_empty() {
        state = format!("{state}: {}", line.unfinished);
    }
    let began = ago(now().millis_since(line.began) / 1000);
    format!("{}  {shown} ({state})", style.dim(&began))
}
