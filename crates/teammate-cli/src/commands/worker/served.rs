//! One team that a worker serves, from its opening to its end.

use std::{collections::BTreeSet, time::Duration};

use teammate::{
    Conversation, GroupName, HostError, Team, TeamError, TeamPlace, TeamState,
    carried_work::{RemoteAddress, WorkCarrier},
    nats::{Label, NatsTeam, WorkerName, WorkerStop},
};
use tokio::{sync::watch, time::sleep};

use super::{
    clones,
    output::{WorkerEvent, WorkerOutput},
    serving::{Phase, Serving},
};
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
    /// The repository of which members work in a clone; else they work in the working directory.
    pub(super) repo: Option<RemoteAddress>,
    pub(super) places: u16,
    pub(super) output: WorkerOutput,
    pub(super) draining: watch::Receiver<bool>,
}

/// Serves a team until the worker drains.
///
/// Errors: the team cannot be opened, or had to end.
pub(super) async fn serve(
    mut served: Served,
    team: NatsTeam,
    serving: Serving,
) -> anyhow::Result<()> {
    let mut is_said = false;
    let open = loop {
        match served.open(&team).await? {
            Ok(open) => break open,
            Err(TeamError::Host(why @ HostError::Running(_))) => {
                if !std::mem::replace(&mut is_said, true) {
                    served.output.says(&WorkerEvent::Waits {
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
    let ended = served.run(&team, &open).await;
    serving.set(Phase::LetsGo);
    closing::close(open).await;
    let why = match &ended {
        ServingEnd::Drained => "it drained".to_owned(),
        ServingEnd::Stopped => "somebody stopped the team".to_owned(),
        ServingEnd::Failed(why) => why.clone(),
    };
    let name = team.name();
    served.output.says(&WorkerEvent::Ended {
        team: name.clone(),
        why,
    });
    match ended {
        ServingEnd::Drained | ServingEnd::Stopped => Ok(()),
        ServingEnd::Failed(why) => Err(anyhow::anyhow!("team '{name}' is served no more: {why}")),
    }
}

/// How the serving of a team ended.
enum ServingEnd {
    Drained,
    Stopped,
    /// It cannot go on, and why.
    Failed(String),
}

impl Served {
    /// Opens the team with this worker's own settings.
    async fn open(&self, team: &NatsTeam) -> anyhow::Result<Result<Team, TeamError>> {
        let name = GroupName::parse(&team.name().to_string())?;
        let clone = match &self.repo {
            Some(repo) => Some(clones::of(repo, &self.name, team.name()).await?),
            None => None,
        };
        let workspace = clone.as_ref().map(|clone| clone.workspace.clone());
        let workspace = workspace.unwrap_or_else(|| self.place.dir.clone());
        let place = TeamPlace::named(workspace, name).kept_in(team.store());
        let options = self.place.options.at(&place)?;
        let role = team.worker_role(self.name.clone(), self.labels.clone(), self.places);
        let builder = options.headless_builder(true)?.worker(role);
        let builder = builder.conversation(Conversation::Last);
        let builder = builder.share_outputs(team.objects());
        let builder = match &clone {
            Some(clone) => builder.carry_work(WorkCarrier::by_remote(&clone.bundles)),
            None => builder,
        };
        let opened = match builder.prepare().await {
            Ok(opened) => opened,
            Err(error) => return Ok(Err(error)),
        };
        opened
            .warnings()
            .iter()
            .for_each(|notice| print_warning(notice));
        let started = opened.start().await;
        self.output.says(&WorkerEvent::Serves {
            team: team.name().clone(),
        });
        Ok(started.map(|()| opened))
    }

    /// Resolves when the team is to be closed here.
    async fn run(&mut self, team: &NatsTeam, open: &Team) -> ServingEnd {
        let (output, own) = (self.output.clone(), self.name.clone());
        let telling = async {
            let mut changes = open.changes();
            let (mut before, mut lacked) = (Vec::new(), None);
            loop {
                let now = changes.borrow_and_update().clone();
                let lacks = now.places().shortfall(&own);
                if lacks != lacked {
                    lacked.clone_from(&lacks);
                    if let Some(why) = lacks.map(|why| why.to_string()) {
                        let team = team.name().clone();
                        output.says(&WorkerEvent::FallsShort { team, why });
                    }
                }
                let members = held(&now, &own);
                if members != before {
                    before.clone_from(&members);
                    let team = team.name().clone();
                    output.says(&WorkerEvent::Holds { team, members });
                }
                if changes.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        };
        tokio::select! {
            () = telling => ServingEnd::Stopped,
            () = drained(&mut self.draining, open) => ServingEnd::Drained,
            why = open.stopped_as_worker() => stopped(&why),
            () = open.close_requested() => ServingEnd::Stopped,
            why = open.storage_fails() => ServingEnd::Failed(why),
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

/// The end of the program when a worker has stopped for this reason.
fn stopped(why: &WorkerStop) -> ServingEnd {
    ServingEnd::Failed(match why {
        WorkerStop::Drained => return ServingEnd::Drained,
        WorkerStop::Replaced => "another process has this worker's name".to_owned(),
        WorkerStop::Refused(refusal) => refusal.to_string(),
        WorkerStop::Forked(member) => format!(
            "{member}'s transcript has lines that nobody who held {member} wrote; both sides are kept"
        ),
    })
}

/// Whom the worker holds.
fn held(team: &TeamState, own: &WorkerName) -> Vec<String> {
    let held = team.places().held_by(own);
    held.map(|(member, _)| member.to_string()).collect()
}
