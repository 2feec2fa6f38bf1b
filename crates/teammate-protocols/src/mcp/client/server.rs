//! One server of the team: started when it is first needed, left alone for a while when it fails, started anew when it has ended.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    MemberName,
    lock::Hold,
    port::{ProgramBounds, ProgramOrder},
};
use tokio::{
    sync::Mutex as AsyncMutex,
    time::{Instant, timeout},
};

use crate::mcp::client::{
    answer::ServerFailure,
    connection::Connection,
    greeting::Greeting,
    handler::Handler,
    http,
    listing::Listing,
    login::{self, LoginError},
    program::ProgramTransport,
    settings::{Scope, ServerSettings, TransportSettings},
    surroundings::Surroundings,
    timeouts::ServerTimeouts,
};
use crate::program::Condition;

/// How long a server that failed is left alone: the first time, the second, and then.
const RESTS: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_secs(5),
    Duration::from_secs(30),
];

/// How long after that: until then a person has to try it.
const REST_LAST: Duration = Duration::from_secs(10 * 60);

/// One server.
pub struct ToolServer {
    settings: ServerSettings,
    around: Arc<Surroundings>,
    /// One for the team, or one for each member.
    instances: Mutex<HashMap<Option<MemberName>, Arc<Instance>>>,
    last: Mutex<ServerState>,
    greeting: Mutex<Greeting>,
}

/// How a server is doing, for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ServerState {
    /// It was not needed yet.
    #[default]
    Unused,
    /// It runs, or did when it was used last.
    Ready,
    /// It failed, for this reason.
    Failed(String),
}

/// A server that is started once.
#[derive(Default)]
struct Instance(AsyncMutex<Lifetime>);

#[derive(Default)]
struct Lifetime {
    open: Option<Arc<Connection>>,
    failures: usize,
    rests: Option<(Instant, String)>,
}

impl ToolServer {
    pub(crate) fn new(settings: ServerSettings, around: Arc<Surroundings>) -> Self {
        Self {
            settings,
            around,
            instances: Mutex::default(),
            last: Mutex::default(),
            greeting: Mutex::default(),
        }
    }

    /// The settings of the server.
    pub fn settings(&self) -> &ServerSettings {
        &self.settings
    }

    /// How it is doing.
    pub fn state(&self) -> ServerState {
        let last = self.last.hold();
        last.clone()
    }

    /// Greets it in this way from now on.
    pub(crate) fn remember(&self, greeting: Greeting) {
        *self.greeting.hold() = greeting;
    }

    fn note(&self, state: ServerState) {
        *self.last.hold() = state;
    }

    /// The open connection for this caller; started if there is none.
    pub(crate) async fn connection(
        &self,
        caller: Option<&MemberName>,
    ) -> Result<Arc<Connection>, ServerFailure> {
        let instance = self.instance(caller);
        let mut lifetime = instance.0.lock().await;
        if let Some(open) = &lifetime.open {
            if !open.is_closed() {
                return Ok(open.clone());
            }
            // It ended since it was used last: once more at once, for a server that ends after a while is no failure.
            lifetime.open = None;
        }
        if let Some((until, why)) = &lifetime.rests
            && let Some(wait) = until.checked_duration_since(Instant::now())
        {
            let why = why.clone();
            return Err(ServerFailure::Resting { why, wait });
        }
        match self.start_greeted(caller).await {
            Ok(open) => {
                let open = Arc::new(open);
                lifetime.open = Some(open.clone());
                lifetime.rests = None;
                self.note(ServerState::Ready);
                Ok(open)
            }
            Err(failure) => {
                lifetime.fail(&failure);
                self.note(ServerState::Failed(failure.to_string()));
                Err(failure)
            }
        }
    }

    /// The caller's call ended in this way: a server that dies again and again is left alone, too.
    pub(crate) async fn called(&self, caller: Option<&MemberName>, failed: Option<&ServerFailure>) {
        let instance = self.instance(caller);
        let mut lifetime = instance.0.lock().await;
        match failed {
            Some(failure @ ServerFailure::Ended(_)) => {
                lifetime.fail(failure);
                self.note(ServerState::Failed(failure.to_string()));
            }
            Some(_) => {}
            None => lifetime.failures = 0,
        }
    }

    /// Starts it, whatever came before, and lists what it offers.
    ///
    /// # Errors
    ///
    /// It does not start, or does not list.
    pub async fn list(&self) -> Result<(Listing, Vec<String>), ServerFailure> {
        let connection = self.connection(None).await?;
        let mut listed = connection.list(&self.settings.name).await;
        if listed.is_ok() && connection.says_it_changes() && connection.awaits_change().await {
            connection.handler().take_changed();
            listed = connection.list(&self.settings.name).await;
        }
        if let Ok((listing, _)) = &mut listed {
            listing.greeting = *self.greeting.hold();
        }
        if let Err(failure) = &listed {
            self.note(ServerState::Failed(failure.to_string()));
            self.instance(None).0.lock().await.fail(failure);
        }
        listed
    }

    /// The words of a prompt. `arguments` by their names.
    ///
    /// # Errors
    ///
    /// The server does not run, or has no such prompt.
    pub async fn prompt(
        &self,
        name: &str,
        arguments: Vec<(String, String)>,
    ) -> Result<String, ServerFailure> {
        let connection = self.connection(None).await?;
        let arguments = arguments.into_iter();
        let arguments = arguments
            .map(|(name, value)| (name, value.into()))
            .collect();
        let limit = self.settings.timeout;
        connection.prompt(name, arguments, limit).await
    }

    /// Logs the user in by OAuth. `opens` gets the address that the user opens in a browser of this machine.
    ///
    /// # Errors
    ///
    /// Nobody is logged in.
    pub async fn log_in(&self, opens: impl FnOnce(&str)) -> Result<(), LoginError> {
        let (client, tokens) = (self.around.client(), self.around.tokens.as_deref());
        login::log_in(&client, &self.settings, tokens, opens).await
    }

    /// Forgets the tokens; false if there are none.
    ///
    /// # Errors
    ///
    /// The file cannot be removed.
    pub fn log_out(&self) -> std::io::Result<bool> {
        login::log_out(&self.settings, self.around.tokens.as_deref())
    }

    /// Ends what runs of it.
    pub async fn close(&self) {
        let instances: Vec<Arc<Instance>> = {
            let mut instances = self.instances.hold();
            instances.drain().map(|(_, instance)| instance).collect()
        };
        for instance in instances {
            let open = instance.0.lock().await.open.take();
            if let Some(open) = open {
                open.close().await;
            }
        }
    }

    fn instance(&self, caller: Option<&MemberName>) -> Arc<Instance> {
        let key = match self.settings.scope {
            Scope::Team => None,
            Scope::Member => caller.cloned(),
        };
        let mut instances = self.instances.hold();
        instances.entry(key).or_default().clone()
    }

    /// Starts it; once more, greeted in the other way, if it ended or refused: what was learnt of it may not hold any more.
    async fn start_greeted(
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

impl Lifetime {
    fn fail(&mut self, failure: &ServerFailure) {
        self.open = None;
        let rest = RESTS.get(self.failures).copied().unwrap_or(REST_LAST);
        self.failures += 1;
        self.rests = Some((Instant::now() + rest, failure.to_string()));
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
