//! What is typed with a `/` in front, at the plain prompt and in the full screen: one file per command, one table of them all.
//! A command reaches the team of this process or that of another ([`TypedTeam`]), and answers with lines.

mod answer;
mod compact;
mod context;
mod cost;
mod diff;
mod export;
mod help;
mod inbox;
mod init;
mod interrupt;
mod model;
mod named_files;
mod offered;
mod plan;
mod recall;
mod requests;
mod roster;
mod rules;
mod say;
mod shutdown;
mod status;
mod tasks;
mod team;
mod undo;
mod unknown;
mod worktrees;

use std::fmt;

use teammate::BoxFuture;

pub(super) use self::{
    answer::answer_with,
    offered::{offered_commands, offered_files},
    say::{Said, say},
    team::TypedTeam,
    unknown::unknown_command,
};
use super::{CliContext, repl::ShownQuestion};
use crate::screen::{Style, clean};

/// A command of the prompt.
pub(super) struct TypedCommand {
    /// What is typed: `/cost`.
    pub(super) word: &'static str,
    /// What may follow, for the help: `[NAME]`.
    usage: &'static str,
    /// What it does, in a line.
    about: &'static str,
    run: for<'a> fn(TypedCall<'a>) -> BoxFuture<'a, anyhow::Result<String>>,
}

/// There is one command of each word.
impl PartialEq for TypedCommand {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl Eq for TypedCommand {}

impl fmt::Debug for TypedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

/// All of them, in the order of the help.
pub(super) const COMMANDS: &[&TypedCommand] = &[
    &roster::TEAM,
    &tasks::TASKS,
    &cost::COST,
    &context::CONTEXT,
    &diff::DIFF,
    &undo::UNDO,
    &inbox::INBOX,
    &model::MODEL,
    &model::EFFORT,
    &compact::COMPACT,
    &interrupt::INTERRUPT,
    &recall::RECALL,
    &init::INIT,
    &export::EXPORT,
    &status::STATUS,
    &rules::RULES,
    &worktrees::WORKTREES,
    &requests::REQUESTS,
    &answer::APPROVE,
    &answer::DENY,
    &plan::PLAN,
    &shutdown::SHUTDOWN,
    &help::HELP,
];

/// Leaves the prompt: what it means is the prompt's own.
pub(super) const QUIT: &str = "/quit";

/// A command as it was typed, with what it works on.
pub(super) struct TypedCall<'a> {
    pub(super) team: TypedTeam<'a>,
    pub(super) place: &'a CliContext,
    /// What the prompt asks, where it asks one thing after the other.
    pub(super) asked: &'a ShownQuestion,
    pub(super) style: Style,
    /// How many columns a line may have; nothing if that is not known.
    pub(super) width: Option<usize>,
    /// What follows the command.
    pub(super) words: &'a str,
}

impl TypedCommand {
    /// A command by its word.
    pub(super) fn named(word: &str) -> Option<&'static Self> {
        let word = match word {
            "/models" => "/model",
            "/config" => "/status",
            "/?" => "/help",
            other => other,
        };
        COMMANDS.iter().copied().find(|known| known.word == word)
    }

    /// Does what it is for; returns the lines that answer it, maybe none, or why it was not done.
    pub(super) async fn run(&self, call: TypedCall<'_>) -> Result<String, String> {
        let answer = (self.run)(call).await;
        answer.map_err(|error| clean(&format!("{error:#}")).trim_end().to_owned())
    }
}

/// The words of all commands.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    let words = COMMANDS.iter().map(|command| command.word);
    words.chain([QUIT])
}

/// The first word and the rest; the lead, where the first word names nobody.
fn member_and_rest(words: &str) -> (&str, &str) {
    let (member, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match member {
        "" => ("lead", ""),
        member => (member, rest.trim()),
    }
}
