//! `teammate doctor`: checks what a team needs, and says how to fix each problem.

mod limits;
mod model;
#[cfg(feature = "nats")]
pub(super) mod nats;
mod policy;
mod server;
mod team;

use std::{path::Path, process::ExitCode};
use teammate_view::t;

use clap::Args;
use teammate::{
    of_other_programs, platform,
    policy::MachinePolicy,
    sandbox::{Level, NetworkRule, Sandbox},
};

#[cfg(feature = "nats")]
use self::nats::LookFlags;
#[cfg(not(feature = "nats"))]
use super::no_servers::NoFlags as LookFlags;
use super::{CliContext, CliResult, SharedOptions, Verb, print_line};
use crate::{
    next_steps::wording,
    screen::Style,
    settings::{allowance, connects, member_allowance, user_dirs},
};

/// Less free space than this is reported.
const FREE_MIN: u64 = 256 * 1024 * 1024;

/// The settings that are checked.
const CHECKED: &[&str] = &[
    "model",
    "effort",
    "allow",
    "deny",
    "lead-may-allow",
    "hooks",
    "mcp-config",
    "strict-mcp-config",
    "add-dir",
    "network",
    "sandbox",
];

/// Check configuration, keys, servers, disk and the team, and say how to fix each problem
///
/// Asks each provider that has a key for its list of models, which costs nothing. If that does not show whether the
/// key is valid, asks the model in use for one token. Exits with 1 if a check found a problem, else with 0.
#[derive(Args)]
pub(crate) struct Doctor {
    /// Do not use the network
    #[arg(long)]
    offline: bool,

    #[command(flatten)]
    nats: LookFlags,
}

/// How a check went.
enum Finding {
    Good(String),
    Note(String),
    Bad { what: String, hint: String },
}

/// How to get the full sandbox.
const NAMESPACES: &str = "allow user namespaces (kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0; in a \
    container, its seccomp profile), or say that less is enough: [sandbox] required = \"landlock\"";

impl Verb for Doctor {
    const SHARED: SharedOptions = SharedOptions::OfPlace(CHECKED);

    async fn run(self, place: &CliContext) -> CliResult {
        if let Some(found) = self.nats.findings(&place.options).await {
            return Ok(shown(found));
        }
        let mut found = vec![configuration(place)];
        found.extend(model::findings(place));
        found.extend(server::providers(place, self.offline).await);
        found.push(disk(&place.dir));
        found.push(file_system(&place.dir));
        found.extend(free_space(&place.dir));
        let policy = MachinePolicy::of_machine();
        found.extend(policy::findings(&policy));
        let policy = policy.ok().flatten();
        found.extend(commands(place, policy.as_ref()));
        found.extend(limits::findings(place, policy.as_ref()));
        found.extend(team::checks(place).await);
        found.extend(
            of_other_programs(&place.dir, wording())
                .into_iter()
                .map(Finding::Note),
        );
        Ok(shown(found))
    }
}

/// Shows what was found.
fn shown(found: Vec<Finding>) -> ExitCode {
    let style = Style::for_stdout();
    let mut is_well = true;
    for check in found {
        match check {
            Finding::Good(what) => print_line(format!("{} {what}", style.good("ok  "))),
            Finding::Note(what) => print_line(format!("{} {what}", style.dim("note"))),
            Finding::Bad { what, hint } => {
                is_well = false;
                print_line(format!("{} {what}\n     {hint}", style.bad("bad ")));
            }
        }
    }
    match is_well {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    }
}

fn configuration(place: &CliContext) -> Finding {
    let Some(path) = place.options.config_path() else {
        return Finding::Note(
            t("no place for a configuration file was found (HOME is not set)").to_owned(),
        );
    };
    match place.options.providers() {
        Ok(_) if path.exists() => Finding::Good(t!("configuration: {path}", path = path.display())),
        Ok(_) => Finding::Note(t!(
            "no configuration file ({path} would be read)",
            path = path.display()
        )),
        Err(error) => Finding::Bad {
            what: format!("{error:#}"),
            hint: t("correct or remove it").to_owned(),
        },
    }
}

