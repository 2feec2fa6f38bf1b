//! Commands that are typed with a `/` in front, at the plain prompt and in the full screen: one file per command, one table
//! of them all. A command reaches its team wherever that runs ([`TeamHandle`]), and answers with lines.

mod answer;
mod clear;
mod context;
mod cost;
mod custom;
mod diff;
#[cfg(test)]
mod every_verb;
mod export;
mod help;
mod hooks;
mod init;
#[cfg(feature = "mcp")]
mod mcp;
mod mode;
mod model;
mod named_files;
mod needs;
mod offered;
#[cfg(feature = "tui")]
mod pasted_file;
mod plan;
mod requests;
mod resume;
mod roster;
mod rules;
mod say;
#[cfg(feature = "mcp")]
mod server_prompt;
mod shutdown;
mod status;
mod tasks;
mod undo;
mod unknown;
mod words;
mod worktrees;

use std::sync::Arc;

use clap::Command;
use teammate::{
    BoxFuture, MemberName, TeamError, TeamHandle, TeamState,
    contained::{contained, may_fail_here},
    handle::find_member,
};
use teammate_view::{Choices, TeamView};

#[cfg(feature = "tui")]
pub(super) use self::pasted_file::pasted_file;
pub(super) use self::{
    answer::{answer_with, receipt},
    custom::notices,
    offered::{offered_commands, offered_files},
    say::{Said, say},
};
use super::{
    CliContext, compact,
    facts::fold_all,
    inbox, interrupt,
    next_talk::Next,
    recall,
    shown_question::ShownQuestion,
    verb::{TeamVerb, VerbCall},
};
use crate::screen::{Style, clean};

/// A command of the prompt.
struct TypedCommand {
    /// The typed word: `/cost`.
    word: &'static str,
    /// The words that may follow, for the help: `[NAME]`.
    usage: &'static str,
    /// The command's purpose, in a line.
    about: &'static str,
    run: for<'a> fn(TypedCall<'a>) -> BoxFuture<'a, anyhow::Result<TypedAnswer>>,
}

/// The answer to a command.
pub(super) enum TypedAnswer {
    /// Lines, maybe none.
    Lines(String),
    /// A request was answered; news of the team tell it, too, where they are shown.
    Answered(String),
    /// Something to choose from.
    Choices(Choices),
    /// The user goes on with something else.
    GoesOn(Next),
}

/// The run of a command that answers with lines.
fn in_lines<'a>(
    run: impl Future<Output = anyhow::Result<String>> + Send + 'a,
) -> BoxFuture<'a, anyhow::Result<TypedAnswer>> {
    Box::pin(async { run.await.map(TypedAnswer::Lines) })
}

/// All of them, in the order of the help.
const COMMANDS: &[&TypedCommand] = &[
    &roster::TEAM,
    &tasks::TASKS,
    &cost::COST,
    &context::CONTEXT,
    &diff::DIFF,
    &undo::UNDO,
    &TypedCommand::of::<inbox::Inbox>("/inbox"),
    &model::MODEL,
    &model::EFFORT,
    &mode::MODE,
    &TypedCommand::of::<compact::Compact>("/compact"),
    &clear::CLEAR,
    &resume::RESUME,
    &TypedCommand::of::<interrupt::Interrupt>("/interrupt"),
    &TypedCommand::of::<recall::Recall>("/recall"),
    &init::INIT,
    &export::EXPORT,
    &status::STATUS,
    &rules::RULES,
    &hooks::HOOKS,
    #[cfg(feature = "mcp")]
    &mcp::MCP,
    &worktrees::WORKTREES,
    &needs::NEEDS,
    &requests::REQUESTS,
    &answer::APPROVE,
    &answer::DENY,
    &plan::PLAN,
    &shutdown::SHUTDOWN,
    &help::HELP,
];

/// Leaves the prompt: what it means is the prompt's own.
pub(super) const QUIT: &str = "/quit";

