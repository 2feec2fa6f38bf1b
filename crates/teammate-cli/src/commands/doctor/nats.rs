//! Whether NATS servers keep what they acknowledge, and what their keys open.

use std::path::PathBuf;

use clap::Args;
use teammate::nats::{
    conditions::ServerProof,
    connect::{ConnectError, NatsLogin, ServerUrl, connect},
    doctor::{Looked, look},
    keys::{CircleRole, Creds, KeysError},
    layout::Replicas,
};

use super::Finding;

/// What servers call this connection.
const NAME: &str = "teammate doctor";

#[derive(Args)]
pub(super) struct NatsFlags {
    /// Look at these NATS servers only (nats://HOST:PORT on this machine, else tls://), separated by commas
    #[arg(long, value_name = "URL", value_delimiter = ',')]
    nats: Vec<String>,

    /// Where the servers are monitored, HOST:PORT of each, separated by commas; else the system account is asked, which a
    /// person's creds open
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',', requires = "nats")]
    monitor: Vec<String>,

    /// The creds of a person or worker, as `teammate keys` made them
    #[arg(long, value_name = "FILE", requires = "nats")]
    creds: Option<PathBuf>,

    /// On how many servers streams are to be: 3, or 1 to try it out
    #[arg(long, value_name = "N", default_value = "3", value_parser = replicas, requires = "nats")]
    replicas: Replicas,
}

/// Why the servers cannot be looked at.
#[derive(Debug, thiserror::Error)]
enum NotLooked {
    #[error(transparent)]
    Keys(#[from] KeysError),
    #[error(transparent)]
    Connect(#[from] ConnectError),
}

impl NotLooked {
    /// What to change: where the address is wrong, the error says how it is written.
    fn hint(&self) -> &'static str {
        match self {
            Self::Keys(_) => "name the creds that `teammate keys` made",
            Self::Connect(ConnectError::Failed(_)) => "look whether the servers run",
            Self::Connect(
                ConnectError::NoServer(_) | ConnectError::LoginInAddress | ConnectError::NoTls(_),
            ) => "correct --nats",
        }
    }
}

fn replicas(text: &str) -> Result<Replicas, &'static str> {
    match text {
        "1" => Ok(Replicas::One),
        "3" => Ok(Replicas::Three),
        _ => Err("3, or 1 to try it out"),
    }
}

impl NatsFlags {
    /// What was found; `None` if servers are not asked for.
    pub(super) async fn findings(&self) -> Option<Vec<Finding>> {
        if self.nats.is_empty() {
            return None;
        }
        Some(match self.looked().await {
            Ok(looked) => looked.into_iter().map(finding).collect(),
            Err(error) => vec![bad(&error, error.hint())],
        })
    }

    async fn looked(&self) -> Result<Vec<Looked>, NotLooked> {
        let servers: Result<Vec<_>, _> =
            self.nats.iter().map(|url| ServerUrl::parse(url)).collect();
        let servers = servers?;
        let creds = self.creds.as_deref().map(Creds::read).transpose()?;
        let login = creds.as_ref().map_or(NatsLogin::Nobody, Creds::login);
        let by = creds
            .as_ref()
            .map_or(CircleRole::Person, |creds| creds.role);
        let client = connect(&servers, login, NAME).await?;
        let system = creds.as_ref().and_then(Creds::system_login);
        let proof = match (self.monitor.is_empty(), system) {
            (false, _) => ServerProof::Monitors(self.monitor.clone()),
            (true, Some(system)) => {
                ServerProof::SystemAccount(connect(&servers, system, NAME).await?)
            }
            (true, None) => ServerProof::Missing,
        };
        Ok(look(&client, self.replicas, &proof, by).await)
    }
}

fn finding(looked: Looked) -> Finding {
    match looked {
        Looked::Well(what) => Finding::Good(what),
        Looked::Note(what) => Finding::Note(what),
        Looked::Unmet(unmet) => bad(&unmet, unmet.hint()),
    }
}

fn bad(what: &impl ToString, hint: impl Into<String>) -> Finding {
    Finding::Bad {
        what: what.to_string(),
        hint: hint.into(),
    }
}

#[cfg(test)]
mod tests {
    use teammate::nats::conditions::Unmet;

    use super::*;

    #[test]
    fn what_a_server_says_is_no_hint() {
        let unmet = Unmet::NoAppend("the disk is full; try later".to_owned());
        let Finding::Bad { what, hint } = finding(Looked::Unmet(unmet)) else {
            panic!("it is well");
        };
        assert_eq!(what, "an append fails (the disk is full; try later)");
        assert_eq!(hint, "look into the servers' logs");
    }
}
