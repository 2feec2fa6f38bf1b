//! `teammate up`: hosts the team without a face. Other terminals talk with it, answer it and stop it.

pub(super) mod background;
#[cfg(feature = "nats")]
mod demands;
#[cfg(feature = "nats")]
mod on_servers;
#[cfg(feature = "nats")]
mod trial;

use std::process::ExitCode;

use clap::Args;
use teammate::{Conversation, RunOutcome, Team};

#[cfg(feature = "nats")]
use self::on_servers::ServerFlags;
#[cfg(not(feature = "nats"))]
use super::no_servers::NoFlags as ServerFlags;
use super::{
    CliContext, CliResult, SharedOptions, Verb, closing, error_line, exit_code, not_continuing,
    print_line, signals::Signals,
};
use crate::screen::{clean, print_warning, why};

/// Run the team without a prompt, until it is stopped
///
/// Opens the team as the prompt does, with the same settings, and prints one line. Nothing is asked here: questions wait
/// for `teammate approve` and `teammate deny` from other terminals, and `teammate needs` lists them. Talk with the team by
/// `teammate send`, and watch it with `teammate log -f`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Up {
    /// End when no member works, no mail is unread and no question is open
    #[arg(long)]
    until_idle: bool,

    /// Go on with unfinished turns first, as `teammate resume` does
    #[arg(long)]
    resume: bool,

    /// Run in the background, in a session of its own, and return as soon as the team is open. What it has to say goes to
    /// a log file in your state directory
    #[arg(long)]
    detach: bool,

    #[command(flatten)]
    servers: ServerFlags,

    /// This is the process in the background.
    #[arg(long = "as-background", hide = true, conflicts_with = "detach")]
    is_background: bool,

    /// A job for the lead is on standard input: for this conversation.
    #[arg(long = "first-job", hide = true, requires = "is_background")]
    first_job: Option<JobIn>,
}

/// In which conversation of the lead a first job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum JobIn {
    New,
    Last,
}

const AFTER_HELP: &str = "\
Exit codes: 0 the team was open and is paused now, by `teammate stop`, SIGTERM or Ctrl-C; with --until-idle, 0 if all
is done, and otherwise those of `teammate run` (130 if it was stopped before). 1 the team could not be opened, 6 the
disk could not be written. With --detach: 0 the team is open, otherwise the code of the process that could not open it.";

impl Verb for Up {
    const SHARED: SharedOptions = SharedOptions::All;

    async fn run(self, place: &CliContext) -> CliResult {
        if let Some(code) = self.servers.run(place, self.detach).await? {
            return Ok(code);
        }
        if self.detach {
            return self.detach(place).await;
        }
        if self.is_background {
            teammate::platform::begin_session()?;
        }
        let job = self.first_job.map(|_| super::read_stdin()).transpose()?;
        let builder = match job {
            // Another program waits for it.
            Some(_) => place.options.headless_builder(true)?,
            None => place.options.builder(true)?,
        };
        let builder = builder
            .conversation(self.conversation())
            .waits_for_answers(self.until_idle);
        // Made before the team is open: a signal that nobody takes kills.
        let signals = Signals::new()?;
        let team = builder.prepare().await?;
        for notice in team.warnings() {
            print_warning(notice);
        }
        for line in not_continuing::at_opening(&team, false).await {
            print_warning(&line);
        }
        let mut watch = team.watch();
        match job {
            Some(job) => team.start_with(job).await?,
            None => team.start().await?,
        }
        print_line(clean(&opened(&team, place)));
        let outcome = match self.until_idle {
            true => watch.wait_report(&team, ends(&team, signals)).await.outcome,
            false => host(&team, signals).await,
        };
        closing::close(team).await;
        Ok(ExitCode::from(self.code(&outcome)))
    }
}

impl Up {
    fn conversation(&self) -> Conversation {
        match (self.first_job, self.resume) {
            (Some(JobIn::New), _) => Conversation::Fresh,
            (Some(JobIn::Last), _) | (None, false) => Conversation::Last,
            (None, true) => Conversation::Everything,
        }
    }

    async fn detach(&self, place: &CliContext) -> CliResult {
        let flags = [(self.until_idle, "--until-idle"), (self.resume, "--resume")];
        let given = flags.into_iter().filter(|(is_given, _)| *is_given);
        let given: Vec<&str> = given.map(|(_, flag)| flag).collect();
        let begun = match background::start(&background::program()?, place, &given, None).await? {
            Ok(begun) => begun,
            Err(refused) => return Ok(refused.print()),
        };
        print_line(clean(&begun.opened));
        print_line(clean(&format!("Its log: {}", begun.log.display())));
        Ok(ExitCode::SUCCESS)
    }

    /// The exit code, with the reason on standard error if there is one.
    fn code(&self, outcome: &RunOutcome) -> u8 {
        if let RunOutcome::Interrupted = outcome {
            return match self.until_idle {
                true => exit_code(outcome, 0),
                false => 0,
            };
        }
        if let Some(why) = why(outcome) {
            error_line(&why);
        }
        exit_code(outcome, 0)
    }
}

/// The one line that is printed.
fn opened(team: &Team, place: &CliContext) -> String {
    let flags = place.options.place_flags();
    format!(
        "Team '{}' in {} is open in process {}; `teammate{flags} send lead \"...\"` talks with it, `teammate{flags} log -f` shows \
         it, `teammate{flags} needs` lists what waits for you, `teammate{flags} stop` stops it",
        team.name(),
        team.workspace().display(),
        std::process::id(),
    )
}

/// Waits until the team is to be closed, or its disk fails.
async fn host(team: &Team, signals: Signals) -> RunOutcome {
    tokio::select! {
        biased;
        how = ends(team, signals) => how,
        why = team.storage_fails() => RunOutcome::Storage(why),
    }
}

/// Resolves with a signal, or when another terminal stops the team.
async fn ends(team: &Team, mut signals: Signals) -> RunOutcome {
    tokio::select! {
        () = team.close_requested() => {}
        _ = signals.interrupt.recv() => {}
        _ = signals.terminate.recv() => {}
    }
    RunOutcome::Interrupted
}
