//! One team that a worker serves, from its opening to its end.

use std::{collections::BTreeSet, time::Duration};

use teammate::{
    GroupName, HostError, MemberPhase, Team, TeamError, TeamPlace, TeamState,
    nats::{Label, NatsTeam, WorkerName},
};
use tokio::{sync::watch, time::sleep};

use super::output::{Output, Progress};
use crate::{
    commands::{CliContext, closing},
    screen::print_warning,
};

/// The pause before a team that another process runs is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// How teams are served.
#[derive(Clone)]
pub(super) struct Served {
    pub(super) place: CliContext,
    pub(super) name: WorkerName,
    pub(super) labels: BTreeSet<Label>,
    pub(super) places: u16,
    pub(super) output: Output,
    pub(super) draining: watch::Receiver<bool>,
}

/// Serves a team until the worker drains.
///
/// Errors: the team cannot be opened, or had to end.
pub(super) async fn serve(mut served: Served, team: NatsTeam) -> anyhow::Result<()> {
    let mut is_said = false;
    let open = loop {
        match served.open(&team).await? {
            Ok(open) => break open,
            Err(TeamError::Host(why @ HostError::Running(_))) => {
                if !std::mem::replace(&mut is_said, true) {
                    served.output.says(&Progress::Waits {
                        team: team.name().clone(),
                        why: why.to_string(),
                    });
                }
            }
            Err(error) => return Err(error.into()),
        }
        tokio::select! {
            () = sleep(AGAIN) => {}
            () = drains(&mut served.draining) => return Ok(()),
        }
    };
    let why = served.run(&team, &open).await;
    closing::close(open).await;
    served.output.says(&Progress::Ended {
        team: team.name().clone(),
        why,
    });
    Ok(())
}

impl Served {
    /// Opens the team with this worker's own settings.
    async fn open(&self, team: &NatsTeam) -> anyhow::Result<Result<Team, TeamError>> {
        let name = GroupName::parse(&team.name().to_string())?;
        let place = TeamPlace::named(self.place.dir.clone(), name).kept_in(team.store());
        let options = self.place.options.at(&place)?;
        let opened = match options.headless_builder(true)?.prepare().await {
            Ok(opened) => opened,
            Err(error) => return Ok(Err(error)),
        };
        opened
            .warnings()
            .iter()
            .for_each(|notice| print_warning(notice));
        let started = opened.start().await;
        self.output.says(&Progress::Serves {
            team: team.name().clone(),
        });
        Ok(started.map(|()| opened))
    }

    /// Resolves when the team is to be closed here, with the reason.
    async fn run(&mut self, team: &NatsTeam, open: &Team) -> String {
        let (output, own) = (self.output.clone(), self.name.clone());
        let telling = async {
            let mut changes = open.changes();
            let mut before = Vec::new();
            loop {
                let now = changes.borrow_and_update().clone();
                let members = held(&now, &own);
                if members != before {
                    before.clone_from(&members);
                    let team = team.name().clone();
                    output.says(&Progress::Holds { team, members });
                }
                if changes.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        };
        tokio::select! {
            () = telling => String::new(),
            () = drained(&mut self.draining, open) => "it drained".to_owned(),
            () = open.close_requested() => "somebody stopped the team".to_owned(),
            why = open.storage_fails() => format!("{why:?}"),
        }
    }
}

async fn drains(draining: &mut watch::Receiver<bool>) {
    // Who drains is there until all have ended.
    let _ = draining.wait_for(|drains| *drains).await;
}

/// Resolves when the worker has drained and other workers may have what it held.
async fn drained(draining: &mut watch::Receiver<bool>, open: &Team) {
    drains(draining).await;
    open.drain().await;
}

/// Whom the worker runs: all members where the team is not spread over workers.
fn held(team: &TeamState, own: &WorkerName) -> Vec<String> {
    let places = team.places();
    match places.is_used() {
        true => places
            .held_by(own)
            .map(|(member, _)| member.to_string())
            .collect(),
        false => {
            let living = team
                .members()
                .filter(|member| member.phase != MemberPhase::Stopped);
            living.map(|member| member.name.to_string()).collect()
        }
    }
}
