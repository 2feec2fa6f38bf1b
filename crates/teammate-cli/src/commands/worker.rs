//! `teammate worker`: runs the members that teams on NATS servers place on this machine.

mod clones;
mod names;
mod output;
mod served;
mod serving;

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use clap::Args;
use teammate::{
    carried_work::RemoteAddress,
    nats::{Label, NatsError, NatsTeam, TeamCircle, TeamFeed, WorkerName, layout::TeamId},
};
use tokio::{sync::watch, task::JoinSet};

use self::{
    output::{WorkerEvent, WorkerOutput},
    served::{Served, serve},
    serving::{Phase, Serving},
};
use super::{CliContext, CliResult, SharedOptions, UsageError, Verb, error_line, signals::Signals};
use crate::settings::user_dirs;

/// How many members a worker runs that nobody said it of.
const PLACES: u16 = 16;

/// Run members of teams on NATS servers, on this machine
///
/// Serves every team that its creds open, and each new one. Members work in the working directory; model keys, rules, the sandbox and
/// hooks are this machine's own. On SIGTERM, Ctrl-C or `teammate workers drain` it gives up what it holds, and ends; a second signal
/// ends it at once, and other workers go on with its members.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Worker {
    /// The servers: nats://HOST:PORT on this machine, else tls://, separated by commas [default: --nats]
    #[arg(long, value_name = "URL", value_delimiter = ',')]
    join: Vec<String>,

    /// What this machine has, and members may need: gpu, model:anthropic; may be repeated
    #[arg(long = "label", value_name = "LABEL", value_parser = Label::parse)]
    labels: Vec<Label>,

    /// The repository that members work on, in a clone of this worker's own; what they do is pushed to it under refs/teammate.
    /// Members that need it may work here [default: they work in the working directory, and nothing is carried]
    #[arg(long, value_name = "URL", value_parser = RemoteAddress::parse)]
    repo: Option<RemoteAddress>,

    /// The most members of one team that run here
    #[arg(long, value_name = "N", default_value_t = PLACES)]
    places: u16,

    /// The worker's name [default: that of its creds, else the machine's]
    #[arg(long, value_name = "NAME", value_parser = WorkerName::parse)]
    name: Option<WorkerName>,

    /// Serve only this team, and the one of --team; may be repeated [default: all]
    #[arg(long = "for", value_name = "TEAM", value_parser = team)]
    teams: Vec<TeamId>,

    /// Print one JSON object a line for what happens
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Exit codes: 0 it has given up what it held, 1 it could not join or had to end, 130 it was ended at once.";

fn team(text: &str) -> Result<TeamId, &'static str> {
    TeamId::try_from(text.to_owned())
}

impl Verb for Worker {
    const SHARED: SharedOptions = SharedOptions::All;

    async fn run(self, place: &CliContext) -> CliResult {
        let options = match self.join.is_empty() {
            true => place.options.clone(),
            false => place.options.clone().on_servers(self.join.clone()),
        };
        let Some(servers) = options.servers()? else {
            return Err(UsageError("name the servers: --join URL".to_owned()).into());
        };
        let mut wanted: BTreeSet<TeamId> = self.teams.iter().cloned().collect();
        if options.names_team() {
            wanted.insert(options.name_on_servers()?);
        }
        let mut signals = Signals::new()?;
        let circle = TeamCircle::connect(servers, &user_dirs(), "teammate worker").await?;
        let own = circle.own_name();
        let name = match &self.name {
            Some(name) => names::given(name, own.filter(|_| circle.is_of_worker()))?,
            None => names::usual(own)?,
        };
        let (labels, secrets) = (self.labels()?, place.options.secrets()?);
        secrets.require_none_in("worker", name.as_str())?;
        for label in &labels {
            secrets.require_none_in("label", label.as_str())?;
        }
        let output = WorkerOutput::new(self.json, name.clone());
        let (drains, draining) = watch::channel(false);
        let served = Served {
            place: CliContext {
                options,
                ..place.clone()
            },
            name,
            labels,
            repo: self.repo.clone(),
            places: self.places,
            output: output.clone(),
            draining,
        };
        output.says(&WorkerEvent::Joined);
        let mut work = ServedTeams {
            wanted,
            running: JoinSet::new(),
            known: BTreeMap::new(),
        };
        let mut feed = circle.teams();
        tokio::select! {
            ended = work.take_all(&served, &mut feed) => return ended.map(|()| ExitCode::from(1)),
            _ = signals.terminate.recv() => {}
            _ = signals.interrupt.recv() => {}
            () = circle.drain_asked() => {}
        }
        output.says(&WorkerEvent::Drains);
        let _ = drains.send(true);
        tokio::select! {
            () = work.end() => {}
            _ = signals.terminate.recv() => return Ok(ExitCode::from(130)),
            _ = signals.interrupt.recv() => return Ok(ExitCode::from(130)),
        }
        output.says(&WorkerEvent::Left);
        Ok(ExitCode::SUCCESS)
    }
}

