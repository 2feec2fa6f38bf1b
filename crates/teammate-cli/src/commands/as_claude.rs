//! `teammate as-claude`: programs that were written for `claude -p`, and the agent SDKs that start it, have a team work.
//!
//! `words` makes our own command line of theirs, before anything of it is read, so that all flags have the meaning that they have
//! elsewhere, and the machine's policy holds for them. The lines in both directions are `teammate-serve`'s.

mod program;
mod settings;
mod which;
mod words;

use std::{ffi::OsString, process::ExitCode, sync::Arc};

use clap::{Args, ValueEnum};
use teammate::{
    CONTENT_BYTES_MAX, Ephemeral, ResultSchema, TeamPlace, UserMessage, attachments::Attachments,
};
use teammate_serve::claude::{
    ClaudeAnswers, ClaudeInput, ClaudeOpening, ClaudeOutput, ClaudeSession, refused_opening,
    serve_claude,
};

pub(super) use self::words::translated;
use self::{program::Program, which::Chosen};
use super::{
    CliContext, CliResult, SharedOptions, UsageError, Verb, print_json, run::stdin,
    signals::asked_to_end,
};
use crate::{
    screen::{OutputFormat, print_warning},
    settings::user_dirs,
};

/// The variable by which the SDKs ask for a message when the session waits for them.
const READS_STATE: &str = "CLAUDE_CODE_SDK_READS_SESSION_STATE";

/// Do what `claude -p` does with the same flags, for programs and agent SDKs that start it
///
/// Its flags are taken, and its lines of JSON are read and written. What a flag means here is in docs/as-claude.md; one that means
/// nothing here is refused. A session is a team of its own, kept in .teams/. A link to this program with the name `claude` does
/// the same without the verb.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct AsClaude {
    /// The job; without one it comes on standard input
    prompt: Vec<String>,

    /// What to print
    #[arg(long, value_enum, default_value_t)]
    output_format: OutputFormat,

    /// What comes on standard input: text of the job, or lines of JSON
    #[arg(long, value_enum, default_value_t)]
    input_format: InputFormat,

    /// With `stream-json`: print the lead's words as they come, too
    #[arg(long)]
    include_partial_messages: bool,

    /// Continue this session
    #[arg(long, value_name = "ID", conflicts_with = "continue")]
    resume: Option<ClaudeSession>,

    /// Continue the last session of this directory
    #[arg(long)]
    r#continue: bool,

    /// Begin a session with this id
    #[arg(long, value_name = "ID")]
    session_id: Option<ClaudeSession>,

    /// With `--resume` and `--continue`: leave that session as it is, and go on in a copy of it
    #[arg(long)]
    fork_session: bool,

    /// Keep nothing of the session
    #[arg(long, conflicts_with_all = ["resume", "continue", "session_id"])]
    no_session_persistence: bool,

    /// Add this to what members read first
    #[arg(long, value_name = "TEXT")]
    append_system_prompt: Vec<String>,

    /// Require the result to be JSON that fits this JSON Schema
    #[arg(long, value_name = "JSON", value_parser = schema)]
    json_schema: Option<ResultSchema>,

    /// Have the program that starts this decide about permission, by its callback: `stdio`
    #[arg(long, value_name = "WAY", value_parser = ["stdio"])]
    permission_prompt_tool: Option<String>,

    /// Let nothing be changed or run: a plan is wanted.
    #[arg(long, hide = true)]
    plans_only: bool,

    /// Let nobody be asked.
    #[arg(long, hide = true)]
    asks_nobody: bool,

    /// A server of tools in the program that starts this.
    #[arg(long, hide = true, value_name = "NAME")]
    caller_server: Vec<String>,

    /// A server of tools that was named.
    #[arg(long, hide = true, value_name = "NAME")]
    named_server: Vec<String>,
}

const AFTER_HELP: &str = "\
Examples:
  teammate as-claude -p \"Fix the failing test\" --output-format json
  teammate as-claude -p --allowedTools \"Bash(cargo test:*),Edit\" \"...\"
  ln -s \"$(command -v teammate)\" ~/.local/lib/claude    for cli_path and pathToClaudeCodeExecutable";

/// What comes on standard input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum InputFormat {
    /// Text, which is the job or belongs to it
    #[default]
    Text,
    /// A JSON object per line: what the user says, and what is asked
    StreamJson,
}

