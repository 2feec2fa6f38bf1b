//! `teammate doctor`: checks what a team needs, and says what to do about what is missing.

use std::{path::Path, process::ExitCode, time::Duration};

use clap::Args;
use teammate::{
    Containment, Level, Outside, READ_MAX_BYTES, TeamError, of_other_programs, platform,
};

use super::{Ended, Place, say};
use crate::{screen::Style, settings::user_dirs};

/// A server must accept a connection within this time.
const REACHABLE_WITHIN: Duration = Duration::from_secs(5);

/// Less free space than this is worth a word.
const FREE_MIN: u64 = 256 * 1024 * 1024;

/// Check keys, servers, disk and file system
#[derive(Args)]
pub(crate) struct Doctor {}

/// How a check went.
enum Found {
    Good(String),
    Note(String),
    Bad { what: String, hint: String },
}

impl Doctor {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let mut found = vec![configuration(place), model(place)];
        found.extend(providers(place).await);
        found.push(disk(&place.dir));
        found.push(file_system(&place.dir));
        found.extend(space(&place.dir));
        found.push(commands(place.options.containment().unwrap_or_default()));
        found.push(team(place).await);
        found.extend(of_other_programs(&place.dir).into_iter().map(Found::Note));
        let style = Style::for_stdout();
        let mut is_well = true;
        for check in found {
            match check {
                Found::Good(what) => say(format!("{} {what}", style.good("ok  "))),
                Found::Note(what) => say(format!("{} {what}", style.dim("note"))),
                Found::Bad { what, hint } => {
                    is_well = false;
                    say(format!("{} {what}\n     {hint}", style.bad("bad ")));
                }
            }
        }
        Ok(if is_well {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(1)
        })
    }
}

fn configuration(place: &Place) -> Found {
    let Some(path) = place.options.config_path() else {
        return Found::Note(
            "no place for a configuration file was found (HOME is not set)".to_owned(),
        );
    };
    match place.options.providers() {
        Ok(_) if path.exists() => Found::Good(format!("configuration: {}", path.display())),
        Ok(_) => Found::Note(format!(
            "no configuration file ({} would be read)",
            path.display()
        )),
        Err(error) => Found::Bad {
            what: format!("{error:#}"),
            hint: "correct or remove it".to_owned(),
        },
    }
}

fn model(place: &Place) -> Found {
    match place.options.model() {
        Ok(model) => Found::Good(format!("model: {model}")),
        Err(error) => Found::Bad {
            what: "no model can be used".to_owned(),
            hint: format!("{error:#}"),
        },
    }
}

async fn providers(place: &Place) -> Vec<Found> {
    let Ok(providers) = place.options.providers() else {
        return Vec::new();
    };
    let used = place
        .options
        .model()
        .map(|model| model.provider)
        .unwrap_or_default();
    let mut found = Vec::new();
    for (name, endpoint) in providers.endpoints() {
        let url = providers.without_secrets(&endpoint.base_url);
        let key = match (&endpoint.key, endpoint.key_from.as_str()) {
            (Some(_), from) => format!("key from {from}"),
            (None, "") => "no key needed".to_owned(),
            (None, from) => format!("no key ({from} is not set)"),
        };
        if endpoint.key.is_none() && !endpoint.key_from.is_empty() {
            found.push(if name == used {
                Found::Bad {
                    what: format!("{name}: {key}"),
                    hint: format!("set {}, or choose another model", endpoint.key_from),
                }
            } else {
                Found::Note(format!("{name}: {key}"))
            });
            continue;
        }
        found.push(match reach(&endpoint.base_url).await {
            Ok(()) => Found::Good(format!("{name}: {url} answers, {key}")),
            Err(why) => Found::Bad {
                what: format!("{name}: {url} cannot be reached: {why}"),
                hint: "check the base URL, the network and the proxy settings".to_owned(),
            },
        });
    }
    found
}

/// Whether something listens there. A proxy in the environment is not gone through.
async fn reach(base_url: &str) -> Result<(), String> {
    let (scheme, rest) = base_url.split_once("://").ok_or("it is not a URL")?;
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let address = match authority.rsplit_once(':') {
        Some((_, port)) if port.chars().all(|c| c.is_ascii_digit()) => authority.to_owned(),
        Some(_) | None => format!("{authority}:{}", if scheme == "http" { 80 } else { 443 }),
    };
    match tokio::time::timeout(REACHABLE_WITHIN, tokio::net::TcpStream::connect(&address)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("no answer within {} s", REACHABLE_WITHIN.as_secs())),
    }
}

/// Writes, syncs and removes a file.
fn disk(dir: &Path) -> Found {
    let path = dir.join(format!(".teammate-doctor-{}", std::process::id()));
    let tried = std::fs::File::create_new(&path).and_then(|mut file| {
        std::io::Write::write_all(&mut file, b"x")?;
        file.sync_all()
    });
    // Gone or never made.
    let _ = std::fs::remove_file(&path);
    match tried {
        Ok(()) => Found::Good(format!("{} can be written and synced", dir.display())),
        Err(error) => Found::Bad {
            what: format!("{} cannot be written: {error}", dir.display()),
            hint: "choose another directory with --dir".to_owned(),
        },
    }
}

fn file_system(dir: &Path) -> Found {
    match platform::file_system(dir) {
        Some(kind) if kind.is_trusted => Found::Good(format!("file system: {}", kind.name)),
        Some(kind) => Found::Bad {
            what: format!(
                "file system: {}; locks and syncs cannot be trusted there",
                kind.name
            ),
            hint: "keep the workspace on a local disk".to_owned(),
        },
        None => {
            Found::Note("file system: of a kind that is not known; locks may not hold".to_owned())
        }
    }
}

fn space(dir: &Path) -> Option<Found> {
    let free = platform::free_bytes(dir)?;
    let text = format!("free space: {} MiB", free / (1024 * 1024));
    Some(if free >= FREE_MIN {
        Found::Good(text)
    } else {
        Found::Bad {
            what: text,
            hint: "make room: mail and transcripts need it".to_owned(),
        }
    })
}

/// How well commands are held.
fn commands(at_most: Level) -> Found {
    let containment = Containment::here(at_most);
    let what = format!("commands are held {containment}");
    match (containment.hint(), at_most) {
        (None, _) => Found::Good(what),
        (Some(hint), Level::Namespace) => Found::Note(format!("{what}\n     {hint}")),
        // As was asked for.
        (Some(_), Level::Descendants | Level::Marks) => Found::Note(what),
    }
}

async fn team(place: &Place) -> Found {
    let read_max = place.options.read_max().unwrap_or(READ_MAX_BYTES);
    match Outside::look_reading_at_most(place.team(), &user_dirs(), read_max).await {
        Ok(outside) if outside.damaged().is_empty() => {
            let members = outside.team().teammates().count();
            let runs = outside
                .runs_in()
                .map_or("not running".to_owned(), |by| format!("running in {by}"));
            Found::Good(format!(
                "team '{}': {members} teammates, {runs}",
                outside.team().name()
            ))
        }
        Ok(outside) => Found::Bad {
            what: format!(
                "the team's journal has damaged lines: {}",
                outside.damaged().join("; ")
            ),
            hint: "the rest is used; what was damaged is kept beside it".to_owned(),
        },
        Err(TeamError::NoTeam(_)) => Found::Note("no team here yet".to_owned()),
        Err(error) => Found::Bad {
            what: error.to_string(),
            hint: "see above".to_owned(),
        },
    }
}
