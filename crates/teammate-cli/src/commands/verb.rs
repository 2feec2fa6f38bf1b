//! The traits of verbs of the command line. Their names and arguments are clap's; this is the rest that the program knows of them.

mod words;

use std::{borrow::Cow, process::ExitCode, sync::Arc};

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde::Serialize;
use serde_json::Value;
use teammate::{
    MemberName, TeamClient, TeamError, TeamHandle, TeamState, handle::find_member,
    platform::terminal_width, request::RequestId,
};

use super::{CliContext, CliResult, note, print_json, print_line};
use crate::screen::Style;

/// A verb of the command line, declared in a file of its own and listed once, in `commands.rs`.
pub(super) trait Verb: Args {
    /// Which of the options that every verb takes have an effect in this one.
    const SHARED: SharedOptions;

    /// Whether the team that is meant has to be found first.
    fn finds_team(&self) -> bool {
        matches!(Self::SHARED, SharedOptions::Opens | SharedOptions::OfTeam)
    }

    /// Carries it out.
    fn run(self, place: &CliContext) -> impl Future<Output = CliResult> + Send;
}

/// The options that say which team is meant and where settings are.
pub(super) const WHERE: &[&str] = &["dir", "team", "nats", "creds", "config"];

/// Which of the shared options have an effect in a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SharedOptions {
    /// It opens the team that is meant.
    Opens,
    /// It opens a team, and finds or makes it by itself.
    All,
    /// It opens a team that has these of its own.
    AllBut(&'static [&'static str]),
    /// It looks at the team that is meant, or changes something of it: which one that is.
    OfTeam,
    /// It is about a directory: which one, and these settings.
    OfPlace(&'static [&'static str]),
    /// It is about all teams.
    Config,
    /// It is about no team.
    None,
}

impl SharedOptions {
    /// Whether an option has an effect, by its long name.
    pub(super) fn has(self, option: &str) -> bool {
        let is_where = WHERE.contains(&option);
        match self {
            Self::Opens | Self::All => true,
            Self::AllBut(own) => !own.contains(&option),
            Self::OfTeam => is_where,
            Self::OfPlace(settings) => is_where || settings.contains(&option),
            Self::Config => option == "config",
            Self::None => false,
        }
    }
}

/// A verb of a team: the same on the command line, where `--json` prints what came of it, and at prompts.
pub(super) trait TeamVerb: Args + Send + 'static {
    /// Its word at prompts: `/inbox`.
    const WORD: &'static str;
    /// Arguments of the word at prompts, for the help: `[NAME]`.
    const USAGE: &'static str;
    /// A line of the help at prompts.
    const ABOUT: &'static str;

    /// The words that follow it at a prompt, as they are read: a verb whose flags stand behind free text puts them before it.
    fn in_order(words: &str) -> Cow<'_, str> {
        Cow::Borrowed(words)
    }

    /// The verb by the words that follow it at a prompt.
    ///
    /// Errors: what does not fit.
    fn typed(words: &str, _: &TeamState) -> anyhow::Result<Self> {
        let command = Command::new(Self::WORD)
            .no_binary_name(true)
            .disable_help_flag(true);
        // Examples of the command line are none here. And what follows is text above all: a word that begins with a hyphen is one as
        // any other.
        let command = Self::augment_args(command).after_help(None::<&str>);
        let command = command.mut_args(|arg| match arg.is_positional() {
            true => arg.allow_hyphen_values(true),
            false => arg,
        });
        let matches = command.try_get_matches_from(words::split(&Self::in_order(words))?)?;
        Ok(Self::from_arg_matches(&matches)?)
    }

    /// The request that it answers.
    fn answers(&self) -> Option<RequestId> {
        None
    }

    /// Carries it out, or finds out what it shows.
    fn carry_out(
        self,
        call: &VerbCall<'_>,
    ) -> impl Future<Output = anyhow::Result<VerbOutput>> + Send;
}

/// The result of a verb of a team.
#[derive(Default)]
pub(super) struct VerbOutput {
    /// The output of `--json`.
    pub(super) json: Value,
    /// The output for a person.
    pub(super) lines: Vec<String>,
    /// Notices in either form.
    pub(super) notes: Vec<String>,
}

impl VerbOutput {
    /// Without notes.
    pub(super) fn of(json: impl Serialize, lines: Vec<String>) -> anyhow::Result<Self> {
        Ok(Self {
            json: serde_json::to_value(json)?,
            lines,
            notes: Vec::new(),
        })
    }
}

/// The team that a verb works on, and the user who asks.
pub(super) struct VerbCall<'a> {
    pub(super) team: &'a TeamHandle,
    /// The team as it was when the verb was read.
    pub(super) state: Arc<TeamState>,
    pub(super) place: &'a CliContext,
    pub(super) style: Style,
    /// How many columns a line may have; nothing if that is not known.
    pub(super) width: Option<usize>,
}

impl VerbCall<'_> {
    /// A member by name; an error names the roster.
    pub(super) fn member(&self, name: &str) -> Result<MemberName, TeamError> {
        find_member(&self.state, name)
    }

    /// The notice of a change while no process runs the team. `None` if that cannot be found out: the change counts all the same.
    pub(super) async fn if_saved(&self) -> Option<String> {
        if self.team.hosted().is_some() {
            return None;
        }
        let is_alone = (self.team.look().await).is_ok_and(|look| look.host().is_none());
        let saved = "Saved. The team is not running; it acts on this after `teammate resume`";
        is_alone.then(|| saved.to_owned())
    }
}

/// A verb of a team, as the command line has it.
pub(super) struct OfTeam<V> {
    verb: V,
    prints_json: bool,
}

/// The flag of each.
const JSON: &str = "json";

impl<V: TeamVerb> Args for OfTeam<V> {
    fn augment_args(command: Command) -> Command {
        let command = V::augment_args(command);
        let json = Arg::new(JSON).long(JSON).help("Print JSON");
        // Also behind the name of a subcommand, unless those take no flag of their verb.
        let is_global =
            command.has_subcommands() && !command.is_args_conflicts_with_subcommands_set();
        command.arg(json.action(ArgAction::SetTrue).global(is_global))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<V: TeamVerb> FromArgMatches for OfTeam<V> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self {
            verb: V::from_arg_matches(matches)?,
            prints_json: matches.get_flag(JSON),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<V: TeamVerb> Verb for OfTeam<V> {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        self.run_on(place.look().await?, place).await
    }
}

impl<V: TeamVerb> OfTeam<V> {
    /// Carries it out for a team that was looked at, and prints what came of it.
    pub(super) async fn run_on(self, client: TeamClient, place: &CliContext) -> CliResult {
        if self.verb.answers().is_some() {
            client.require_user()?;
        }
        let call = VerbCall {
            state: client.team().clone(),
            team: &TeamHandle::there(client),
            place,
            style: Style::for_stdout(),
            width: terminal_width(std::io::stdout()),
        };
        let done = self.verb.carry_out(&call).await?;
        match self.prints_json {
            true => print_json(&done.json),
            false => done.lines.iter().for_each(print_line),
        }
        done.notes.iter().for_each(|text| note(text));
        Ok(ExitCode::SUCCESS)
    }
}
