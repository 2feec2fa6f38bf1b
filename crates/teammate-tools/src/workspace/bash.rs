//! `bash`: runs a shell command in the workspace.
//!
//! Both output streams are one pipe, so they come in the order they were written. The shell's end is the command's
//! end: children that it leaves in the background keep the pipe, and whatever they still print is drained and
//! dropped, so that they neither hang the call nor die of a broken pipe. A command in the background (`background.rs`)
//! takes all that it started with it.

use std::{io, path::Path, sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    permission::ShellCommand,
    port::{Action, BoxFuture, Target, ToolContext},
    tool::{EffectClass, Outcome},
};
use teammate_git::TrustedPrograms;
use teammate_process::{
    CommandProcesses, HeldCommand, Leftovers, Mark, Owner, TeamSandbox, blocking, fed,
    git::for_members, look, waiting, waits_in_vain,
};
use teammate_sandbox::{Ended, Failure};
use tokio::{
    io::AsyncReadExt as _,
    net::unix::pipe,
    time::{Instant, timeout_at},
};

use crate::{
    arguments::{Milliseconds, shorter},
    display::one_line,
    held_back,
    typed_tool::{Reply, TypedTool},
    workspace::{KnownFiles, RunningMark},
};

mod background;
mod beyond;
mod connections;
mod error_lines;
mod exit;
mod output;
mod parse;
mod progress;
mod redact;
mod repository;
mod terminal;

use connections::{ConnectionQuestions, Connections};
use exit::CommandExit;
pub(crate) use output::{BoundedOutput, SHOWN_BYTES_MAX};

const TIMEOUT_SECONDS: u64 = 120;
const TIMEOUT_SECONDS_MAX: u64 = 3600;
/// How long what a finished shell's children still print is waited for.
const OUTPUT_AFTER_EXIT: Duration = Duration::from_millis(50);
/// The most that a pipe holds.
const PIPE_BYTES_MAX: usize = 1 << 20;
/// How much of a command stands in a refusal of a member whose file it may have changed.
const MARK_CHARS: usize = 60;
/// The shell's exit status where there is no such program.
const COMMAND_NOT_FOUND: i32 = 127;
/// The kernel takes no argument of more bytes, with the zero at its end: 32 pages of the smallest size.
const ARGUMENT_BYTES_MAX: usize = 32 * 4096;
/// A script that runs a longer one from its own input. That one has an empty input, as others have, and its first line stays the first. The
/// `cat` of [`POSIX_READS`] would be another process.
const BASH_READS: &str = "eval \"exec </dev/null; $(</dev/stdin)\"";
/// The script for a shell that is not bash.
const POSIX_READS: &str = "eval \"exec </dev/null; $(cat)\"";
/// How long a command may take to stop after it was asked to.
const TERM_GRACE: Duration = Duration::from_millis(500);

pub(crate) struct Bash(CommandStarter);

/// Starts commands.
#[derive(Debug, Clone)]
struct CommandStarter {
    shell: Shell,
    leftovers: Leftovers,
    sandbox: TeamSandbox,
    trusted: TrustedPrograms,
    known: KnownFiles,
}

#[derive(Debug, Clone, Copy)]
enum Shell {
    Bash(&'static str),
    Posix,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    #[serde(alias = "cmd")]
    command: String,
    /// Default 120, max 3600.
    #[serde(default)]
    timeout_seconds: Option<u64>,
    #[serde(default)]
    #[schemars(skip)]
    timeout: Option<Milliseconds>,
    #[serde(default, alias = "background")]
    run_in_background: bool,
}

impl Input {
    /// The limit that it gives its command.
    fn seconds(&self) -> Option<u64> {
        shorter(self.timeout_seconds, self.timeout)
    }

    /// The mark behind the command where the user is shown it.
    fn apart(&self) -> &'static str {
        if self.run_in_background {
            " (in the background)"
        } else {
            ""
        }
    }
}

