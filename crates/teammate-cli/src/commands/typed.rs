//! Commands that are typed with a `/` in front, at the plain prompt and in the full screen: one file per command, one table
//! of them all. A command reaches its team wherever that runs ([`TeamHandle`]), and answers with lines.

mod clear;
mod context;
mod custom;
mod diff;
#[cfg(test)]
mod every_verb;
mod export;
mod help;
mod hooks;
mod init;
#[cfg(any(feature = "acp", feature = "tui", feature = "web"))]
mod line;
#[cfg(feature = "mcp")]
mod mcp;
mod mode;
mod model;
mod named_files;
mod offered;
#[cfg(feature = "tui")]
mod pasted_file;
mod plan;
mod resume;
mod roster;
mod rules;
mod say;
#[cfg(feature = "mcp")]
mod server_prompt;
mod shutdown;
mod status;
mod undo;
mod unknown;

use std::ops::Deref;

use teammate::{
    BoxFuture, TeamError,
    contained::{contained, may_fail_here},
};
use teammate_view::{Choices, TeamView};

#[cfg(any(feature = "acp", feature = "tui", feature = "web"))]
pub(super) use self::line::run_line;
#[cfg(feature = "tui")]
pub(super) use self::pasted_file::pasted_file;
pub(super) use self::{
    custom::notices,
    offered::{offered_commands, offered_files},
    say::{SentWords, say},
};
use super::{
    approve, compact, cost, deny,
    facts::fold_all,
    go_on, goal, inbox, interrupt, needs,
    next_talk::NextTalk,
    pause, recall, requests,
    shown_question::ShownQuestion,
    tasks,
    verb::{TeamVerb, VerbCall},
    worktrees,
};
use teammate_view::language::translated_sentence;

use crate::screen::clean;

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
    GoesOn(NextTalk),
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
    &TypedCommand::of::<tasks::Tasks>(),
    &TypedCommand::of::<cost::Cost>(),
    &context::CONTEXT,
    &diff::DIFF,
    &undo::UNDO,
    &TypedCommand::of::<inbox::Inbox>(),
    &model::MODEL,
    &model::EFFORT,
    &mode::MODE,
    &TypedCommand::of::<compact::Compact>(),
    &clear::CLEAR,
    &resume::RESUME,
    &TypedCommand::of::<interrupt::Interrupt>(),
    &TypedCommand::of::<pause::Pause>(),
    &TypedCommand::of::<go_on::Continue>(),
    &TypedCommand::of::<recall::Recall>(),
    &TypedCommand::of::<goal::GoalVerb>(),
    &init::INIT,
    &export::EXPORT,
    &status::STATUS,
    &rules::RULES,
    &hooks::HOOKS,
    #[cfg(feature = "mcp")]
    &mcp::MCP,
    &TypedCommand::of::<worktrees::Worktrees>(),
    &TypedCommand::of::<needs::Needs>(),
    &TypedCommand::of::<requests::Requests>(),
    &TypedCommand::of::<approve::Approve>(),
    &TypedCommand::of::<deny::Deny>(),
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
    pub(super) on: VerbCall<'a>,
    /// The question that the prompt asks, where it asks one thing after the other.
    pub(super) asked: &'a ShownQuestion,
    /// The words after the command.
    pub(super) words: &'a str,
}

impl<'a> Deref for TypedCall<'a> {
    type Target = VerbCall<'a>;

    fn deref(&self) -> &VerbCall<'a> {
        &self.on
    }
}

impl TypedCommand {
    /// A verb of a team.
    const fn of<V: TeamVerb>() -> Self {
        Self {
            word: V::WORD,
            usage: V::USAGE,
            about: V::ABOUT,
            run: |call| Box::pin(run_verb::<V>(call)),
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
    answer.map_err(|error| {
        let said = translated_sentence(&format!("{error:#}")).into_owned();
        clean(&said).trim_end().to_owned()
    })
}

/// Carries out a verb of a team with the words that follow it.
async fn run_verb<V: TeamVerb>(call: TypedCall<'_>) -> anyhow::Result<TypedAnswer> {
    let verb = V::typed(call.words, &call.state)?;
    let answers = verb.answers();
    let done = verb.carry_out(&call);
    let done = match answers {
        Some(request) => call.asked.while_answered(&[request], done).await,
        None => done.await,
    }?;
    let notes = done.notes.iter().map(|text| clean(text).into_owned());
    let lines: Vec<String> = done.lines.into_iter().chain(notes).collect();
    let lines = lines.join("\n");
    Ok(match answers {
        Some(_) => TypedAnswer::Answered(lines),
        None => TypedAnswer::Lines(lines),
    })
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
}

/// The first word and the rest; the lead, where the first word names nobody.
fn member_and_rest(words: &str) -> (&str, &str) {
    let (member, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match member {
        "" => ("lead", ""),
        member => (member, rest.trim()),
    }
}
