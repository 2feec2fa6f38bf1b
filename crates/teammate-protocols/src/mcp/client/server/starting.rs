//! How a server is started: as a program or by its address, greeted in the way that was learnt of it.

use std::{path::Path, sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    lock::Hold,
    port::{ProgramBounds, ProgramOrder},
};
use tokio::time::timeout;

use super::ToolServer;
use crate::{
    mcp::client::{
        answer::ServerFailure,
        connection::Connection,
        greeting::Greeting,
        handler::Handler,
        http, login,
        program::ProgramTransport,
        settings::{Scope, TransportSettings},
        timeouts::ServerTimeouts,
    },
    program::Condition,
};

impl ToolServer {
    /// Starts it; once more, greeted in the other way, if it ended or refused: what was learnt of it may not hold any more.
    pub(super) async fn start_greeted(
        &self,
        caller: Option<&MemberName>,
    ) -> Result<Connection, ServerFailure> {
        let greeting = *self.greeting.hold();
        let failure = match self.start(caller, greeting).await {
            Ok(open) => return Ok(open),
            Err(failure) => failure,
        };
        let learnt = *self.greeting.hold();
        let other = match (greeting, &failure) {
            (Greeting::Newest, _) if learnt == Greeting::NewestPatiently => learnt,
            (Greeting::Newest | Greeting::NewestPatiently, ServerFailure::Ended(_)) => {
                Greeting::Initialize
            }
            // The patience was for another version of it.
            (Greeting::NewestPatiently, ServerFailure::Silent(_)) => Greeting::Newest,
            (Greeting::Initialize, ServerFailure::Ended(_) | ServerFailure::Refused(_)) => {
                Greeting::Newest
            }
            (_, _) => return Err(failure),
        };
        // Its first words say why it ended, if it ends both times.
        let open = self.start(caller, other).await.map_err(|_| failure)?;
        // Unless it was learnt just now how it is greeted better still.
        if *self.greeting.hold() == learnt {
            self.remember(other);
        }
        Ok(open)
    }

    async fn start(
        &self,
        caller: Option<&MemberName>,
        greeting: Greeting,
    ) -> Result<Connection, ServerFailure> {
        let settings = &self.settings;
        let mut timeouts = self.around.timeouts;
        timeouts.start = settings.start_limit.unwrap_or(timeouts.start);
        if greeting == Greeting::NewestPatiently {
            timeouts.probe = timeouts.start;
        }
        match &settings.transport {
            TransportSettings::Program {
                command,
                arguments,
                environment,
                directory,
            } => {
                let caller = match settings.scope {
                    Scope::Team => None,
                    Scope::Member => caller,
                };
                let name = match caller {
                    Some(member) => format!("mcp-{}-{member}", settings.name),
                    None => format!("mcp-{}", settings.name),
                };
                let order = ProgramOrder {
                    name,
                    command: command.clone(),
                    arguments: arguments.clone(),
                    environment: environment.clone(),
                    directory: directory.as_ref().map(|dir| self.around.root.join(dir)),
                    network: self.around.network(settings),
                    bounds: ProgramBounds::default(),
                };
                let programs = self.around.programs.clone();
                let started = tokio::task::spawn_blocking(move || programs.start(&order));
                let running = started
                    .await
                    .map_err(|bug| ServerFailure::Ended(bug.to_string()))??;
                let condition = Arc::new(Condition::default());
                let transport = ProgramTransport::new(running, condition.clone(), timeouts)
                    .map_err(|error| ServerFailure::Ended(error.to_string()))?;
                let learnt = transport.learnt();
                let timing = (timeouts, greeting);
                let opened = Connection::open(transport, self.handler(), condition, timing).await;
                let learnt = *learnt.hold();
                match learnt {
                    Greeting::NewestPatiently => self.remember(learnt),
                    Greeting::Initialize if opened.is_ok() => self.remember(learnt),
                    Greeting::Initialize | Greeting::Newest => {}
                }
                opened
            }
            TransportSettings::Http { url, headers } => {
                self.around.may_reach(url, settings)?;
                let open = |greeting| self.open_http((url, headers), (timeouts, greeting));
                match greeting {
                    Greeting::Newest => self.open_first_of(open, timeouts.probe).await,
                    Greeting::NewestPatiently | Greeting::Initialize => open(greeting).await,
                }
            }
        }
    }

    /// What hears one connection.
    fn handler(&self) -> Handler {
        Handler::new(self.settings.name.clone(), file_uri(&self.around.root))
    }

    async fn open_http(
        &self,
        (url, headers): (&str, &[(String, String)]),
        timing: (ServerTimeouts, Greeting),
    ) -> Result<Connection, ServerFailure> {
        let (handler, condition) = (self.handler(), Arc::new(Condition::default()));
        let client = self.around.client();
        let tokens = self.around.tokens.as_deref();
        match login::authorized(&client, &self.settings, tokens).await {
            Some(client) => {
                let transport = http::transport(client, url, headers)?;
                Connection::open(transport, handler, condition, timing).await
            }
            None => {
                let transport = http::transport(client, url, headers)?;
                Connection::open(transport, handler, condition, timing).await
            }
        }
    }

    /// Opens a connection that is greeted in the newest way, and beside it, if it is silent, one that is greeted in the earlier
    /// one: a request by HTTP that has no answer keeps those behind it waiting. The first that opens is taken.
    async fn open_first_of<Opening: Future<Output = Result<Connection, ServerFailure>>>(
        &self,
        open: impl Fn(Greeting) -> Opening,
        probe: Duration,
    ) -> Result<Connection, ServerFailure> {
        let newest = open(Greeting::Newest);
        tokio::pin!(newest);
        if let Ok(opened) = timeout(probe, &mut newest).await {
            return opened;
        }
        let initialize = open(Greeting::Initialize);
        tokio::pin!(initialize);
        let opened = tokio::select! {
            opened = &mut newest => match opened {
                Ok(open) => return Ok(open),
                Err(failure) => initialize.await.map_err(|_| failure),
            },
            opened = &mut initialize => match opened {
                Ok(open) => Ok(open),
                Err(_) => return newest.await,
            },
        };
        if opened.is_ok() {
            self.remember(Greeting::Initialize);
        }
        opened
    }
}

/// The path as a URI.
fn file_uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(*byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}