impl Bash {
    /// Uses bash if the machine has it. What commands leave running is put among the `leftovers`. Git in commands that runs
    /// programs of a repository is asked about, but for those that are `trusted`. Commands that run are `known`.
    pub(crate) fn new(
        leftovers: Leftovers,
        sandbox: TeamSandbox,
        trusted: TrustedPrograms,
        known: KnownFiles,
    ) -> Self {
        let shell = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"]
            .into_iter()
            .find(|path| Path::new(path).exists())
            .map_or(Shell::Posix, Shell::Bash);
        Self(CommandStarter {
            shell,
            leftovers,
            sandbox,
            trusted,
            known,
        })
    }
}

impl CommandStarter {
    fn start(
        &self,
        script: &str,
        context: &ToolContext,
        output: BoundedOutput,
    ) -> Result<RunningCommand, NotStarted> {
        let (run, team) = (Mark::of_run(), Mark::of_team(&context.workspace.team_dir));
        let (reader, writer) = io::pipe()?;
        let is_long = script.len() >= ARGUMENT_BYTES_MAX;
        let words = self.shell.words(script, is_long);
        let input = is_long.then(|| fed(script.as_bytes().to_owned()));
        let marks = [&run, &team].map(|mark| mark.in_environment(&context.environment));
        let environment = for_members(&context.environment).into_iter().chain(marks);
        let network = self.sandbox.sandbox().rules().network;
        let connections = Arc::new(Connections::new(network, script, context.team.clone()));
        let command = HeldCommand {
            owner: Owner::Member(&context.caller.name),
            words: &words,
            input: input.transpose()?,
            output: writer,
            errors: None,
            dir: &context.workspace.root,
            dirs: (&context.workspace.root, &context.workspace.team_dir),
            sandbox: &self.sandbox,
            judge: Some(connections.clone()),
        };
        let running = self.running(script, context);
        let group =
            CommandProcesses::start(&command, environment, run.clone(), self.leftovers.clone())?;
        // With it goes our end of the pipe.
        drop(command);
        self.leftovers.take_care_of(team);
        Ok(RunningCommand {
            group,
            run,
            pipe: pipe::Receiver::from_owned_fd(reader.into())?,
            output,
            connections: ConnectionQuestions::of(connections),
            script: script.to_owned(),
            root: context.workspace.root.to_string_lossy().into_owned(),
            context: context.clone(),
            _running: running,
        })
    }
}

impl Shell {
    /// The words of the shell that run a script, or read a long one.
    fn words(self, script: &str, is_long: bool) -> Vec<&str> {
        match self {
            Self::Bash(path) => {
                let script = if is_long { BASH_READS } else { script };
                vec![path, "--noprofile", "--norc", "-c", script]
            }
            Self::Posix => {
                let script = if is_long { POSIX_READS } else { script };
                vec!["/bin/sh", "-c", script]
            }
        }
    }
}

impl CommandStarter {
    /// The mark of a command that may change files.
    fn running(&self, script: &str, context: &ToolContext) -> Option<RunningMark> {
        let root = context.workspace.root.to_string_lossy();
        let only_looks = parse::read(script, &root).only_looks();
        let text = one_line(script, MARK_CHARS);
        (!only_looks).then(|| self.known.command(&context.caller.name, text))
    }
}

