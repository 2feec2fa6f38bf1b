//! `teammate mcp serve`: the team as an MCP server, for agents and other programs.

use std::{io::IsTerminal as _, net::Ipv4Addr, path::PathBuf, process::ExitCode, sync::Arc};

use anyhow::Context as _;
use clap::Args;
use teammate::BoxFuture;
use teammate_serve::mcp::{
    AccessKey, FirstJob, HostProgram, McpServer, ServedTeam, serve_http, serve_lines,
};
use tokio::net::TcpListener;

use crate::{
    commands::{
        CliContext, CliResult, UsageError, print_line,
        team_file::team_file,
        up::background::{self, NotOpened},
    },
    settings::user_dirs,
};

/// Serve the team as an MCP server: give it jobs, wait, send mail, read results
///
/// An MCP client starts this, and talks with it on standard input and output. Which team is meant, is said here and by no
/// client: the directory, --team, and the settings with which the team is opened. A job goes on in the background, also when
/// the client has gone, and the process ends when all is done. Members' questions are answered by you, with `teammate approve`
/// and `teammate deny`, unless your configuration lets clients answer them.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Serve {
    /// Serve over HTTP on this port of 127.0.0.1, for clients that cannot start a process; without PORT on any free one. They
    /// need the key, whose file is named then
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    http: Option<u16>,
}

const AFTER_HELP: &str = "\
Examples:
  claude mcp add team -- teammate mcp serve
  codex mcp add team -- teammate mcp serve --permission-mode accept-edits
  teammate mcp serve --http 7437";

impl Serve {
    pub(super) async fn run(self, place: CliContext) -> CliResult {
        let program = Arc::new(McpProgram {
            file: background::program()?,
            place: place.clone(),
        });
        let team = ServedTeam::new(
            place.team(),
            user_dirs(),
            place.look_options()?,
            program,
            place.options.clients_answer()?,
        );
        let server = McpServer::new(team);
        match self.http {
            None => on_standard_streams(server).await?,
            Some(port) => over_http(server, port, &place).await?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

async fn on_standard_streams(server: McpServer) -> anyhow::Result<()> {
    if std::io::stdout().is_terminal() {
        let what = "this talks with a program, not with a person: an MCP client starts it (docs/mcp-server.md says how)";
        return Err(UsageError(what.to_owned()).into());
    }
    let served = serve_lines(&server, tokio::io::stdin(), tokio::io::stdout());
    served.await.context("the client did not speak MCP")
}

async fn over_http(server: McpServer, port: u16, place: &CliContext) -> anyhow::Result<()> {
    let path = team_file(&place.team(), "mcp", "key")?;
    let key = AccessKey::in_file(&path)
        .with_context(|| format!("the key {} cannot be used", path.display()))?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.with_context(|| format!("cannot listen on port {port}"))?;
    let address = listener.local_addr()?;
    print_line(format!(
        "Serving the team '{}' at http://{address}/mcp, until this is ended. Each request needs the header \
         `Authorization: Bearer KEY`; the key is in {}",
        place.team().team_name(),
        path.display()
    ));
    Ok(serve_http(server, listener, key).await?)
}

/// This program, as the server needs it.
struct McpProgram {
    file: PathBuf,
    place: CliContext,
}

impl HostProgram for McpProgram {
    fn start(&self, job: Option<FirstJob>) -> BoxFuture<'_, Result<String, String>> {
        Box::pin(async move {
            let words = match &job {
                None => &["--until-idle"][..],
                Some(job) if job.goes_on => &["--until-idle", "--first-job=last"],
                Some(_) => &["--until-idle", "--first-job=new"],
            };
            let started =
                background::start(&self.file, &self.place, words, job.map(|job| job.text)).await;
            match started {
                Ok(Ok(begun)) => Ok(format!("process {}", begun.process)),
                Ok(Err(NotOpened { said, .. })) => Err(said.trim().to_owned()),
                Err(error) => Err(format!("{error:#}")),
            }
        })
    }
}
