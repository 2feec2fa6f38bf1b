//! The demands of a team on servers on its workers: flags, the configuration, the policy of this machine.
//!
//! A flag says what is demanded from now on, and so loosens, too; the configuration and the policy only tighten.

use clap::Args;
use teammate::{
    nats::{PolicyDigest, SandboxLevel, WallDemand, Walls},
    policy::MachinePolicy,
};

use crate::commands::CliContext;

/// Flags that demand something of workers.
#[derive(Args)]
pub(super) struct DemandFlags {
    /// Give members only to workers that hold commands at least at this level: full, landlock, none or off
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    require_sandbox: Option<SandboxLevel>,

    /// Give members only to workers whose machine has this policy, by the digest that `teammate workers` shows; 'any' demands none
    #[arg(long, value_name = "DIGEST", value_parser = policy)]
    require_policy: Option<PolicyDemand>,
}

/// Which policy is demanded.
#[derive(Debug, Clone)]
enum PolicyDemand {
    Any,
    This(PolicyDigest),
}

fn level(word: &str) -> Result<SandboxLevel, String> {
    SandboxLevel::parse(word)
        .ok_or_else(|| format!("'{word}' is no level; there are full, landlock, none and off"))
}

fn policy(word: &str) -> Result<PolicyDemand, String> {
    match word {
        "any" => Ok(PolicyDemand::Any),
        digest => PolicyDigest::parse(digest)
            .map(PolicyDemand::This)
            .map_err(|error| error.to_string()),
    }
}

impl DemandFlags {
    /// Writes what the team demands, if that changes.
    ///
    /// Errors: the configuration or the policy of this machine cannot be read, or the journal cannot be written.
    pub(super) async fn make(&self, place: &CliContext) -> anyhow::Result<()> {
        let policy = MachinePolicy::of_machine()?;
        let of_policy = policy.map_or(SandboxLevel::Off, |policy| policy.least_of_workers());
        let least = Walls {
            sandbox: of_policy.max(place.options.required_of_workers()?),
            policy: None,
        };
        let mut client = place.look().await?;
        if self.require_sandbox.is_none() && self.require_policy.is_none() {
            return Ok(client.demand(WallDemand::AtLeast(least)).await?);
        }
        let now = client.team().places().demanded().clone();
        let asked = Walls {
            sandbox: self.require_sandbox.unwrap_or(now.sandbox),
            policy: match &self.require_policy {
                Some(PolicyDemand::This(policy)) => Some(policy.clone()),
                Some(PolicyDemand::Any) => None,
                None => now.policy,
            },
        };
        let asked = asked.tightened(&least);
        Ok(client.demand(WallDemand::Exactly(asked)).await?)
    }
}