impl Worker {
    fn labels(&self) -> anyhow::Result<BTreeSet<Label>> {
        let repo = self.repo.as_ref();
        let repo = repo
            .map(|url| Label::parse(&format!("repo:{url}")))
            .transpose()?;
        Ok(self.labels.iter().cloned().chain(repo).collect())
    }
}

/// The teams that are served.
struct ServedTeams {
    /// All, if none is named.
    wanted: BTreeSet<TeamId>,
    running: JoinSet<(NatsTeam, anyhow::Result<()>)>,
    /// Each with its last opening.
    known: BTreeMap<TeamId, ServedOpening>,
}

/// How often a team was opened, and what came of it here.
struct ServedOpening {
    last: NatsTeam,
    /// The opening that is served, or was.
    served: u64,
    serving: Serving,
}

impl ServedTeams {
    /// Takes teams as they come, until none can be served any more.
    async fn take_all(&mut self, served: &Served, feed: &mut TeamFeed) -> anyhow::Result<()> {
        loop {
            tokio::select! {
                team = feed.next() => match team {
                    Some((name, team)) => self.take(served, name, team)?,
                    None => return Ok(()),
                },
                Some(ended) = self.running.join_next() => self.note(served, ended?)?,
            }
        }
    }

    /// One team that cannot be served any more leaves the others alone. One that was stopped is served again if it was opened
    /// again meanwhile.
    ///
    /// Errors: it was the last one.
    fn note(
        &mut self,
        served: &Served,
        (team, ended): (NatsTeam, anyhow::Result<()>),
    ) -> anyhow::Result<()> {
        if let Some(opening) = self.known.get_mut(team.name()) {
            opening.serving.set(Phase::Over);
        }
        self.serve_again(served, team.name());
        match ended {
            Err(error) if !self.running.is_empty() => {
                error_line(&format!("{error:#}"));
                Ok(())
            }
            ended => ended,
        }
    }

    /// Serves a team that is wanted.
    ///
    /// Errors: it was named, it cannot be opened, and there is no other.
    fn take(
        &mut self,
        served: &Served,
        name: TeamId,
        team: Result<NatsTeam, NatsError>,
    ) -> anyhow::Result<()> {
        let serves_all = self.wanted.is_empty();
        match team {
            _ if !serves_all && !self.wanted.contains(&name) => {}
            Ok(team) => self.serve(served, name, team),
            Err(error) if !serves_all && self.running.is_empty() => return Err(error.into()),
            Err(error) => error_line(&error.to_string()),
        }
        Ok(())
    }

    /// Serves a team, or notes that it was opened again.
    fn serve(&mut self, served: &Served, name: TeamId, team: NatsTeam) {
        match self.known.get_mut(&name) {
            // All are found again when a connection is made anew.
            Some(opening) => {
                if team.openings() > opening.last.openings() {
                    opening.last = team;
                }
                if opening.serving.phase() == Phase::GoesOn {
                    opening.served = opening.last.openings();
                }
                self.serve_again(served, &name);
            }
            None => {
                let opening = ServedOpening {
                    served: team.openings(),
                    serving: self.spawn(served, team.clone()),
                    last: team,
                };
                self.known.insert(name, opening);
            }
        }
    }

    /// Serves a team that it has let go, if it was opened again since.
    fn serve_again(&mut self, served: &Served, name: &TeamId) {
        let again = self.known.get(name).filter(|opening| {
            opening.serving.phase() == Phase::Over && opening.last.openings() > opening.served
        });
        let Some(team) = again.map(|opening| opening.last.clone()) else {
            return;
        };
        let opening = ServedOpening {
            served: team.openings(),
            serving: self.spawn(served, team.clone()),
            last: team,
        };
        self.known.insert(name.clone(), opening);
    }

    fn spawn(&mut self, served: &Served, team: NatsTeam) -> Serving {
        let serving = Serving::default();
        let (served, own) = (served.clone(), serving.clone());
        self.running.spawn(async move {
            let ended = serve(served, team.clone(), own).await;
            (team, ended)
        });
        serving
    }

    async fn end(&mut self) {
        // What went wrong with one was printed there.
        while self.running.join_next().await.is_some() {}
    }
}
