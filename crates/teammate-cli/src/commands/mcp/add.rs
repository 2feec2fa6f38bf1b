//! `teammate mcp add`: writes an entry into the user's own file, or into the workspace's.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde_json::{Map, Value, json};
use teammate::mcp::{EntryOrigin, ServerTable, ServersFile, Variables};

use crate::{
    commands::{CliContext, CliResult, UsageError, print_line},
    settings::own_servers_file,
};

/// Add an MCP server: a program, or the URL of one that is there already
///
/// Values may name variables as ${NAME} or ${NAME:-DEFAULT}; so keys need not stand in the file.
#[derive(Args)]
#[command(after_help = "\
Examples:
  teammate mcp add git -- mcp-server-git
  teammate mcp add github --env 'GITHUB_TOKEN=${GITHUB_TOKEN}' --network-host api.github.com -- github-mcp
  teammate mcp add docs --url https://example.org/mcp --header 'Authorization=Bearer ${DOCS_KEY}'")]
pub(super) struct Add {
    /// What it is called; its tools become mcp__NAME__TOOL
    name: String,

    /// The program and its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,

    /// The address of a server that speaks streamable HTTP
    #[arg(long, conflicts_with = "command")]
    url: Option<String>,

    /// A header for each request to it, as NAME=VALUE; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "url")]
    header: Vec<String>,

    /// The id under which you have registered this program with who lets people in there, for `teammate mcp login`
    #[arg(long, value_name = "ID", requires = "url")]
    client_id: Option<String>,

    /// The secret that belongs to it, best as '${NAME}'
    #[arg(long, value_name = "SECRET", requires = "client_id")]
    client_secret: Option<String>,

    /// The port to which your browser is sent back after the login [default: one that is free]
    #[arg(long, value_name = "PORT", requires = "url")]
    callback_port: Option<u16>,

    /// A variable of the program's environment, as NAME=VALUE; may be repeated
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "url")]
    env: Vec<String>,

    /// A host to which the program may connect, as in rules; may be repeated [default: none]
    #[arg(long = "network-host", value_name = "HOST", conflicts_with = "url")]
    hosts: Vec<String>,

    /// Start one for each member: it keeps state that they must not share
    #[arg(long)]
    per_member: bool,

    /// Write it into the workspace's .mcp.json, for all who work there
    #[arg(long)]
    project: bool,
}

impl Add {
    pub(super) fn run(self, place: &CliContext) -> CliResult {
        let entry = self.entry()?;
        // What cannot be used is not written. Variables are those of a later moment.
        let table: ServerTable = serde_json::from_value(without_variables(&entry))?;
        table
            .settings(&self.name, EntryOrigin::User, &Variables::default())
            .map_err(|error| UsageError(format!("this server {error}")))?;
        let file = match self.project {
            true => ServersFile::at(place.dir.join(".mcp.json")),
            false => own_servers_file()
                .context("you have no configuration directory (HOME is not set)")?,
        };
        let was_there = file.set(&self.name, entry)?;
        let done = if was_there { "Replaced" } else { "Added" };
        print_line(format!(
            "{done} '{}' in {}",
            self.name,
            file.path().display()
        ));
        print_line(match self.project {
            true => format!(
                "It is used once you trust it: teammate trust. Try it then: teammate mcp test {}",
                self.name
            ),
            false => format!("Try it: teammate mcp test {}", self.name),
        });
        Ok(ExitCode::SUCCESS)
    }

    fn entry(&self) -> anyhow::Result<Value> {
        let mut entry = Map::new();
        match (&self.url, self.command.split_first()) {
            (Some(url), _) => {
                entry.insert("type".to_owned(), json!("http"));
                entry.insert("url".to_owned(), json!(url));
                set(&mut entry, "headers", pairs(&self.header, "--header")?);
                let login = [
                    ("client_id", self.client_id.as_ref().map(|id| json!(id))),
                    (
                        "client_secret",
                        self.client_secret.as_ref().map(|it| json!(it)),
                    ),
                    ("callback_port", self.callback_port.map(|port| json!(port))),
                ];
                let login = login.into_iter();
                let login = login.filter_map(|(key, value)| Some((key.to_owned(), value?)));
                entry.extend(login);
            }
            (None, Some((command, arguments))) => {
                entry.insert("command".to_owned(), json!(command));
                entry.insert("args".to_owned(), json!(arguments));
                set(&mut entry, "env", pairs(&self.env, "--env")?);
                if !self.hosts.is_empty() {
                    entry.insert("network".to_owned(), json!(self.hosts));
                }
            }
            (None, None) => {
                let hint =
                    "name a program (teammate mcp add NAME -- COMMAND) or an address (--url URL)";
                return Err(UsageError(hint.to_owned()).into());
            }
        }
        if self.per_member {
            entry.insert("scope".to_owned(), json!("member"));
        }
        Ok(Value::Object(entry))
    }
}

fn set(entry: &mut Map<String, Value>, key: &str, pairs: Map<String, Value>) {
    if !pairs.is_empty() {
        entry.insert(key.to_owned(), Value::Object(pairs));
    }
}

fn pairs(given: &[String], flag: &str) -> Result<Map<String, Value>, UsageError> {
    let pair = |text: &String| {
        let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty())?;
        Some((name.to_owned(), json!(value)))
    };
    let pairs: Option<Map<String, Value>> = given.iter().map(pair).collect();
    pairs.ok_or_else(|| UsageError(format!("{flag} takes NAME=VALUE")))
}

/// The entry with words in the place of variables.
fn without_variables(entry: &Value) -> Value {
    match entry {
        Value::String(text) => json!(text.replace("${", "{")),
        Value::Array(items) => items.iter().map(without_variables).collect(),
        Value::Object(parts) => parts
            .iter()
            .map(|(key, value)| (key.clone(), without_variables(value)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}
