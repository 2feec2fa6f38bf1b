//! Finds models by name: the vendors whose keys are in the environment, the servers a user has named, and plays.

use std::{
    collections::{BTreeMap, HashMap},
    env,
    path::Path,
    sync::{Arc, Mutex},
};

use secrecy::SecretString;
use teammate_core::{
    model::{Effort, ModelRef, Wire},
    port::{Model, ModelSource},
    price::KnownPrices,
    secrets::Secrets,
};
use teammate_models::{
    Auth, Catalogue, Endpoint, Http, Key, ModelSettings, NamePattern, RequestSettings, Timeouts,
};

use self::{
    entries::Entries,
    lessons::LessonMemory,
    wire::{Known, WireMemory},
};
pub use self::{entries::ModelEntry, lessons::KeptLessons, wire::WireFormat};
use crate::{
    hiding::SecretHider,
    project::{UserDirs, UserStateError},
    secret_marks::SecretMarks,
};

mod asking;
mod entries;
mod lessons;
mod opening;
mod wire;

/// Where models come from.
pub struct Providers {
    named: BTreeMap<String, Provider>,
    entries: Entries,
    effort: Option<Effort>,
    wires: WireMemory,
    lessons: LessonMemory,
    http: Http,
    opened: Mutex<HashMap<ModelRef, Arc<dyn Model>>>,
    /// The secrets of the team that uses these, which learn each key that is obtained.
    secrets: Arc<Secrets>,
}

/// A way to open the models of one provider's name.
enum Provider {
    /// A server.
    Server(Box<Server>),
    /// Code of the program that uses this library.
    Code(Arc<dyn ModelSource>),
}

/// A server and how it is spoken to.
struct Server {
    wire: WireFormat,
    endpoint: Endpoint,
    timeouts: Timeouts,
    /// The user's settings for all models of the server.
    of_all: ModelEntry,
}

impl Default for Providers {
    fn default() -> Self {
        Self::new()
    }
}

impl Providers {
    /// No vendors, no keys: plays only. Reads no environment.
    pub fn new() -> Self {
        Self {
            named: BTreeMap::new(),
            entries: Entries::default(),
            effort: None,
            wires: WireMemory::default(),
            lessons: LessonMemory::at(None),
            http: Http::new(),
            opened: Mutex::default(),
            secrets: Arc::default(),
        }
    }

    /// `anthropic` and `openai` with keys and endpoints from `ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN`,
    /// `ANTHROPIC_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_BASE_URL`.
    pub fn from_env() -> Self {
        let secret = |name: &str| variable(name).map(SecretString::from);
        let mut anthropic = Endpoint::anthropic(secret("ANTHROPIC_API_KEY"));
        if let (None, Some(token)) = (&anthropic.key, secret("ANTHROPIC_AUTH_TOKEN")) {
            anthropic.auth = Auth::Bearer;
            anthropic = anthropic.with_key(Some(token), "ANTHROPIC_AUTH_TOKEN");
        }
        let mut openai = Endpoint::openai(secret("OPENAI_API_KEY"));
        for (endpoint, name) in [
            (&mut anthropic, "ANTHROPIC_BASE_URL"),
            (&mut openai, "OPENAI_BASE_URL"),
        ] {
            if let Some(url) = variable(name) {
                endpoint.base_url = url;
            }
        }
        Self::new()
            .with("anthropic", WireFormat::Anthropic, anthropic)
            .with("openai", WireFormat::OpenAi, openai)
    }

    /// Adds or replaces a provider.
    #[must_use]
    pub fn with(self, name: &str, wire: WireFormat, endpoint: Endpoint) -> Self {
        self.with_timeouts(name, wire, endpoint, Timeouts::default())
    }

    /// Adds a server with other limits on waiting: one on a small machine may read a long prompt for minutes.
    #[must_use]
    pub fn with_timeouts(
        mut self,
        name: &str,
        wire: WireFormat,
        endpoint: Endpoint,
        patience: Timeouts,
    ) -> Self {
        if let Some(Key::Renewable(key)) = &endpoint.key {
            key.hide_in(
                self.secrets.clone(),
                format!("{name}/{}", endpoint.key_from),
            );
        }
        let server = Server {
            wire,
            endpoint,
            timeouts: patience,
            of_all: ModelEntry::default(),
        };
        self.named
            .insert(name.to_owned(), Provider::Server(Box::new(server)));
        self
    }

    /// Sets the fields sent to all models of a server, and how much they think unless something says otherwise; nothing
    /// happens if there is no such server.
    #[must_use]
    pub fn with_request(
        mut self,
        name: &str,
        request: RequestSettings,
        effort: Option<Effort>,
    ) -> Self {
        if let Some(Provider::Server(server)) = self.named.get_mut(name) {
            server.of_all.request = request;
            server.of_all.effort = effort;
        }
        self
    }

    /// Remembers in the user's state directory which servers speak Responses, and what servers refuse.
    #[must_use]
    pub fn with_state(self, state: &Path) -> Self {
        Self {
            wires: WireMemory::at(state),
            lessons: LessonMemory::at(Some(state)),
            ..self
        }
    }

    /// How much models think of which nothing else says it.
    #[must_use]
    pub fn with_effort(self, effort: Effort) -> Self {
        Self {
            effort: Some(effort),
            ..self
        }
    }

