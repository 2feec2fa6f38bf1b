//! Where the key of a server comes from: the environment, a command that prints it, or what is typed here and kept in the
//! keyring of the desktop or in a file that only its owner reads. Either is read back by a key command.

use std::path::{Path, PathBuf};
use teammate_view::t;

use anyhow::{Context as _, bail};
use teammate::platform::read_regular_text;

use super::{
    ask,
    edit::{Edit, write_private},
    server::{KeyCustom, Server},
};
use crate::{
    commands::{
        own_programs::{self, quoted},
        print_line, read_stdin,
    },
    settings::user_dirs,
};

/// Where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeyFrom {
    /// The server wants none.
    None,
    /// A variable of the environment.
    Variable(String),
    /// The first line that a command prints.
    Command(String),
    /// A file that holds nothing else.
    File(KeyFile),
}

/// The file of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyFile {
    path: PathBuf,
    /// The key that it held before.
    before: Option<String>,
}

impl KeyFrom {
    /// What it changes in the configuration file.
    pub(super) fn edits(&self, server: &Server) -> Vec<Edit> {
        let read = match self {
            Self::File(file) => format!("cat {}", quoted(&file.path)),
            Self::None | Self::Variable(_) | Self::Command(_) => String::new(),
        };
        // The program looks there by itself, if it knows the server.
        let known = match server.key {
            KeyCustom::Variable(name) if server.base_url.is_none() => name,
            KeyCustom::Variable(_) | KeyCustom::None | KeyCustom::Unknown => "",
        };
        let (variable, command) = match self {
            Self::None => (None, None),
            Self::Variable(name) if name == known => (None, None),
            Self::Variable(name) => (Some(name.as_str()), None),
            Self::Command(line) => (None, Some(line.as_str())),
            Self::File(_) => (None, Some(read.as_str())),
        };
        vec![
            Edit::of_provider(&server.name, "key_env", variable),
            Edit::of_provider(&server.name, "key_command", command),
        ]
    }

    /// Asks where it is.
    pub(super) fn ask(server: &Server) -> anyhow::Result<Self> {
        match server.key {
            KeyCustom::Variable(usual) => Self::ask_where(server, Some(usual)),
            KeyCustom::Unknown if ask::only_yes(t("Does it want a key?"))? => {
                Self::ask_where(server, None)
            }
            KeyCustom::Unknown | KeyCustom::None => Ok(Self::None),
        }
    }

    fn ask_where(server: &Server, usual: Option<&str>) -> anyhow::Result<Self> {
        let is_set = usual.is_some_and(|name| own_programs::set(name).is_some());
        let variable = match usual {
            Some(name) if is_set => t!("the environment: {name}, which is set", name),
            Some(name) => t!("the environment: {name}, which is not set now", name),
            None => t("the environment").to_owned(),
        };
        let mut rows = vec![
            variable,
            t("a command that prints it, such as a password manager's").to_owned(),
            t("I type it here, and it is kept in a file that only I can read").to_owned(),
        ];
        if has_keyring() {
            rows.push(t("I type it here, and it is kept in the keyring of the desktop").to_owned());
        }
        print_line(t!("Where is the key of {name}?", name = server.name));
        match ask::one_of(t("Which?"), &rows, if is_set { 0 } else { 2 })? {
            0 => match usual {
                Some(name) => Ok(Self::Variable(name.to_owned())),
                None => Ok(Self::Variable(ask::text(t("Which variable? "))?)),
            },
            1 => Ok(Self::Command(ask::text(t("The command: "))?)),
            2 => Ok(Self::File(keep(server, &ask::secret(t(TYPE_IT))?)?)),
            _ => kept_in_keyring(server, &ask::secret(t(TYPE_IT))?),
        }
    }

    /// The key on standard input, kept in a file.
    pub(super) fn read(server: &Server) -> anyhow::Result<Self> {
        Ok(Self::File(keep(server, read_stdin()?.trim())?))
    }

    /// Nothing is set up after all: a key that was kept for it is gone, and the one before is back.
    pub(super) fn forget(&self) {
        let Self::File(file) = self else { return };
        // What is left can only be read by its owner, and nothing names it.
        let _ = match &file.before {
            Some(key) => write_private(&file.path, key),
            None => std::fs::remove_file(&file.path),
        };
    }
}

/// The question for a key.
const TYPE_IT: &str = "The key (it is not shown): ";

fn kept_in_keyring(server: &Server, key: &str) -> anyhow::Result<KeyFrom> {
    let file = keep(server, key)?;
    let name = &server.name;
    let line = format!(
        "secret-tool store --label='teammate: {name}' service teammate provider {name} < {}",
        quoted(&file.path)
    );
    let stored = own_programs::run(&line, Path::new("/"));
    KeyFrom::File(file).forget();
    if let Err(why) = stored {
        bail!("the keyring did not take the key: {why}");
    }
    let line = format!("secret-tool lookup service teammate provider {name}");
    Ok(KeyFrom::Command(line))
}

/// Puts a key into its file.
fn keep(server: &Server, key: &str) -> anyhow::Result<KeyFile> {
    if key.is_empty() || key.contains(char::is_whitespace) {
        bail!("that is no key: a key is one word");
    }
    let config = user_dirs()
        .config
        .context("there is no directory for your configuration")?;
    let path = config.join("keys").join(&server.name);
    let before = read_regular_text(&path).ok();
    write_private(&path, &format!("{key}\n"))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(KeyFile { path, before })
}

/// Whether the program that speaks with the keyring is there.
fn has_keyring() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join("secret-tool").is_file())
}
