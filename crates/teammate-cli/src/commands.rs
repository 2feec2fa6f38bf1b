//! The command line: one file per command.

#[cfg(feature = "acp")]
mod acp;
#[cfg(feature = "acp")]
mod agents;
mod alike;
mod approve;
#[cfg(feature = "acp")]
mod as_claude;
mod attach;
mod audit;
mod bare_job;
mod beginning;
mod closing;
mod compact;
mod completions;
mod context;
mod conversations;
mod cost;
mod demo;
mod deny;
mod doctor;
#[cfg(any(feature = "tui", feature = "web"))]
mod door;
mod drafts;
mod export;
#[cfg(feature = "tui")]
mod face;
mod facts;
mod failure;
mod features;
mod flags;
mod go_on;
mod goal;
mod held;
mod help;
mod hooks;
mod inbox;
mod interrupt;
#[cfg(feature = "nats")]
mod keys;
mod known_teams;
mod log;
#[cfg(feature = "mcp")]
mod mcp;
mod member_files;
mod memory;
mod models;
mod needs;
mod next_talk;
#[cfg(not(feature = "nats"))]
mod no_servers;
mod not_continuing;
mod notify;
#[cfg(feature = "nats")]
mod on_servers;
mod one_verb;
mod outside;
mod own_programs;
mod pause;
mod plugin;
mod print;
mod purge;
mod recall;
mod recover;
mod repl;
mod requests;
mod resume;
mod rules;
mod run;
mod saw;
mod schedules;
mod schema;
mod send;
mod setup;
mod share;
mod shown_question;
mod signals;
mod stop;
mod talk;
mod tasks;
mod team;
mod team_file;
mod teams;
mod translated_help;
mod trust;
mod typed;
mod up;
mod verb;
mod watch;
#[cfg(feature = "web")]
mod web;
#[cfg(feature = "nats")]
mod worker;
#[cfg(feature = "nats")]
mod workers;
mod worktrees;

use std::{ffi::OsString, process::ExitCode};

use clap::{
    Args, Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, error::ErrorKind,
};
use teammate::{BoxFuture, Conversation, contained::contained};

use self::{
    bare_job::{Bare, BareWords},
    beginning::beginning,
    failure::{error_line, lost, note, print_error, print_usage_error},
    print::{ask_user, read_stdin},
    verb::{OfTeam, SharedOptions, Verb},
};
pub(crate) use self::{
    context::CliContext,
    failure::{UsageError, exit_code},
    print::{print_in_place, print_json, print_line},
};
use crate::{screen::lost_output, settings::Options};

/// Run a team of coding agents: a lead and named teammates, on any model
///
/// Without a command it opens a prompt where you talk with the lead; with a job in place of a command, the job is the
/// first message there. The team is kept in .team/ in the working directory: mail, tasks and conversations. Come back
/// tomorrow and continue.
#[derive(Parser)]
#[command(
    name = "teammate",
    version,
    after_help = AFTER_HELP,
    override_usage = "teammate [OPTIONS] [COMMAND]\n       teammate [OPTIONS] \"JOB\"\n       teammate [OPTIONS] -p \"JOB\""
)]
pub(crate) struct Cli {
    #[command(flatten)]
    flags: TopFlags,

    #[arg(skip)]
    given: Vec<OsString>,

    #[command(subcommand)]
    command: Option<TopCommand>,
}

/// The flags beside verbs.
#[derive(Args)]
#[group(skip)]
struct TopFlags {
    /// Give the lead one job and exit, as `run` does, with the flags of `run`
    #[arg(short, long)]
    print: bool,

    #[command(flatten)]
    options: Options,
}

const AFTER_HELP: &str = "\
Examples:
  teammate demo                                      see a team work, without any key
  teammate                                           talk with the lead
  teammate \"Fix the failing test\"                    the same, with that as the first message
  teammate run \"Spawn alice and bob ...\"            one job, then exit
  teammate run --continue \"Now the tests\"           the next job, in the same conversation
  teammate run --permission-mode accept-edits \"...\"  let members edit files without asking
  teammate send alice \"please also handle ñ\"        from a second terminal

Exit codes: 0 done, 1 could not start or use the team, or its output was lost, 2 wrong usage,
3 the lead's model failed or gave no result, 4 something was refused because nobody could be asked,
5 a limit was reached, 6 the disk could not be written, 7 members failed or have tasks in progress,
8 the goal was not reached, 124 --timeout was reached, 130 interrupted or paused before it was done.";

