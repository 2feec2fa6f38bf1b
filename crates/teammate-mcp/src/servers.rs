//! The servers of a team, and what members get of them.

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use teammate_core::{
    next_step::{NextStep, Wording},
    permission::{Destination, HostName, Mode, NET, Rule, RuleVerdict, Rules},
    port::{OutputFiles, Programs, Target, Tool},
    tool::EffectClass,
};
use tokio::task::JoinSet;

use crate::{
    answer::Failure,
    http,
    listing::Listing,
    name::ServerName,
    patience::Patience,
    server::Server,
    settings::{Origin, ServerSettings},
    tools,
};

/// What servers are started with.
pub struct Surroundings {
    /// What starts programs.
    pub programs: Arc<dyn Programs>,
    /// Where long results are kept.
    pub files: Arc<dyn OutputFiles>,
    /// The workspace.
    pub root: PathBuf,
    /// The user's rules that deny. They hold for connections of servers, too.
    pub deny: Vec<Rule>,
    /// How what the user can do is worded.
    pub wording: Wording,
    /// How long servers are waited for.
    pub patience: Patience,
    client: OnceLock<reqwest::Client>,
}

/// What was accepted of servers, by [`ServerSettings::fingerprint`].
pub trait Accepted: Send + Sync {
    /// What a server offered when it was accepted.
    fn of(&self, fingerprint: &str) -> Option<Listing>;

    /// The same, looked for anew: another process may have accepted it meanwhile.
    fn refreshed(&self, fingerprint: &str) -> Option<Listing> {
        self.of(fingerprint)
    }

    /// Keeps what it offers. An error is why it cannot be kept.
    fn accept(&self, settings: &ServerSettings, listing: &Listing) -> Result<(), String>;
}

/// The servers of a team.
pub struct Servers {
    all: Vec<Arc<Server>>,
    around: Arc<Surroundings>,
}

/// What members get.
#[derive(Default)]
pub struct Offered {
    /// Tools, in an order that depends on names only.
    pub tools: Vec<Arc<dyn Tool>>,
    /// What the user should know, in a sentence each.
    pub notices: Vec<String>,
}

impl Surroundings {
    /// Starts nothing yet.
    pub fn new(
        programs: Arc<dyn Programs>,
        files: Arc<dyn OutputFiles>,
        root: PathBuf,
        deny: Vec<Rule>,
        wording: Wording,
    ) -> Self {
        Self {
            programs,
            files,
            root,
            deny,
            wording,
            patience: Patience::default(),
            client: OnceLock::new(),
        }
    }

    /// Where the program of this server may connect.
    pub(crate) fn network(&self, settings: &ServerSettings) -> Rules {
        let mut rules = settings.network.clone();
        rules.deny.extend(self.deny.iter().cloned());
        rules
    }

    pub(crate) fn client(&self) -> reqwest::Client {
        self.client.get_or_init(http::client).clone()
    }

    /// Whether a server at this address may be spoken with.
    pub(crate) fn may_reach(&self, url: &str, settings: &ServerSettings) -> Result<(), Failure> {
        let refused = |why: String| Err(Failure::Refused(why));
        let to =
            destination(url).ok_or_else(|| Failure::Refused("its url names no host".into()))?;
        let rules = Rules {
            deny: self.deny.clone(),
            ..Rules::default()
        };
        let target = Target::Host(to.clone());
        match rules.decide(Mode::Ask, NET, EffectClass::Calls, &target) {
            RuleVerdict::Deny(rule) => return refused(format!("{} forbids {to}", rule.describe())),
            RuleVerdict::Allow | RuleVerdict::Ask => {}
        }
        match settings.origin {
            Origin::Project if !url.starts_with("https://") => refused(
                "an entry of the workspace needs https; put it into your configuration".to_owned(),
            ),
            Origin::Project | Origin::User | Origin::CommandLine => Ok(()),
        }
    }
}

/// The host and port of an address.
fn destination(url: &str) -> Option<Destination> {
    let url = reqwest::Url::parse(url).ok()?;
    Some(Destination {
        host: HostName::parse(url.host_str()?)?,
        port: url.port_or_known_default()?,
    })
}

impl Servers {
    /// These servers. Starts nothing yet.
    pub fn new(settings: Vec<ServerSettings>, around: Surroundings) -> Self {
        let around = Arc::new(around);
        let server = |settings| Arc::new(Server::new(settings, around.clone()));
        Self {
            all: settings.into_iter().map(server).collect(),
            around,
        }
    }

    /// All of them, in the order of their entries.
    pub fn all(&self) -> &[Arc<Server>] {
        &self.all
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<Server>> {
        let mut all = self.all.iter();
        all.find(|server| server.settings().name.as_str() == name)
    }

    /// What members get of them. What was accepted of a server counts without starting it; the others are started, listed and
    /// accepted now, side by side.
    pub async fn offer(&self, accepted: &Arc<dyn Accepted>) -> Offered {
        let mut offered = Offered::default();
        let mut listings = Vec::new();
        let mut listing = JoinSet::new();
        for (at, server) in self.all.iter().enumerate() {
            match accepted.of(&server.settings().fingerprint()) {
                Some(known) => listings.push((at, known)),
                None => {
                    let server = server.clone();
                    listing.spawn(async move { (at, server.list().await) });
                }
            }
        }
        while let Some(listed) = listing.join_next().await {
            let Ok((at, listed)) = listed else { continue };
            let settings = self.all[at].settings();
            let name = &settings.name;
            match listed {
                Ok((found, notices)) => {
                    offered.notices.extend(notices);
                    if let Err(why) = accepted.accept(settings, &found) {
                        let notice =
                            format!("What the MCP server {name} offers cannot be kept: {why}");
                        offered.notices.push(notice);
                    }
                    listings.push((at, found));
                }
                Err(failure) => {
                    let step = NextStep::TryServer(name.to_string());
                    let step = self.around.wording.words(&step);
                    let notice =
                        format!("The MCP server {name} is not used, for {failure}. You can {step}");
                    offered.notices.push(notice);
                }
            }
        }
        listings.sort_by(|(_, a), (_, b)| first_name(a).cmp(&first_name(b)));
        let pairs = listings.into_iter();
        let pairs = pairs.map(|(at, listing)| (self.all[at].clone(), listing));
        offered.tools = tools::of(pairs.collect(), &self.around, accepted);
        offered
    }

    /// Ends all that run, with everything that they started.
    pub async fn close(&self) {
        let mut closing = JoinSet::new();
        for server in &self.all {
            let server = server.clone();
            closing.spawn(async move { server.close().await });
        }
        closing.join_all().await;
    }
}

fn first_name(listing: &Listing) -> Option<&str> {
    listing.tools.first().map(|tool| &*tool.called)
}

/// What is said of a server that was not accepted as it is now.
pub(crate) fn has_changed(server: &ServerName, wording: Wording) -> String {
    let step = wording.words(&NextStep::AcceptServer(server.to_string()));
    format!(
        "The MCP server {server} has changed this tool since the user accepted it, so it was not called. The user can {step}."
    )
}
