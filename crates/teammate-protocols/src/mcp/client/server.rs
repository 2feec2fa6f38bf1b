//! One server of the team: started when it is first needed, left alone for a while when it fails, started anew when it has ended.

mod starting;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{MemberName, lock::Hold};
use tokio::{sync::Mutex as AsyncMutex, time::Instant};

use crate::mcp::client::{
    answer::ServerFailure,
    connection::Connection,
    greeting::Greeting,
    listing::Listing,
    login::{self, LoginError},
    settings::{Scope, ServerSettings},
    surroundings::Surroundings,
};

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
}

impl Lifetime {
    fn fail(&mut self, failure: &ServerFailure) {
        self.open = None;
        let rest = RESTS.get(self.failures).copied().unwrap_or(REST_LAST);
        self.failures += 1;
        self.rests = Some((Instant::now() + rest, failure.to_string()));
    }
}
