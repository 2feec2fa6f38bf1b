//! Serving the page, until a signal ends it.

use std::{net::Ipv4Addr, path::Path, process::ExitCode, sync::Arc};

use anyhow::{Context as _, bail};
use teammate::{
    Conversation, DeviceName, Team, TeamHandle,
    contained::{contained, may_fail_here},
    platform::now,
};
use teammate_web::{KeyFile, KeyScope, OpenTeam, PageHost, WebServer};
use tokio::net::TcpListener;

use super::{
    opening, pages,
    teams::{UsersTeams, team_facts},
    words::words_of,
};
use crate::{
    commands::{
        CliContext, CliResult, closing,
        door::{ChosenTalk, TeamDoor},
        facts::{self, Facts},
        note, print_line,
        signals::Signals,
    },
    screen::{clean, print_warning},
};

pub(super) async fn run(
    place: CliContext,
    port: u16,
    name: Option<PageHost>,
    hosts: bool,
    no_open: bool,
) -> CliResult {
    let signals = Signals::new()?;
    let looked = place.look_at(place.team()).await?;
    let is_run = looked.as_ref().is_ok_and(|client| client.host().is_some());
    let (team, hosted) = match (hosts && !is_run, looked) {
        (true, _) => {
            let (team, hosted) = host(&place).await?;
            (Some(team), Some(hosted))
        }
        (false, Ok(client)) => {
            client.require_user()?;
            if !is_run {
                note(
                    "no process runs this team: the page shows it as it was left, and `--host` runs it here",
                );
            }
            (None, None)
        }
        (false, Err(error)) => return Err(error.into()),
    };
    let teams = Arc::new(UsersTeams::new(place.clone(), hosted));
    let page = serve(&place, teams, port, name, no_open, team.as_deref(), signals);
    let served = match (contained("the page", page).await, &team) {
        (Ok(served), _) => served,
        (Err(_), Some(team)) => wait(team).await,
        (Err(bug), None) => Err(bug.into()),
    };
    if let Some(team) = team {
        closing::close_shared(team).await;
    }
    served.map(|()| ExitCode::SUCCESS)
}

async fn serve(
    place: &CliContext,
    teams: Arc<UsersTeams>,
    port: u16,
    name: Option<PageHost>,
    no_open: bool,
    team: Option<&Team>,
    mut signals: Signals,
) -> anyhow::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.with_context(|| format!("cannot listen on port {port}"))?;
    let port = listener.local_addr()?.port();
    let page = format!("http://127.0.0.1:{port}");
    let keys = KeyFile::begin(&pages::file(port)?, &page)?;
    let key = keys.make(
        (KeyScope::Steer, DeviceName::parse("browser").ok()),
        now(),
        None,
    )?;
    let server = WebServer::new(listener, teams, keys.clone(), name.as_ref())?;
    let file = opening::write(&pages::dir()?, port, &page, key.reveal());
    let file = file.context("cannot write the file that opens the page")?;
    print_line(clean(&format!(
        "The page of your teams is at {page}, until this is ended. It opens with its key by {}; `teammate web pair` makes one \
         for another device",
        file.display()
    )));
    if !no_open && let Err(why) = opening::open(&file, &place.dir) {
        print_warning(&format!(
            "The browser was not opened ({why}): open that file with it"
        ));
    }
    let opened = server.opened();
    let end = async {
        tokio::select! {
            _ = signals.interrupt.recv() => {}
            _ = signals.terminate.recv() => {}
            () = ended(team) => {}
            () = used_up(&file, opened) => {}
        }
    };
    server.serve(end).await;
    keys.end();
    let _ = std::fs::remove_file(file);
    Ok(())
}

/// The page has ended by a bug: its team works on, until a signal or another terminal ends this.
async fn wait(team: &Team) -> anyhow::Result<()> {
    note(
        "the team works on without the page: talk with it from another terminal. Ctrl-C ends this",
    );
    let mut signals = Signals::new()?;
    tokio::select! {
        _ = signals.interrupt.recv() => {}
        _ = signals.terminate.recv() => {}
        () = team.close_requested() => {}
    }
    Ok(())
}

/// The file with the key is there until the page has been opened. Never resolves.
async fn used_up(file: &Path, opened: impl Future<Output = ()>) {
    opened.await;
    may_fail_here("page");
    // It may have been removed by hand.
    let _ = std::fs::remove_file(file);
    std::future::pending::<()>().await;
}

/// Resolves when another terminal stops the team that this process runs.
async fn ended(team: Option<&Team>) {
    match team {
        Some(team) => team.close_requested().await,
        None => std::future::pending().await,
    }
}

/// Opens the team here.
async fn host(place: &CliContext) -> anyhow::Result<(Arc<Team>, (String, OpenTeam))> {
    let builder = place.options.builder(true)?;
    let team = builder.conversation(Conversation::Last).prepare().await?;
    team.warnings()
        .iter()
        .for_each(|notice| print_warning(notice));
    let team = Arc::new(team);
    let Facts { first, next, pump } = facts::of_host(&team).await?;
    team.start().await?;
    let id = team.changes().borrow().id();
    if id.is_nil() {
        bail!("the team has no id");
    }
    let door = TeamDoor {
        team: TeamHandle::here(team.clone()),
        place: place.clone(),
        chosen: Arc::new(ChosenTalk::default()),
    };
    let open = OpenTeam {
        door: Arc::new(door),
        words: words_of(place),
        facts: team_facts(place)?,
        first,
        next,
        pump: pump.abort_handle(),
    };
    Ok((team, (id.to_string(), open)))
}