/// Makes the subcommands of clap of all verbs, and what is asked of the one that was given.
macro_rules! verbs {
    ($($(#[$condition:meta])? $word:literal => $name:ident($verb:ty),)+) => {
        #[derive(Subcommand)]
        enum TopCommand {
            $($(#[$condition])? #[command(name = $word)] $name($verb),)+
        }

        impl TopCommand {
            /// Not async itself: that would have room for all verbs on the stack while one runs.
            fn run(self, place: &CliContext) -> BoxFuture<'_, CliResult> {
                match self {
                    $($(#[$condition])? Self::$name(verb) => Box::pin(verb.run(place)),)+
                }
            }

            fn finds_team(&self) -> bool {
                match self {
                    $($(#[$condition])? Self::$name(verb) => verb.finds_team(),)+
                }
            }

            /// The command of the verb of this name.
            fn of_verb(name: &str) -> Option<Command> {
                $($(#[$condition])?
                if name == $word {
                    return Some(<$verb as Args>::augment_args(Command::new($word)));
                })+
                None
            }

            /// Which of the shared options have an effect in a verb, by its name.
            fn shared(name: &str) -> SharedOptions {
                $($(#[$condition])?
                if name == $word {
                    return <$verb as Verb>::SHARED;
                })+
                // Clap's own `help`.
                SharedOptions::None
            }
        }
    };
}

// In the order of the help.
verbs! {
    "run" => Run(run::Run),
    "resume" => Resume(resume::Resume),
    "up" => Up(up::Up),
    "watch" => Watch(watch::Watch),
    #[cfg(feature = "web")]
    "web" => Web(web::Web),
    "team" => Team(team::Team),
    "teams" => Teams(teams::Teams),
    "tasks" => Tasks(OfTeam<tasks::Tasks>),
    "inbox" => Inbox(OfTeam<inbox::Inbox>),
    "send" => Send(send::Send),
    "recall" => Recall(OfTeam<recall::Recall>),
    "interrupt" => Interrupt(OfTeam<interrupt::Interrupt>),
    "pause" => Pause(OfTeam<pause::Pause>),
    "continue" => Continue(OfTeam<go_on::Continue>),
    "compact" => Compact(OfTeam<compact::Compact>),
    "goal" => Goal(OfTeam<goal::GoalVerb>),
    "needs" => Needs(needs::NeedsList),
    "requests" => Requests(OfTeam<requests::Requests>),
    "approve" => Approve(OfTeam<approve::Approve>),
    "deny" => Deny(OfTeam<deny::Deny>),
    "stop" => Stop(stop::Stop),
    "conversations" => Conversations(conversations::Conversations),
    "log" => Log(log::Log),
    "export" => Export(export::Export),
    "share" => Share(share::Share),
    "worktrees" => Worktrees(OfTeam<worktrees::Worktrees>),
    "held" => Held(held::Held),
    "cost" => Cost(OfTeam<cost::Cost>),
    #[cfg(feature = "mcp")]
    "mcp" => Mcp(mcp::Mcp),
    "hooks" => Hooks(hooks::Hooks),
    "plugin" => Plugin(plugin::Plugin),
    #[cfg(feature = "acp")]
    "agents" => Agents(agents::Agents),
    #[cfg(feature = "acp")]
    "acp" => Acp(acp::Acp),
    #[cfg(feature = "acp")]
    "as-claude" => AsClaude(as_claude::AsClaude),
    "models" => Models(models::Models),
    #[cfg(feature = "nats")]
    "worker" => Worker(worker::Worker),
    #[cfg(feature = "nats")]
    "workers" => Workers(workers::Workers),
    #[cfg(feature = "nats")]
    "keys" => Keys(keys::Keys),
    "audit" => Audit(audit::Audit),
    "purge" => Purge(purge::Purge),
    "demo" => Demo(demo::Demo),
    "setup" => Setup(setup::Setup),
    "doctor" => Doctor(doctor::Doctor),
    "trust" => Trust(trust::Trust),
    "recover" => Recover(recover::Recover),
    "rules" => Rules(rules::Rules),
    "memory" => Memory(memory::MemoryCommand),
    "schedules" => Schedules(schedules::Schedules),
    "schema" => Schema(schema::Schema),
    "completions" => Completions(completions::Completions),
    "man" => Man(completions::ManPages),
}

/// The result of a command: its exit code or an error.
pub(crate) type CliResult = anyhow::Result<ExitCode>;

impl Cli {
    /// Reads the command line. A wrong one is quoted to the user, as text.
    pub(crate) fn read() -> Result<Self, ExitCode> {
        let mut words = std::env::args_os();
        let program = words.next();
        let given: Vec<OsString> = words.collect();
        #[cfg(feature = "acp")]
        let given = as_claudes(program, given)?;
        #[cfg(not(feature = "acp"))]
        drop(program);
        let (command, read) = match one_verb::read(&given) {
            Some((command, matches)) => {
                let bare = None;
                (command, Ok(BareWords { matches, bare }))
            }
            None => {
                let command = Self::command();
                let read = read_by_all(&command, &given);
                (command, read)
            }
        };
        let read = read.and_then(|read| {
            let mut cli = Self::from_arg_matches(&read.matches)?;
            cli.given = flags::shared(&command, &read.matches);
            Ok((cli.with_bare(read.bare), read.matches))
        });
        let (cli, matches) = read.map_err(|error| print_usage_error(&error))?;
        if let Some(why) = features::missing_variable() {
            return Err(print_error(&UsageError(why).into()));
        }
        match flags::check(&command, &matches, cli.flags.print) {
            Ok(()) => Ok(cli),
            Err(error) => Err(print_error(&error.into())),
        }
    }

    fn with_bare(mut self, bare: Option<Bare>) -> Self {
        match (&mut self.command, bare) {
            (Some(TopCommand::Run(run)), Some(Bare::Text)) => run.opens_prompt = true,
            (_, Some(Bare::Print)) => self.flags.print = true,
            (_, Some(Bare::Text) | None) => {}
        }
        self
    }

    /// Runs the command and returns its exit code.
    pub(crate) fn run(self) -> ExitCode {
        teammate::platform::raise_file_limit();
        let runtime = match tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
        {
            Ok(runtime) => runtime,
            Err(error) => return print_error(&error.into()),
        };
        let options = match self.flags.options.or_from_environment() {
            Ok(options) => options,
            Err(error) => return print_error(&error),
        };
        let place = CliContext {
            dir: options.dir(),
            options,
            given: self.given,
            is_attached: false,
        };
        let command = async move {
            let place = match self.command.as_ref().is_none_or(TopCommand::finds_team) {
                true => place.found().await?,
                false => place,
            };
            match self.command {
                None if self.flags.print => Err(no_job().into()),
                None => talk::run(place, Conversation::Last, None).await,
                Some(verb) => verb.run(&place).await,
            }
        };
        // On the runtime's own threads: the main thread would be woken for every event.
        let command = runtime.spawn(contained("this command", command));
        let ended = match runtime.block_on(command) {
            Ok(Ok(ended)) => ended,
            // It was said what the bug is.
            Ok(Err(_)) => Ok(ExitCode::from(1)),
            Err(lost) => Err(lost.into()),
        };
        // A thread that still reads the terminal must not keep the program.
        runtime.shutdown_background();
        let code = ended.unwrap_or_else(|error| print_error(&error));
        match lost_output() {
            Some(why) => lost(why),
            None => code,
        }
    }
}

fn read_by_all(command: &Command, given: &[OsString]) -> Result<BareWords, clap::Error> {
    match bare_job::read(command, given) {
        // Arranging takes time, which only somebody who reads has.
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            let arranged = translated_help::translated(help::arranged(command.clone()));
            bare_job::read(&arranged, given)
        }
        read => read,
    }
}

/// A command line for `claude` as ours.
#[cfg(feature = "acp")]
fn as_claudes(program: Option<OsString>, given: Vec<OsString>) -> Result<Vec<OsString>, ExitCode> {
    let program = program.map(std::path::PathBuf::from);
    match as_claude::translated(program.as_deref(), &given) {
        None => Ok(given),
        Some(Ok(ours)) => Ok(ours),
        Some(Err(why)) => {
            as_claude::say_not_understood(&given, &why);
            Err(print_error(&UsageError(why).into()))
        }
    }
}

fn no_job() -> UsageError {
    UsageError("-p needs a job: teammate -p \"...\"".to_owned())
}
