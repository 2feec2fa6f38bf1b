//! `teammate up --nats`: makes the team on NATS servers and talks with it. Workers run it; it lives on when this terminal is closed.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use teammate::{
    Conversation,
    nats::{NatsServers, NatsTeam, TeamCircle, layout::Replicas},
};

use super::demands::DemandFlags;
use crate::{
    commands::{CliContext, CliResult, doctor::nats::replicas, print_line, talk},
    screen::{clean, print_warning},
    settings::user_dirs,
};

/// What operators see of this process.
const NAME: &str = "teammate up";

/// How the servers prove that they keep what they acknowledge.
#[derive(Args)]
pub(super) struct ProofFlags {
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

/// How the team is begun.
pub(super) struct Begin {
    pub(super) proof: ProofFlags,
    pub(super) demands: DemandFlags,
    /// It is made, and nobody talks with it here.
    pub(super) is_detached: bool,
}

impl Begin {
    /// Makes the team unless it is there, and talks with its lead.
    pub(super) async fn run(self, place: CliContext, servers: NatsServers) -> CliResult {
        let circle = TeamCircle::connect(servers, &user_dirs(), NAME).await?;
        self.proof.check(&circle).await?;
        let name = place.options.name_on_servers()?;
        let team = circle.find_or_make(&name, None).await?;
        let place = place.attached_to(team.store());
        self.demands.make(&place).await?;
        set_budgets(&place).await?;
        place.open_again(&team).await?;
        print_line(clean(&begun(&team, &place).await?));
        if self.is_detached {
            return Ok(ExitCode::SUCCESS);
        }
        talk::run(place, Conversation::Last, None).await
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
