//! `teammate up --try`: a server of its own on this machine, two workers, and a team that goes on when one of them is killed. It leaves
//! nothing behind, and downloads nothing.

mod dir;
mod server;
mod story;
mod worker;

use std::process::ExitCode;

use anyhow::bail;
use teammate::{
    TeamClient,
    nats::{
        NatsServers, TeamCircle,
        connect::ServerUrl,
        layout::{Replicas, TeamId},
    },
};

use self::{dir::TrialDir, server::TrialServer, story::TrialStory, worker::TrialWorker};
use crate::{
    commands::{CliResult, print_line, signals::Signals, up::background},
    screen::Style,
};

const TEAM: &str = "try";

const WORKERS: [&str; 2] = ["one", "two"];

/// Plays it, until it is over or somebody has seen enough.
pub(super) async fn run() -> CliResult {
    let server = server::program()?;
    let mut signals = Signals::new()?;
    let dir = TrialDir::make()?;
    let played = tokio::select! {
        played = play(&server, &dir) => played.map(|()| ExitCode::SUCCESS),
        _ = signals.interrupt.recv() => Ok(ExitCode::from(130)),
        _ = signals.terminate.recv() => Ok(ExitCode::from(130)),
    };
    dir.remove()?;
    played
}

async fn play(server: &std::path::Path, dir: &TrialDir) -> anyhow::Result<()> {
    let style = Style::for_stdout();
    let server = TrialServer::start(server, dir).await?;
    print_line(style.bold(&format!("A NATS server of its own: {}", server.url)));
    let servers = NatsServers {
        urls: vec![ServerUrl::parse(&server.url)?],
        creds: None,
    };
    let user = dir.user();
    let circle = TeamCircle::connect(servers, &user, "teammate up --try").await?;
    let unmet = circle
        .prepare(Replicas::One, std::slice::from_ref(&server.monitor))
        .await?;
    if let Some(unmet) = unmet.first() {
        bail!("{unmet}");
    }
    let name = TeamId::try_from(TEAM.to_owned()).map_err(anyhow::Error::msg)?;
    let team = circle.find_or_make(&name, None).await?;
    let program = background::program()?;
    let mut workers = Vec::new();
    for name in WORKERS {
        workers.push(TrialWorker::start(&program, name, &server.url, dir)?);
    }
    for worker in &mut workers {
        worker.until_it_has_joined().await?;
        print_line(style.dim(&format!(
            "Worker '{}' has joined, in process {}",
            worker.name,
            worker.id()
        )));
    }
    let client = TeamClient::open_in(team.store().open(), dir.workspace(), &user).await?;
    TrialStory::new(client, workers).play().await?;
    print_line(
        style.bold(
            "Done: nothing of it is left. `teammate up --nats URL` begins a team of your own",
        ),
    );
    Ok(())
}