/// Writes, syncs and removes a file.
fn disk(dir: &Path) -> Finding {
    let path = dir.join(format!(".teammate-doctor-{}", std::process::id()));
    let tried = std::fs::File::create_new(&path).and_then(|mut file| {
        std::io::Write::write_all(&mut file, b"x")?;
        file.sync_all()
    });
    // Gone or never made.
    let _ = std::fs::remove_file(&path);
    match tried {
        Ok(()) => Finding::Good(t!("{path} can be written and synced", path = dir.display())),
        Err(error) => Finding::Bad {
            what: t!(
                "{path} cannot be written: {error}",
                path = dir.display(),
                error
            ),
            hint: t("choose another directory with --dir").to_owned(),
        },
    }
}

fn file_system(dir: &Path) -> Finding {
    match platform::file_system(dir) {
        Some(kind) if kind.is_trusted => Finding::Good(t!("file system: {kind}", kind = kind.name)),
        Some(kind) => Finding::Bad {
            what: t!(
                "file system: {kind}; locks and syncs are not reliable there",
                kind = kind.name
            ),
            hint: t("keep the workspace on a local disk").to_owned(),
        },
        None => Finding::Note(t("file system: unknown type; locks may not work").to_owned()),
    }
}

fn free_space(dir: &Path) -> Option<Finding> {
    let free = platform::free_bytes(dir)?;
    let text = t!("free space: {space} MiB", space = free / (1024 * 1024));
    Some(if free >= FREE_MIN {
        Finding::Good(text)
    } else {
        Finding::Bad {
            what: text,
            hint: t("free some space: mail and transcripts need it").to_owned(),
        }
    })
}

/// How well commands are held, and where they connect.
fn commands(place: &CliContext, policy: Option<&MachinePolicy>) -> Vec<Finding> {
    let asked = place.options.sandbox().map_err(|error| Finding::Bad {
        what: t!(
            "the sandbox cannot be set up: {error}",
            error = format!("{error:#}")
        ),
        hint: t("correct the configuration").to_owned(),
    });
    let held = asked.and_then(|asked| match policy {
        Some(policy) => policy::held(policy, asked),
        None => Ok(asked),
    });
    let rules = match held {
        Ok(rules) => rules,
        Err(finding) => return vec![finding],
    };
    let (required, network) = (rules.required, rules.network);
    let (limits, member_limits) = (rules.limits, rules.member_limits);
    let state = user_dirs().state;
    let scratch = state.filter(|dir| dir.is_dir());
    let scratch = scratch.unwrap_or_else(std::env::temp_dir);
    let strength = Sandbox::new(rules).strength(&scratch);
    let level = strength.as_ref().ok().map(|strength| strength.level);
    let counts = match strength
        .as_ref()
        .is_ok_and(|strength| strength.has_control_groups)
    {
        true => t("control groups count memory and processes"),
        false => t("it is looked at four times a second, without control groups"),
    };
    let held = match strength {
        Err(failure) => Finding::Bad {
            what: t!(
                "no command can run: the sandbox could not {failure}",
                failure
            ),
            hint: t("start the team with --sandbox off, if that is what you want").to_owned(),
        },
        Ok(strength) => match strength.level {
            Level::Full => Finding::Good(strength.to_string()),
            level if required.is_some_and(|required| level >= required) => {
                Finding::Note(strength.to_string())
            }
            Level::Off | Level::None | Level::Landlock => Finding::Bad {
                what: strength.to_string(),
                hint: NAMESPACES.to_owned(),
            },
        },
    };
    let connects = level.map(|level| Finding::Note(connections(network, level)));
    let limited = level.filter(|level| *level != Level::Off);
    let uses = limited.map(|_| {
        Finding::Note(t!(
            "limits: {limits}; {counts}",
            limits = allowance(&limits),
            counts
        ))
    });
    let member_uses = limited.map(|_| Finding::Note(member_allowance(&member_limits)));
    let notes = [connects, uses, member_uses].into_iter().flatten();
    [held].into_iter().chain(notes).collect()
}

/// Where commands connect.
fn connections(network: NetworkRule, level: Level) -> String {
    match (network, level) {
        (_, Level::Full) => t!("network: {hosts}", hosts = connects(network)),
        (NetworkRule::Nowhere, Level::Landlock) => {
            t("network: commands make no TCP connections; other kinds are not held at this level")
                .to_owned()
        }
        (NetworkRule::Machine, _) | (_, Level::Landlock | Level::None | Level::Off) => {
            t("network: commands connect wherever this machine does: only the full sandbox holds them to hosts").to_owned()
        }
    }
}