    /// Sets the facts of the models whose `PROVIDER:NAME` fits a pattern, and the fields sent to them. The entry with the
    /// longest pattern counts first, the catalogue last.
    #[must_use]
    pub fn with_model_entry(mut self, pattern: &str, entry: ModelEntry) -> Self {
        self.entries.add(NamePattern::new(pattern), entry);
        self
    }

    /// The prices that the catalogue knows at these servers: those of a vendor's models at the vendor's own.
    pub fn known_prices(&self) -> KnownPrices {
        let catalogue = Catalogue::built_in();
        let mut list = Vec::new();
        for (name, endpoint) in self.endpoints() {
            let host = endpoint.host();
            let own = catalogue.families.iter();
            let own = own.filter(|family| family.vendor.as_deref() == Some(host.as_str()));
            list.extend(own.flat_map(|family| {
                let patterns = family.models.iter();
                patterns.map(move |pattern| {
                    (format!("{name}:{}", pattern.as_str()), family.facts.price)
                })
            }));
        }
        KnownPrices {
            as_of: catalogue.as_of.clone(),
            list,
        }
    }

    /// How a model is asked: what the catalogue and the user say of it. Of code and plays nothing is known.
    pub fn settings(&self, model: &ModelRef) -> ModelSettings {
        match self.named.get(&model.provider) {
            Some(Provider::Server(server)) => {
                let host = server.endpoint.host();
                let mut settings = self.entries.settings(model, &host, &server.of_all);
                settings.effort = settings.effort.or(self.effort);
                settings
            }
            Some(Provider::Code(_)) | None => ModelSettings::default(),
        }
    }

    /// Adds or replaces a provider whose models are code: `NAME:MODEL` opens `MODEL` there. It may not be called `scripted`.
    #[must_use]
    pub fn with_models(mut self, name: &str, models: impl ModelSource + 'static) -> Self {
        let provider = Provider::Code(Arc::new(models));
        self.named.insert(name.to_owned(), provider);
        self
    }

    /// A vendor's server as it is now, to be changed and given back.
    pub fn server(&self, name: &str) -> Option<(WireFormat, Endpoint, Timeouts)> {
        match self.named.get(name)? {
            Provider::Server(server) => {
                Some((server.wire, server.endpoint.clone(), server.timeouts))
            }
            Provider::Code(_) => None,
        }
    }

    /// Where all secrets of these providers are known, and become known.
    pub(crate) fn secrets(&self) -> &Arc<Secrets> {
        &self.secrets
    }

    /// All servers, by name.
    pub fn endpoints(&self) -> impl Iterator<Item = (&str, &Endpoint)> {
        self.named
            .iter()
            .filter_map(|(name, provider)| match provider {
                Provider::Server(server) => Some((name.as_str(), &server.endpoint)),
                Provider::Code(_) => None,
            })
    }

    /// The wire that is spoken with a model; `None` if it is not at a server.
    pub fn wire_of(&self, model: &ModelRef) -> Option<Wire> {
        match self.named.get(&model.provider) {
            Some(Provider::Server(server)) => Some(self.spoken(server, model)),
            Some(Provider::Code(_)) | None => None,
        }
    }

    /// What was learnt of the models at a server and still holds; nothing of models that are code.
    pub fn lessons(&self, provider: &str) -> Vec<KeptLessons> {
        match self.named.get(provider) {
            Some(Provider::Server(server)) => self.lessons.at_server(&server.endpoint.base_url),
            Some(Provider::Code(_)) | None => Vec::new(),
        }
    }

    /// Forgets what was learnt of the models at a server, and says of how many. Models that are open keep to it.
    ///
    /// # Errors
    ///
    /// A record cannot be removed.
    pub fn forget_lessons(&self, provider: &str) -> Result<usize, UserStateError> {
        match self.named.get(provider) {
            Some(Provider::Server(server)) => self.lessons.forget(&server.endpoint.base_url),
            Some(Provider::Code(_)) | None => Ok(0),
        }
    }

    fn spoken(&self, server: &Server, model: &ModelRef) -> Wire {
        let family = Catalogue::built_in().family(&model.name);
        server.wire.spoken(Known {
            is_official: is_official(&server.endpoint),
            family: family.map(|family| family.responses),
            was_tried: self.wires.has(&server.endpoint.base_url),
        })
    }

    /// Has keys that other processes of this user obtain found, too, wherever secrets of these providers are hidden, and those that
    /// these obtain found there.
    #[must_use]
    pub fn sharing_keys(self, user: &UserDirs) -> Self {
        SecretMarks::find_in(&self.secrets, user);
        self
    }

    /// The secrets that a process with these providers holds: theirs, and those in the environment. Keys that they obtain later
    /// become some of them.
    pub fn held_secrets(&self) -> Arc<Secrets> {
        crate::known_secrets::known_secrets(self)
    }

    /// Puts the names of secrets in their place: those of these providers, and those in the environment.
    pub fn redacted(&self, text: &str) -> String {
        self.held_secrets().redact(text).into_owned()
    }

    /// Hides the same secrets in what is given to others, however they are written.
    pub fn hider(&self) -> SecretHider {
        SecretHider::new(&self.held_secrets())
    }

    /// Makes such hiders later on, each with all secrets that are known by then.
    pub fn hiders(&self) -> impl Fn() -> SecretHider + Send + Sync + use<> {
        let secrets = crate::known_secrets::known_secrets(self);
        move || SecretHider::new(&secrets)
    }
}

/// OpenAI's own server.
fn is_official(endpoint: &Endpoint) -> bool {
    endpoint.host().ends_with("api.openai.com")
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}