/// The words that are a prompt's own.
const WORDS_OF_PROMPTS: [&str; 4] = [QUIT, "/exit", "/find", "/at"];

/// A command as it was typed, with what it works on.
pub(super) struct TypedCall<'a> {
    pub(super) team: &'a TeamHandle,
    /// The team as it was when the command was read.
    pub(super) state: Arc<TeamState>,
    pub(super) place: &'a CliContext,
    /// The question that the prompt asks, where it asks one thing after the other.
    pub(super) asked: &'a ShownQuestion,
    pub(super) style: Style,
    /// How many columns a line may have; nothing if that is not known.
    pub(super) width: Option<usize>,
    /// The words after the command.
    pub(super) words: &'a str,
}

impl TypedCommand {
    /// A verb of a team.
    const fn of<V: TeamVerb>(word: &'static str) -> Self {
        Self {
            word,
            usage: V::USAGE,
            about: V::ABOUT,
            run: |call| in_lines(run_verb::<V>(call)),
        }
    }

    /// A command by its word.
    fn named(word: &str) -> Option<&'static Self> {
        let word = match word {
            "/models" => "/model",
            "/config" => "/status",
            "/?" => "/help",
            other => other,
        };
        COMMANDS.iter().copied().find(|known| known.word == word)
    }
}

/// Does what a word with a `/` in front is for, a command of the program or one that people wrote down.
///
/// Errors: why it was not done.
pub(super) async fn run(word: &str, call: TypedCall<'_>) -> Result<TypedAnswer, String> {
    let answer = contained("a typed command", async {
        may_fail_here("command");
        match TypedCommand::named(word) {
            Some(command) => (command.run)(call).await,
            #[cfg(feature = "mcp")]
            None if word.starts_with(server_prompt::PREFIX) => {
                server_prompt::run(word, call).await.map(TypedAnswer::Lines)
            }
            None => custom::run(word, call).await.map(TypedAnswer::Lines),
        }
    });
    let answer = answer.await.unwrap_or_else(|bug| Err(bug.into()));
    answer.map_err(|error| clean(&format!("{error:#}")).trim_end().to_owned())
}

/// Carries out a verb of a team with the words that follow it.
async fn run_verb<V: TeamVerb>(call: TypedCall<'_>) -> anyhow::Result<String> {
    let command = Command::new("")
        .no_binary_name(true)
        .disable_help_flag(true);
    // What follows is text above all: a word that begins with a hyphen is one as any other.
    let command = V::augment_args(command).mut_args(|arg| match arg.is_positional() {
        true => arg.allow_hyphen_values(true),
        false => arg,
    });
    let matches = command.try_get_matches_from(words::split(call.words)?)?;
    let verb = V::from_arg_matches(&matches)?;
    let done = verb.carry_out(&call.verb()).await?;
    Ok(V::lines(&done, call.style).join("\n"))
}

/// The words of the program's own commands.
fn words() -> impl Iterator<Item = &'static str> {
    let words = COMMANDS.iter().map(|command| command.word);
    words.chain([QUIT])
}

impl TypedCall<'_> {
    /// Everything that is known of the team, folded.
    async fn view(&self) -> Result<TeamView, TeamError> {
        fold_all(&mut self.team.look().await?.history()).await
    }

    /// What a verb of a team works on.
    fn verb(&self) -> VerbCall<'_> {
        VerbCall {
            team: self.team,
            state: self.state.clone(),
        }
    }

    /// A member by name; an error names the roster.
    fn member(&self, name: &str) -> Result<MemberName, TeamError> {
        find_member(&self.state, name)
    }
}

/// The first word and the rest; the lead, where the first word names nobody.
fn member_and_rest(words: &str) -> (&str, &str) {
    let (member, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match member {
        "" => ("lead", ""),
        member => (member, rest.trim()),
    }
}
