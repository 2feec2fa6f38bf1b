//! The command line: one file per command.

mod approve;
mod cost;
mod demo;
mod deny;
mod doctor;
mod inbox;
mod log;
mod repl;
mod requests;
mod resume;
mod rules;
mod run;
mod send;
mod standing;
mod stop;
mod tasks;
mod team;
mod trust;
mod worktrees;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use teammate::{How, Outside, TeamError};

use crate::{
    screen::{Style, put, shown},
    settings::{Options, user_dirs},
};

/// Agent teams: a lead and persistent teammates, with durable mail, on any model.
///
/// Without a command you talk with the lead. Everything the team knows is in .team/ in the working directory; come back
/// tomorrow and it goes on.
#[derive(Parser)]
#[command(name = "teammate", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(flatten)]
    options: Options,

    #[command(subcommand)]
    command: Option<Verb>,
}

const AFTER_HELP: &str = "\
Examples:
  teammate demo                                    see a team work, without any key
  teammate                                         talk with the lead
  teammate run \"Spawn alice and bob ...\"           one job, then exit
  teammate run --permission-mode accept-edits \"...\"  let members edit files without asking
  teammate send alice \"please also handle ñ\"       from a second terminal

Exit codes: 0 done, 1 could not start or use the team, 2 wrong usage, 3 the lead's model failed,
4 something was refused because nobody could be asked, 5 a limit was reached, 130 interrupted or
stopped before it was done.";

#[derive(Subcommand)]
enum Verb {
    Run(run::Run),
    Resume(resume::Resume),
    Team(team::Team),
    Tasks(tasks::Tasks),
    Inbox(inbox::Inbox),
    Send(send::Send),
    Requests(requests::Requests),
    Approve(approve::Approve),
    Deny(deny::Deny),
    Stop(stop::Stop),
    Log(log::Log),
    Worktrees(worktrees::Worktrees),
    Cost(cost::Cost),
    Demo(demo::Demo),
    Doctor(doctor::Doctor),
    Trust(trust::Trust),
    Rules(rules::Rules),
}

/// Where the team is.
pub(crate) struct Place {
    pub(crate) dir: PathBuf,
    pub(crate) options: Options,
}

impl Place {
    /// The team that is there.
    pub(crate) async fn look(&self) -> anyhow::Result<Outside> {
        let read_max = self.options.read_max()?;
        Ok(Outside::look_reading_at_most(&self.dir, &user_dirs(), read_max).await?)
    }
}

/// What a command says at its end.
pub(crate) type Ended = anyhow::Result<ExitCode>;

impl Cli {
    /// Reads the command line. A wrong one is quoted to the person, as text.
    pub(crate) fn read() -> Result<Self, ExitCode> {
        Self::try_parse().map_err(|error| {
            if error.use_stderr() {
                put(&mut std::io::stderr(), &error.render().to_string());
            } else {
                // Help and version are our own words.
                let _ = error.print();
            }
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        })
    }

    /// Runs the command and tells the shell how it went.
    pub(crate) fn run(self) -> ExitCode {
        teammate::platform::raise_file_limit();
        let runtime = match tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
        {
            Ok(runtime) => runtime,
            Err(error) => return complain(&error.into()),
        };
        let place = Place {
            dir: self.options.dir(),
            options: self.options,
        };
        // On the runtime's own threads: the main thread would be woken for every event.
        let command = runtime.spawn(async move {
            match self.command {
                None => repl::run(place, false).await,
                Some(Verb::Run(command)) => command.run(place).await,
                Some(Verb::Resume(command)) => command.run(place).await,
                Some(Verb::Team(command)) => command.run(&place).await,
                Some(Verb::Tasks(command)) => command.run(&place).await,
                Some(Verb::Inbox(command)) => command.run(&place).await,
                Some(Verb::Send(command)) => command.run(&place).await,
                Some(Verb::Requests(command)) => command.run(&place).await,
                Some(Verb::Approve(command)) => command.run(&place).await,
                Some(Verb::Deny(command)) => command.run(&place).await,
                Some(Verb::Stop(command)) => command.run(&place).await,
                Some(Verb::Log(command)) => command.run(&place).await,
                Some(Verb::Worktrees(command)) => command.run(&place).await,
                Some(Verb::Cost(command)) => command.run(&place).await,
                Some(Verb::Demo(command)) => command.run(place).await,
                Some(Verb::Doctor(command)) => command.run(&place).await,
                Some(Verb::Trust(command)) => command.run(&place).await,
                Some(Verb::Rules(command)) => command.run(&place),
            }
        });
        let ended = runtime
            .block_on(command)
            .unwrap_or_else(|bug| Err(bug.into()));
        // A thread that still reads the terminal must not keep the program.
        runtime.shutdown_background();
        ended.unwrap_or_else(|error| complain(&error))
    }
}

/// What happened and what to do next, on standard error.
fn complain(error: &anyhow::Error) -> ExitCode {
    let style = Style::for_stderr();
    let what = crate::screen::clean(&format!("{error:#}")).into_owned();
    put(
        &mut std::io::stderr(),
        &format!("{} {what}\n", style.bad("error:")),
    );
    let hint = error.downcast_ref::<TeamError>().and_then(TeamError::hint);
    if let Some(hint) = hint {
        put(
            &mut std::io::stderr(),
            &format!("{} {hint}\n", style.dim("hint:")),
        );
    }
    ExitCode::from(1)
}

/// What a person should know besides, on standard error.
fn note(text: &str) {
    let style = Style::for_stderr();
    let text = crate::screen::clean(text);
    put(
        &mut std::io::stderr(),
        &format!("{} {text}\n", style.dim("note:")),
    );
}

/// The exit code of a job.
pub(crate) fn exit_code(how: &How, refused: u64) -> u8 {
    match how {
        How::Done if refused > 0 => 4,
        How::Done => 0,
        How::Failed(_) => 3,
        How::Limit(_) => 5,
        How::Interrupted => 130,
    }
}

/// Prints a line for the person or program that called. Where nobody reads any more (`teammate log | head`) the
/// program is done; only commands that hold nothing open print this way.
pub(crate) fn say(line: impl std::fmt::Display) {
    use std::io::Write as _;
    let text = format!("{line}\n");
    if std::io::stdout()
        .write_all(shown(&text).as_bytes())
        .is_err()
    {
        std::process::exit(0);
    }
}

/// Prints JSON that no terminal obeys.
pub(crate) fn say_json(value: &serde_json::Value) {
    say(crate::screen::clean_json(&value.to_string()));
}