fn schema(text: &str) -> Result<ResultSchema, String> {
    ResultSchema::of_text(text.to_owned())
}

impl Verb for AsClaude {
    const SHARED: SharedOptions = SharedOptions::All;

    async fn run(self, place: &CliContext) -> CliResult {
        let format = self.output_format;
        let served = self.serve(place).await;
        if let Err(error) = &served {
            say_refused(format, &format!("{error:#}"));
        }
        served
    }
}

/// Says in the caller's words that its session cannot be opened: the SDKs show no standard error.
fn say_refused(format: OutputFormat, why: &str) {
    match format {
        OutputFormat::Json | OutputFormat::StreamJson => print_json(&refused_opening(why)),
        OutputFormat::Text => {}
    }
}

/// Says it of a command line that was not understood. `given`: as the caller wrote it.
pub(super) fn say_not_understood(given: &[OsString], why: &str) {
    let is_json = |word: &OsString| {
        let word = word.to_string_lossy();
        ["json", "stream-json"]
            .iter()
            .any(|format| word.ends_with(format))
    };
    if given.iter().any(is_json) {
        say_refused(OutputFormat::StreamJson, why);
    }
}

impl AsClaude {
    async fn serve(self, place: &CliContext) -> CliResult {
        if place.options.names_team() {
            let what = "each session is a team of its own; leave --team out";
            return Err(UsageError(what.to_owned()).into());
        }
        let ephemeral = match self.no_session_persistence {
            true => Some(Ephemeral::begin(&place.dir)?),
            false => None,
        };
        let chosen = Chosen::of(&self, &place.dir)?;
        chosen.copied(place).await?;
        let session = chosen.session;
        let team = match &ephemeral {
            Some(run) => run.place(),
            None => session.place(&place.dir),
        };
        let opening = self.opening(session, team).await?;
        let end = asked_to_end()?;
        let streams = (tokio::io::stdin(), tokio::io::stdout());
        let program = Arc::new(Program(place.clone()));
        let code = serve_claude(program, opening, streams, end).await;
        if let Some(run) = ephemeral {
            let notes = run.end(&user_dirs()).await;
            notes.iter().for_each(|note| print_warning(note));
        }
        Ok(ExitCode::from(code))
    }

    async fn opening(
        self,
        session: ClaudeSession,
        place: TeamPlace,
    ) -> anyhow::Result<ClaudeOpening> {
        let answers = match (self.plans_only, self.permission_prompt_tool) {
            (true, _) => ClaudeAnswers::Plan,
            (false, Some(_)) if !self.asks_nobody => ClaudeAnswers::Caller,
            (false, Some(_) | None) => ClaudeAnswers::Nobody,
        };
        let output = match self.output_format {
            OutputFormat::Text => ClaudeOutput::Text,
            OutputFormat::Json => ClaudeOutput::Json,
            OutputFormat::StreamJson => ClaudeOutput::StreamJson {
                with_pieces: self.include_partial_messages,
            },
        };
        let input = match self.input_format {
            InputFormat::StreamJson if output.has_messages() => ClaudeInput::Lines,
            InputFormat::StreamJson => {
                let what = "--input-format stream-json goes with --output-format stream-json";
                return Err(UsageError(what.to_owned()).into());
            }
            InputFormat::Text => ClaudeInput::Job(job(self.prompt.join(" ")).await?),
        };
        Ok(ClaudeOpening {
            session,
            place,
            input,
            output,
            answers,
            instructions: self.append_system_prompt,
            schema: self.json_schema,
            caller_servers: self.caller_server,
            servers: self.named_server,
            tells_state: std::env::var_os(READS_STATE).is_some(),
        })
    }
}

/// The job, from the command line and standard input.
async fn job(prompt: String) -> anyhow::Result<UserMessage> {
    let prompt = match prompt.is_empty() {
        true => "-".to_owned(),
        false => prompt,
    };
    let text = stdin::job(prompt).await?;
    if text.trim().is_empty() || text.len() > CONTENT_BYTES_MAX {
        let max = CONTENT_BYTES_MAX / 1024;
        let what = format!(
            "a job has some text, and at most {max} KiB; give it behind -p or on standard input"
        );
        return Err(UsageError(what).into());
    }
    let attachments = Attachments::default();
    Ok(UserMessage { text, attachments })
}