/// Why nothing ran.
#[derive(Debug, thiserror::Error)]
enum NotStarted {
    #[error("The command did not run: {0}.")]
    Io(#[from] io::Error),
    #[error("The command did not run, because the sandbox could not {0}.")]
    Wall(#[from] Failure),
}

/// Why a command was cut off.
enum StopCause {
    TimedOut(Duration),
    Stopped,
    /// It waits for input that never comes.
    WaitsInVain,
}

/// Waits until a limit has passed, if there is one.
async fn passed(limit: Option<Duration>) -> Duration {
    match limit {
        Some(limit) => {
            tokio::time::sleep(limit).await;
            limit
        }
        None => std::future::pending().await,
    }
}

/// A command on its way. Dropped, it is killed with all it started.
struct RunningCommand {
    group: CommandProcesses,
    /// The mark of all processes that it started.
    run: Mark,
    pipe: pipe::Receiver,
    output: BoundedOutput,
    connections: ConnectionQuestions,
    script: String,
    /// Where it began.
    root: String,
    context: ToolContext,
    /// Names it where a file changes meanwhile.
    _running: Option<RunningMark>,
}

impl RunningCommand {
    async fn finish(mut self, limit: Duration) -> Outcome {
        let ending = match self.until_end(Some(limit), std::future::pending()).await {
            Ok(ending) => ending,
            Err(failure) => return NotStarted::Wall(failure).into(),
        };
        let is_closed = self.drain_after_exit().await;
        let mut about = self.about(&ending);
        about += &held_back::remark(look(self.group.looking()).await, &self.context);
        self.group.leave();
        if !is_closed {
            tokio::spawn(drain(self.pipe));
        }
        let printed = self.output.finish().await;
        let asked = ending.asked(&printed, &self.script);
        let refused = self.connections.remark(ending.has_failed(), &printed.text);
        let remark = about + &asked + beyond::git_remark(&printed.text) + &refused;
        ending.outcome(printed, &remark)
    }

    /// Waits for the command's end, and ends it at the limit, when it is to stop, or when it waits for a person in vain.
    async fn until_end(
        &mut self,
        limit: Option<Duration>,
        stopped: impl Future<Output = ()>,
    ) -> Result<CommandExit, Failure> {
        let run = self.run.clone();
        let cut = async {
            tokio::select! {
                limit = passed(limit) => StopCause::TimedOut(limit),
                () = stopped => StopCause::Stopped,
                _ = waits_in_vain(&run) => StopCause::WaitsInVain,
            }
        };
        let cut = match self.until_exit(cut).await {
            Ok(ended) => return ended.map(CommandExit::of),
            Err(cut) => cut,
        };
        let waited = match cut {
            StopCause::Stopped => String::new(),
            StopCause::TimedOut(_) | StopCause::WaitsInVain => {
                terminal::waited(&waiting(run.clone()).await, &self.script)
            }
        };
        self.stop().await;
        Ok(match cut {
            StopCause::TimedOut(limit) => CommandExit::TimedOut { limit, waited },
            StopCause::WaitsInVain => CommandExit::WaitedInVain { waited },
            StopCause::Stopped => CommandExit::Stopped,
        })
    }

    /// Notes for the member: how the command was started, and what the sandbox kept from it.
    fn about(&self, ending: &CommandExit) -> String {
        let about = self.group.remark().to_owned();
        match ending {
            CommandExit::TimedOut { waited, .. } | CommandExit::WaitedInVain { waited } => {
                about + waited
            }
            CommandExit::Exited(0 | COMMAND_NOT_FOUND) => about,
            CommandExit::Exited(_) if self.group.is_held_fully() => {
                about + &beyond::remark(&parse::read(&self.script, &self.root))
            }
            CommandExit::Exited(_)
            | CommandExit::Signalled(_)
            | CommandExit::Stopped
            | CommandExit::Limit(_)
            | CommandExit::Killed => about,
        }
    }

    /// Reads until the shell exits. An error is what came before that.
    async fn until_exit<T>(
        &mut self,
        end: impl Future<Output = T>,
    ) -> Result<Result<Ended, Failure>, T> {
        tokio::pin!(end);
        let mut chunk = vec![0; 1 << 16];
        let mut is_open = true;
        loop {
            tokio::select! {
                ended = self.group.ended() => return Ok(ended),
                cause = &mut end => return Err(cause),
                read = self.pipe.read(&mut chunk), if is_open => match read {
                    Ok(0) | Err(_) => is_open = false,
                    Ok(count) => self.output.push(&chunk[..count]).await,
                },
            }
        }
    }

    /// Asks all that it started to stop, then kills what is left of it.
    async fn stop(&mut self) {
        self.group.ask_to_stop();
        let until = Instant::now() + TERM_GRACE;
        let grace = tokio::time::sleep_until(until);
        // It may have ended of that, or of nothing: it is killed next in any case.
        let _ = self.until_exit(grace).await;
        self.group.ends_within(until - Instant::now()).await;
        self.group.kill().await;
    }

    /// Reads what is in the pipe after the shell's end. Tells whether all writers are gone.
    async fn drain_after_exit(&mut self) -> bool {
        let mut chunk = vec![0; 1 << 14];
        let deadline = Instant::now() + OUTPUT_AFTER_EXIT;
        let mut taken = 0;
        // What fits into a pipe may have been there at the shell's end and is read however long that takes.
        while taken < PIPE_BYTES_MAX || Instant::now() < deadline {
            match timeout_at(deadline, self.pipe.read(&mut chunk)).await {
                Ok(Ok(0) | Err(_)) => return true,
                Ok(Ok(count)) => {
                    taken += count;
                    self.output.push(&chunk[..count]).await;
                }
                Err(_) => return false,
            }
        }
        false
    }
}

/// Reads and drops what background children print, so that they do not die of a pipe without a reader.
async fn drain(mut pipe: pipe::Receiver) {
    let mut chunk = vec![0; 1 << 12];
    while matches!(pipe.read(&mut chunk).await, Ok(1..)) {}
}

impl TypedTool for Bash {
    type Input = Input;
    const NAME: &'static str = "bash";
    const DESCRIPTION: &'static str = "Run a shell command in the workspace; output, then exit status. Each call is a \
        new shell without input. run_in_background (servers, long builds; not `&`): a job id, an output file, a \
        notice at the end. For files use the file tools.";
    const CLASS: EffectClass = EffectClass::Executes;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        if input.command.trim().is_empty() {
            return Err(Outcome::error("The command is empty; nothing was run."));
        }
        if input.command.contains('\0') {
            return Err(Outcome::error(
                "The command has a NUL character in it, which a shell cannot take; nothing was run.",
            ));
        }
        let apart = input.apart();
        let gap = self.0.sandbox.gap();
        let gap = gap.map_or_else(String::new, |gap| format!("\n[{gap}]"));
        let root = context.workspace.root.to_string_lossy();
        Ok(Action {
            summary: format!("{}{apart}", one_line(&input.command, 100)),
            shows: format!("{}{apart}{gap}", input.command),
            target: Target::Command(ShellCommand {
                text: input.command.clone(),
                script: parse::read(&input.command, &root),
                untrusted: Vec::new(),
                unheld: self.0.sandbox.gap(),
            }),
        })
    }

    fn only_looks(input: &Input) -> bool {
        // Where it begins makes no difference to that.
        !input.run_in_background && parse::read(&input.command, "/").only_looks()
    }

    /// With what git in the command would run because the repository says so.
    fn preview<'a>(
        &'a self,
        _input: &Input,
        action: &Action,
        context: &'a ToolContext,
    ) -> Option<BoxFuture<'a, Result<Action, Outcome>>> {
        let mut action = action.clone();
        let (trusted, context) = (self.0.trusted.clone(), context.clone());
        Some(Box::pin(blocking::run(move |_| {
            if let Target::Command(command) = &mut action.target {
                command.untrusted =
                    repository::untrusted(&command.text, &command.script, &trusted, &context);
                action
                    .shows
                    .push_str(&repository::remark(&command.untrusted));
            }
            Ok(action)
        })))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        if input.run_in_background {
            return background::start(&self.0, input, context).await;
        }
        let seconds = input.seconds().unwrap_or(TIMEOUT_SECONDS);
        let limit = Duration::from_secs(seconds.clamp(1, TIMEOUT_SECONDS_MAX));
        let started = self
            .0
            .start(&input.command, context, BoundedOutput::new(context));
        match started {
            Ok(running) => Ok(running.finish(limit).await),
            Err(error) => Err(error.into()),
        }
    }
}

impl From<NotStarted> for Outcome {
    fn from(why: NotStarted) -> Self {
        Self::error(why.to_string())
    }
}
