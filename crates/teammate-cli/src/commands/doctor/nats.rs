//! Whether NATS servers keep what they acknowledge, and what their keys open.

use clap::Args;
use teammate::nats::{
    NatsServers,
    conditions::ServerProof,
    connect::{ConnectError, NatsLogin, connect},
    doctor::{Looked, look},
    keys::{CircleRole, Creds, KeysError},
    layout::Replicas,
};

use super::Finding;
use crate::settings::Options;

/// The connection's name, for operators of the servers.
const NAME: &str = "teammate doctor";

#[derive(Args)]
pub(super) struct LookFlags {
    /// Where the servers are monitored, HOST:PORT of each, separated by commas; else the system account is asked, which a
    /// person's creds open
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',', requires = "nats")]
    monitor: Vec<String>,

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
    /// How to correct it: where the address is wrong, the error says how it is written.
    fn hint(&self) -> &'static str {
        match self {
            Self::Keys(_) => "name the creds that `teammate keys` made",
            Self::Connect(ConnectError::Untrusted(_)) => {
                "name the certificate of the servers' authority by SSL_CERT_FILE, and each server as its certificate does"
            }
            Self::Connect(ConnectError::Refused(_)) => {
                "give --creds, and reload the servers with the newest accounts.conf"
            }
            Self::Connect(ConnectError::Failed(_)) => "look whether the servers run",
            Self::Connect(
                ConnectError::NoServer(_) | ConnectError::LoginInAddress | ConnectError::NoTls(_),
            ) => "correct --nats",
        }
    }
}

pub(in crate::commands) fn replicas(text: &str) -> Result<Replicas, &'static str> {
    match text {
        "1" => Ok(Replicas::One),
        "3" => Ok(Replicas::Three),
        _ => Err("3, or 1 to try it out"),
    }
}

impl LookFlags {
    /// Checks of the servers that `--nats` names, and of nothing else; `None` if it names none.
    pub(super) async fn findings(&self, options: &Options) -> Option<Vec<Finding>> {
        let servers = match options.servers_given() {
            Ok(servers) => servers?,
            Err(error) => return Some(vec![bad(&error, "correct --nats")]),
        };
        Some(match self.looked(&servers).await {
            Ok(looked) => looked.into_iter().map(finding).collect(),
            Err(error) => vec![bad(&error, error.hint())],
        })
    }

    async fn looked(&self, of: &NatsServers) -> Result<Vec<Looked>, NotLooked> {
        let servers = &of.urls;
        let creds = of.creds.as_deref().map(Creds::read).transpose()?;
        let login = creds.as_ref().map_or(NatsLogin::Nobody, Creds::login);
        let by = creds
            .as_ref()
            .map_or(CircleRole::Person, |creds| creds.role);
        let client = connect(servers, login, NAME).await?;
        let system = creds.as_ref().and_then(Creds::system_login);
        let proof = match (self.monitor.is_empty(), system) {
            (false, _) => ServerProof::Monitors(self.monitor.clone()),
            (true, Some(system)) => {
                ServerProof::SystemAccount(connect(servers, system, NAME).await?)
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
