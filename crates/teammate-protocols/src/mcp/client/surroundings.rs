//! The surroundings that servers are started with, and where they may connect.

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use teammate_core::{
    next_step::Wording,
    permission::{Destination, HostName, Mode, NET, Rule, RuleVerdict, Rules},
    port::{OutputFiles, ProgramStarter, Target},
    tool::EffectClass,
};

use crate::mcp::client::{
    answer::ServerFailure,
    http,
    settings::{EntryOrigin, ServerSettings},
    timeouts::ServerTimeouts,
};

/// The parts that servers are started with.
pub struct Surroundings {
    /// The port that starts programs.
    pub programs: Arc<dyn ProgramStarter>,
    /// Where long results are kept.
    pub files: Arc<dyn OutputFiles>,
    /// The workspace.
    pub root: PathBuf,
    /// The user's rules that deny. They hold for connections of servers, too.
    pub deny: Vec<Rule>,
    /// Where tokens of servers are kept, if anywhere.
    pub tokens: Option<PathBuf>,
    /// How what the user can do is worded.
    pub wording: Wording,
    /// How long servers are waited for.
    pub timeouts: ServerTimeouts,
    client: OnceLock<reqwest::Client>,
}

impl Surroundings {
    /// Starts nothing yet.
    pub fn new(
        programs: Arc<dyn ProgramStarter>,
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
            tokens: None,
            wording,
            timeouts: ServerTimeouts::default(),
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
    pub(crate) fn may_reach(
        &self,
        url: &str,
        settings: &ServerSettings,
    ) -> Result<(), ServerFailure> {
        let refused = |why: String| Err(ServerFailure::Refused(why));
        let url = reqwest::Url::parse(url).ok();
        let url = url.filter(reqwest::Url::has_host);
        let url = url.ok_or_else(|| ServerFailure::Refused("its url names no host".to_owned()))?;
        // Rules are about names. An address of numbers is the user's own, or refused below.
        let to = destination(&url);
        if let Some(to) = &to {
            let rules = Rules {
                deny: self.deny.clone(),
                ..Rules::default()
            };
            let target = Target::Host(to.clone());
            match rules.decide(Mode::Ask, NET, EffectClass::Calls, &target) {
                RuleVerdict::Deny(rule) => {
                    return refused(format!("{} forbids {to}", rule.describe()));
                }
                RuleVerdict::Allow | RuleVerdict::Ask => {}
            }
        }
        match settings.origin {
            EntryOrigin::Project | EntryOrigin::Plugin if url.scheme() != "https" || to.is_none() => refused(
                "an entry that is not yours needs https and a name; put it into your configuration"
                    .to_owned(),
            ),
            EntryOrigin::Project | EntryOrigin::Plugin | EntryOrigin::User | EntryOrigin::CommandLine => Ok(()),
        }
    }
}

/// The host, by its name, and the port.
fn destination(url: &reqwest::Url) -> Option<Destination> {
    Some(Destination {
        host: HostName::parse(url.host_str()?)?,
        port: url.port_or_known_default()?,
    })
}
