//! `teammate acp`: editors drive a team, by the Agent Client Protocol.

use std::{io::IsTerminal as _, process::ExitCode, sync::Arc};

use clap::Args;
use teammate::{
    BoxFuture, LookOptions, Team, TeamBuilder, TeamHandle, TeamPlace, project::UserDirs,
};
use teammate_serve::acp::{EditorCommand, EditorProgram, serve};

use crate::{
    commands::{
        CliContext, CliResult, SharedOptions, UsageError, Verb,
        cost::Cost,
        inbox::Inbox,
        signals::asked_to_end,
        tasks::Tasks,
        typed::{self, TypedAnswer},
        verb::TeamVerb,
    },
    settings::user_dirs,
};

/// Let an editor drive a team, by the Agent Client Protocol
///
/// An editor starts this, and talks with it on standard input and output. Each session is a team of its own in the directory that
/// the editor names, kept in .teams/. When the editor goes, the teams are paused; a session continues when it is loaded and gets
/// a prompt.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Acp {}

const AFTER_HELP: &str = "\
Examples:
  \"command\": \"teammate\", \"args\": [\"acp\"]     in the editor's settings (docs/editors.md)
  teammate acp --permission-mode accept-edits";

impl Verb for Acp {
    const SHARED: SharedOptions = SharedOptions::All;

    async fn run(self, place: &CliContext) -> CliResult {
        if std::io::stdout().is_terminal() {
            let what = "this talks with an editor, not with a person: an editor starts it (docs/editors.md says how)";
            return Err(UsageError(what.to_owned()).into());
        }
        if place.options.names_team() {
            let what = "each session of an editor is a team of its own; leave --team out";
            return Err(UsageError(what.to_owned()).into());
        }
        let end = asked_to_end()?;
        let streams = (tokio::io::stdin(), tokio::io::stdout());
        serve(Arc::new(AcpProgram(place.clone())), streams, end).await;
        Ok(ExitCode::SUCCESS)
    }
}

/// The commands of the prompt that say how a team stands.
const COMMANDS: &[EditorCommand] = &[
    EditorCommand {
        name: "team",
        about: "the members and what each one is doing",
        hint: "",
    },
    of_prompts::<Tasks>(),
    of_prompts::<Inbox>(),
    of_prompts::<Cost>(),
];

/// A verb of a team, as prompts have it.
const fn of_prompts<V: TeamVerb>() -> EditorCommand {
    EditorCommand {
        name: V::WORD.split_at(1).1,
        about: V::ABOUT,
        hint: V::USAGE,
    }
}

/// This program, as the door needs it.
struct AcpProgram(CliContext);

impl AcpProgram {
    /// These settings for a team at another place.
    fn at(&self, place: &TeamPlace) -> anyhow::Result<CliContext> {
        let options = self.0.options.at(place)?;
        Ok(CliContext {
            dir: options.dir(),
            options,
            given: self.0.given.clone(),
            is_attached: false,
        })
    }
}

impl EditorProgram for AcpProgram {
    fn user(&self) -> UserDirs {
        user_dirs()
    }

    fn look_options(&self) -> Result<LookOptions, String> {
        let options = self.0.look_options();
        options.map_err(|error| format!("{error:#}"))
    }

    fn builder(&self, place: &TeamPlace) -> Result<TeamBuilder, String> {
        let built = self.at(place).and_then(|place| place.options.builder(true));
        built.map_err(|error| format!("{error:#}"))
    }

    fn commands(&self) -> &'static [EditorCommand] {
        COMMANDS
    }

    fn run<'a>(
        &'a self,
        team: &'a Arc<Team>,
        place: &'a TeamPlace,
        (word, words): (&'a str, &'a str),
    ) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(async move {
            let place = self.at(place).map_err(|error| format!("{error:#}"))?;
            let reached = TeamHandle::here(team.clone());
            let line = format!("/{word} {words}");
            match typed::run_line(&line, &reached, &place).await? {
                TypedAnswer::Lines(lines) | TypedAnswer::Answered(lines) => Ok(lines),
                TypedAnswer::Choices(_) | TypedAnswer::GoesOn(_) => {
                    Err("that is for a prompt in a terminal".to_owned())
                }
            }
        })
    }
}
