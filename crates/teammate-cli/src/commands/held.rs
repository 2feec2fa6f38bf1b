//! `teammate held`: files that commands wrote where they decide what programs do later, and that are held until you decide.

use std::{
    process::ExitCode,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use teammate::{HeldBackFile, HeldState, TeamClient, request::Request};

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};
use crate::screen::{ago, clean, clean_line};

/// List files that commands wrote where they decide what your programs do later, or take or drop one
///
/// They are out of the way until you decide. While the team runs you are asked; what nobody answered, what you said no to and
/// what was found after a crash stands here.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Held {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    action: Option<HeldAction>,
}

#[derive(Subcommand)]
enum HeldAction {
    /// Show what is new in a held file
    Show {
        /// The file, as `teammate held` numbers it
        number: u32,
    },
    /// Put a held file where the command wrote it, with the content that it has now
    Take {
        /// The file, as `teammate held` numbers it
        number: u32,
    },
    /// Remove a held file for good
    Drop {
        /// The file, as `teammate held` numbers it
        number: u32,
    },
}

/// A held file, and the open request that asks about it.
struct HeldFileRow {
    file: HeldBackFile,
    asked: Option<Arc<Request>>,
}

impl Verb for Held {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let client = place.look().await?;
        let list = list(&client);
        match self.action {
            None if self.json => print_json(&list.iter().map(as_json).collect()),
            None if list.is_empty() => print_line("No file is held"),
            None => list.iter().map(as_text).for_each(print_line),
            Some(HeldAction::Show { number }) => {
                print_line(clean(&of(&list, number)?.file.difference()));
            }
            Some(HeldAction::Take { number }) => {
                let listed = of(&list, number)?;
                unasked(listed)?;
                let name = clean_line(&listed.file.name().display().to_string());
                let taken = listed.file.take();
                taken.with_context(|| format!("{name} stays held"))?;
                print_line(format!("Put {name} in place"));
            }
            Some(HeldAction::Drop { number }) => {
                let listed = of(&list, number)?;
                unasked(listed)?;
                let name = clean_line(&listed.file.name().display().to_string());
                listed.file.drop_for_good()?;
                print_line(format!("Removed what was held of {name}"));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A sentence that says how many are held and that nobody is asked about; none if there are none.
pub(super) fn sentence(client: &TeamClient) -> Option<String> {
    let unasked = list(client).into_iter().filter(|held| held.asked.is_none());
    let names: Vec<String> = unasked
        .map(|held| clean_line(&held.file.name().display().to_string()))
        .collect();
    match &names[..] {
        [] => None,
        [name] => Some(format!("{name} is held, which a command wrote")),
        [name, more @ ..] => Some(format!(
            "{name} and {} more are held, which commands wrote",
            more.len()
        )),
    }
}

fn list(client: &TeamClient) -> Vec<HeldFileRow> {
    let files = client.held_back().list().into_iter();
    let asked = |file: &HeldBackFile| {
        let call = file.asked_by()?;
        let mut open = client.team().requests().pending();
        open.find(|request| request.call.is_part_of(&call)).cloned()
    };
    files
        .map(|file| HeldFileRow {
            asked: asked(&file),
            file,
        })
        .collect()
}

fn of(list: &[HeldFileRow], number: u32) -> anyhow::Result<&HeldFileRow> {
    let found = list.iter().find(|listed| listed.file.number() == number);
    found.with_context(|| {
        format!("no file is held as number {number}; `teammate held` lists those that are")
    })
}

/// A question that is open is answered, so that the member hears of it.
fn unasked(listed: &HeldFileRow) -> anyhow::Result<()> {
    match &listed.asked {
        None => Ok(()),
        Some(request) => anyhow::bail!(
            "you are asked about it; answer with `teammate approve {0}` or `teammate deny {0}`",
            request.id
        ),
    }
}

fn what_to_do(listed: &HeldFileRow) -> String {
    let number = listed.file.number();
    match (&listed.asked, listed.file.state()) {
        (Some(request), _) => format!(
            "you are asked: `teammate approve {0}` or `teammate deny {0}`",
            request.id
        ),
        (None, HeldState::Refused) => {
            format!("you said no: `teammate held take {number}` or `drop {number}`")
        }
        (None, HeldState::Open) => {
            format!(
                "nobody has answered: `teammate held show {number}`, `take {number}` or `drop {number}`"
            )
        }
    }
}

/// `3  .envrc  by alice, 5m ago, in /w/.team/worktrees/alice; kept as FILE  (you said no: ...)`.
fn as_text(listed: &HeldFileRow) -> String {
    let file = &listed.file;
    let by = file
        .writer()
        .map_or("by a command".to_owned(), |name| format!("by {name}"));
    let age = file.since().and_then(|at| at.elapsed().ok());
    let ago = age.map_or_else(String::new, |age| format!(", {}", ago(age.as_secs())));
    clean_line(&format!(
        "{}  {}  {by}{ago}, in {}; kept as {}  ({})",
        file.number(),
        file.name().display(),
        file.root().display(),
        file.held_at().display(),
        what_to_do(listed)
    ))
}

fn as_json(listed: &HeldFileRow) -> Value {
    let file = &listed.file;
    let seconds = |at: SystemTime| Some(at.duration_since(UNIX_EPOCH).ok()?.as_secs());
    json!({
        "number": file.number(),
        "file": file.name().display().to_string(),
        "root": file.root().display().to_string(),
        "member": file.writer(),
        "held_at": file.since().and_then(seconds),
        "kept_as": file.held_at().display().to_string(),
        "is_refused": file.state() == HeldState::Refused,
        "request": listed.asked.as_ref().map(|request| request.id.to_string()),
    })
}
