//! `teammate up --nats`: makes the team on NATS servers and talks with it. Workers run it; it lives on when this terminal is closed.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use teammate::{
    Conversation,
    nats::{NatsServers, NatsTeam, TeamCircle, layout::Replicas},
};

use super::{demands::DemandFlags, trial};
use crate::{
    commands::{CliContext, doctor::nats::replicas, print_line, talk},
    screen::{clean, print_warning},
    settings::user_dirs,
};

/// The connection's name, for operators of the servers.
const NAME: &str = "teammate up";

/// The flags of `up` for teams on servers.
#[derive(Args)]
pub(super) struct ServerFlags {
    /// Try out a team on two workers, with a NATS server of its own that is there for as long: one worker is killed on the way. It costs
    /// nothing and leaves nothing behind
    #[arg(long = "try", conflicts_with_all = ["until_idle", "resume", "detach", "nats"])]
    is_trial: bool,

    #[command(flatten)]
    proof: ProofFlags,

    #[command(flatten)]
    demands: DemandFlags,
}

/// How the servers prove that they keep what they acknowledge.
#[derive(Args)]
struct ProofFlags {
    /// Where the NATS servers are monitored, HOST:PORT of each, separated by commas; else the system account is asked, which a
    /// person's creds open
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',')]
    monitor: Vec<String>,

    /// On how many NATS servers the team is kept: 3, or 1 to try it out
    #[arg(long, value_name = "N", default_value = "3", value_parser = replicas)]
    replicas: Replicas,

    /// Begin although nothing proves that the NATS servers keep what they acknowledge
    #[arg(long = "i-know-acks-may-be-lost")]
    is_warned: bool,
}

impl ServerFlags {
    /// Runs `up` on servers, if they are named, or tries it out. `None` if the team is to run here.
    pub(super) async fn run(
        &self,
        place: &CliContext,
        is_detached: bool,
    ) -> anyhow::Result<Option<ExitCode>> {
        if self.is_trial {
            return trial::run().await.map(Some);
        }
        let Some(servers) = place.options.servers()? else {
            return Ok(None);
        };
        let place = self.begin(place.clone(), servers).await?;
        if is_detached {
            return Ok(Some(ExitCode::SUCCESS));
        }
        talk::run(place, Conversation::Last, None).await.map(Some)
    }

    /// Makes the team unless it is there. Its place, for who talks with its lead.
    async fn begin(&self, place: CliContext, servers: NatsServers) -> anyhow::Result<CliContext> {
        let circle = TeamCircle::connect(servers, &user_dirs(), NAME).await?;
        self.proof.check(&circle).await?;
        let name = place.options.name_on_servers()?;
        let team = circle.find_or_make(&name, None).await?;
        let place = place.attached_to(team.store());
        self.demands.make(&place).await?;
        set_budgets(&place).await?;
        place.open_again(&team).await?;
        print_line(clean(&begun(&team, &place).await?));
        Ok(place)
    }
}

impl ProofFlags {
    /// Whether the servers keep what they acknowledge.
    ///
    /// Errors: what to change, unless the user knows better.
    async fn check(&self, circle: &TeamCircle) -> anyhow::Result<()> {
        let unmet = circle.prepare(self.replicas, &self.monitor).await?;
        if unmet.is_empty() {
            return Ok(());
        }
        if self.is_warned {
            unmet
                .iter()
                .for_each(|unmet| print_warning(&unmet.to_string()));
            return Ok(());
        }
        let lines: Vec<String> = unmet.iter().map(|unmet| format!("- {unmet}")).collect();
        bail!(
            "the team is not begun, because these servers may lose what they acknowledge:\n{}\nhint: change that, or begin all the same \
             with --i-know-acks-may-be-lost",
            lines.join("\n")
        );
    }
}

/// Sets what this user allows to be spent for all workers, unless that is not limited here.
async fn set_budgets(place: &CliContext) -> anyhow::Result<()> {
    let budgets = place.options.budgets()?;
    if !budgets.is_empty() {
        place.look().await?.set_budgets(budgets).await?;
    }
    Ok(())
}

/// Where the team is, and who runs it.
async fn begun(team: &NatsTeam, place: &CliContext) -> anyhow::Result<String> {
    let flags = place.options.place_flags();
    let by = place.look().await?.host();
    let by = match by {
        Some(host) => format!("is run by {host}"),
        None => "no worker runs it yet: start some with `teammate worker --join URL`".to_owned(),
    };
    Ok(format!(
        "Team '{}' is kept on the NATS servers, and {by}. It lives on when this terminal is closed; `teammate up{flags}` comes back to \
         it",
        team.name(),
    ))
}
