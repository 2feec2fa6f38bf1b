//! The trait of a verb of the command line. Its name and arguments are clap's; this is the rest that the program knows of it.

use std::{process::ExitCode, sync::Arc};

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde::Serialize;
use teammate::{MemberName, TeamError, TeamHandle, TeamState, handle::find_member};

use super::{CliContext, CliResult, print_json, print_line};
use crate::screen::Style;

/// A verb of the command line, declared in a file of its own and listed once, in `commands.rs`.
pub(super) trait Verb: Args {
    /// Which of the options that every verb takes have an effect in this one.
    const SHARED: SharedOptions;

    /// Whether the team that is meant has to be found first.
    #[cfg_attr(
        not(feature = "nats"),
        allow(dead_code, reason = "only teams on servers have to be found")
    )]
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

/// A verb of a team: the same on the command line, where `--json` prints what came of it, and at prompts, after a `/`.
pub(super) trait TeamVerb: Args + Send + 'static {
    /// What follows it at prompts, for the help: `[NAME]`.
    const USAGE: &'static str;
    /// What it does, in a line of that help.
    const ABOUT: &'static str;
    /// What came of it: what `--json` prints.
    type Done: Serialize + Send;

    /// Carries it out, or finds out what it shows.
    fn carry_out(
        self,
        call: &VerbCall<'_>,
    ) -> impl Future<Output = anyhow::Result<Self::Done>> + Send;

    /// What came of it, for a person.
    fn lines(done: &Self::Done, style: Style) -> Vec<String>;
}

/// What a verb of a team works on.
pub(super) struct VerbCall<'a> {
    /// The team.
    pub(super) team: &'a TeamHandle,
    /// The team as it was when the verb was read.
    pub(super) state: Arc<TeamState>,
}

impl VerbCall<'_> {
    /// A member by name, the lead without one; an error names the roster.
    pub(super) fn member(&self, name: Option<&str>) -> Result<MemberName, TeamError> {
        name.map_or_else(
            || Ok(MemberName::lead()),
            |name| find_member(&self.state, name),
        )
    }
}

/// A verb of a team by the words that follow it at a prompt.
///
/// Errors: what does not fit.
pub(super) fn typed_verb<V: TeamVerb>(words: Vec<String>) -> Result<V, clap::Error> {
    let command = Command::new("")
        .no_binary_name(true)
        .disable_help_flag(true);
    // What follows is text above all: a word that begins with a hyphen is one as any other.
    let command = V::augment_args(command).mut_args(|arg| match arg.is_positional() {
        true => arg.allow_hyphen_values(true),
        false => arg,
    });
    V::from_arg_matches(&command.try_get_matches_from(words)?)
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
        let json = Arg::new(JSON).long(JSON).help("Print JSON");
        V::augment_args(command).arg(json.action(ArgAction::SetTrue))
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
        let client = place.look().await?;
        let state = client.team().clone();
        let team = TeamHandle::there(client);
        let call = VerbCall { team: &team, state };
        let done = self.verb.carry_out(&call).await?;
        match self.prints_json {
            true => print_json(&serde_json::to_value(&done)?),
            false => V::lines(&done, Style::for_stdout())
                .iter()
                .for_each(print_line),
        }
        Ok(ExitCode::SUCCESS)
    }
}
