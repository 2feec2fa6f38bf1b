//! Opens the connection: to whom, as whom, and never in clear text beyond this machine.

use std::{error::Error, io, net::IpAddr, time::Duration};

pub use async_nats::Client;
use async_nats::{ConnectErrorKind, ConnectOptions, ServerAddr};
use url::{Host, Url};

/// How often the connection is tried. Two answers missing, and another server is taken: a lost leader
/// or a cut cable costs seconds, not the two minutes that are the default.
const PING_EVERY: Duration = Duration::from_secs(2);

/// How long one attempt to connect takes.
const CONNECT_WAIT: Duration = Duration::from_secs(5);

/// The pause between attempts grows by this, up to [`AGAIN_MAX`].
const AGAIN_STEP: Duration = Duration::from_millis(50);
const AGAIN_MAX: Duration = Duration::from_secs(1);

/// A server's address: `nats://HOST:PORT` on this machine, `tls://HOST:PORT` anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerUrl(Url);

/// As whom to connect.
#[derive(Clone, Default)]
pub enum NatsLogin {
    #[default]
    Nobody,
    Token(String),
    /// By name and password.
    Password {
        user: String,
        password: String,
    },
    /// By a key, of which the server learns nothing.
    Key {
        seed: String,
        /// The first word of subjects on which answers come.
        inbox: String,
    },
}

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    #[error("'{0}' is no server; write nats://HOST:PORT or tls://HOST:PORT")]
    NoServer(String),
    /// Names and passwords belong elsewhere.
    #[error("a server's address has no name and no password in it; give them by credentials")]
    LoginInAddress,
    /// Mail would go over a network that others can read.
    #[error("{0} is another machine, and the connection would not be encrypted; write tls://")]
    NoTls(String),
    /// A server's certificate is of no authority that is trusted here, or of another name.
    #[error("the NATS servers' certificate is not trusted here ({0})")]
    Untrusted(String),
    /// A server answers, and does not let these keys in.
    #[error("the NATS servers refuse these keys ({0})")]
    Refused(String),
    /// No server took the connection.
    #[error("no NATS server answers ({0})")]
    Failed(String),
}

impl From<async_nats::ConnectError> for ConnectError {
    fn from(error: async_nats::ConnectError) -> Self {
        let why = error.to_string();
        match error.kind() {
            ConnectErrorKind::Tls => Self::Untrusted(why),
            // So comes what a handshake refuses.
            ConnectErrorKind::Io if is_invalid_data(&error) => Self::Untrusted(why),
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                Self::Refused(why)
            }
            ConnectErrorKind::ServerParse
            | ConnectErrorKind::Dns
            | ConnectErrorKind::TimedOut
            | ConnectErrorKind::Io
            | ConnectErrorKind::MaxReconnects => Self::Failed(why),
        }
    }
}

fn is_invalid_data(error: &async_nats::ConnectError) -> bool {
    let source = error.source().and_then(<dyn Error>::downcast_ref);
    source.is_some_and(|source: &io::Error| source.kind() == io::ErrorKind::InvalidData)
}

impl ServerUrl {
    /// Reads an address.
    pub fn parse(text: &str) -> Result<Self, ConnectError> {
        let no_server = || ConnectError::NoServer(text.to_owned());
        let url = Url::parse(text).map_err(|_| no_server())?;
        let is_known = matches!(url.scheme(), "nats" | "tls");
        if !is_known || url.host().is_none() || !matches!(url.path(), "" | "/") {
            return Err(no_server());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ConnectError::LoginInAddress);
        }
        let server = Self(url);
        if !server.is_encrypted() && !server.is_here() {
            return Err(ConnectError::NoTls(text.to_owned()));
        }
        Ok(server)
    }

    fn is_encrypted(&self) -> bool {
        self.0.scheme() == "tls"
    }

    /// Whether it is on this machine.
    pub fn is_here(&self) -> bool {
        match self.0.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            // Other schemes than the web's keep addresses as names.
            Some(Host::Domain(name)) => {
                name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
            }
            None => false,
        }
    }
}

impl std::fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.0.as_str().trim_end_matches('/'))
    }
}

/// Connects to one of the servers, and stays connected to one of them until the client is dropped.
/// `name` is what operators see.
pub async fn connect(
    servers: &[ServerUrl],
    login: NatsLogin,
    name: &str,
) -> Result<Client, ConnectError> {
    let is_encrypted = servers.iter().any(ServerUrl::is_encrypted);
    let addresses: Result<Vec<ServerAddr>, _> = servers
        .iter()
        .map(|server| ServerAddr::from_url(server.0.clone()))
        .collect();
    let options = ConnectOptions::new()
        .name(name)
        .ping_interval(PING_EVERY)
        .connection_timeout(CONNECT_WAIT)
        .require_tls(is_encrypted)
        // Servers tell the addresses of others, which nobody has looked at.
        .ignore_discovered_servers()
        .reconnect_delay_callback(|attempts| {
            let attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
            AGAIN_STEP.saturating_mul(attempts).min(AGAIN_MAX)
        });
    let options = match login {
        NatsLogin::Nobody => options,
        NatsLogin::Token(token) => options.token(token),
        NatsLogin::Password { user, password } => options.user_and_password(user, password),
        NatsLogin::Key { seed, inbox } => options.nkey(seed).custom_inbox_prefix(inbox),
    };
    let addresses = addresses.map_err(|error| ConnectError::Failed(error.to_string()))?;
    Ok(options.connect(addresses).await?)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn what_answers_and_proves_nothing_is_not_taken_for_silence() {
        let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = server.local_addr().unwrap().port();
        let answers = async {
            let (mut client, _) = server.accept().await.unwrap();
            let info = b"INFO {\"tls_required\":true}\r\n";
            client.write_all(info).await.unwrap();
            // Its hello is answered with something else.
            client.read_u8().await.unwrap();
            client.write_all(b"no handshake at all").await.unwrap();
            client
        };
        let url = ServerUrl::parse(&format!("tls://127.0.0.1:{port}")).unwrap();
        let urls = [url];
        let (_client, connected) = tokio::join!(answers, connect(&urls, NatsLogin::Nobody, "test"));
        assert!(
            matches!(connected, Err(ConnectError::Untrusted(_))),
            "{connected:?}"
        );
    }

    #[test]
    fn clear_text_stays_on_this_machine() {
        for here in [
            "nats://127.0.0.1:4222",
            "nats://localhost:4222",
            "nats://[::1]:4222",
            "nats://127.9.9.9",
            "tls://nats.example.org:4222",
            "tls://10.0.0.1:4222",
        ] {
            assert!(ServerUrl::parse(here).is_ok(), "{here}");
        }
        for away in [
            "nats://10.0.0.1:4222",
            "nats://localhost.example.org:4222",
            "nats://[fd00::1]:4222",
            "nats://127.0.0.1.example.org",
            "nats://0.0.0.0:4222",
        ] {
            let refused = Err(ConnectError::NoTls(away.to_owned()));
            assert_eq!(ServerUrl::parse(away), refused, "{away}");
        }
        for wrong in [
            "",
            "a:4222",
            "http://127.0.0.1",
            "nats://",
            "nats://127.0.0.1/x",
        ] {
            let refused = Err(ConnectError::NoServer(wrong.to_owned()));
            assert_eq!(ServerUrl::parse(wrong), refused, "{wrong}");
        }
        let login = ServerUrl::parse("nats://me:secret@127.0.0.1:4222");
        assert_eq!(login, Err(ConnectError::LoginInAddress));
    }
}
