//! Where one command connects: what it was refused, and who was asked.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use teammate_core::{
    lock::Hold,
    permission::{Destination, HostName},
    port::{ConnectArgs, ConnectVerdict, Connecting, TeamApi, Unlisted},
};
use teammate_sandbox::{Judge, NetworkRule, Verdict};
use tokio::{sync::watch, task::AbortHandle};

/// Decides about the connections of one command, as its member's team does.
pub(super) struct Connections {
    rule: NetworkRule,
    command: String,
    team: Arc<dyn TeamApi>,
    tries: Mutex<BTreeMap<Destination, Try>>,
    missed: Mutex<Missed>,
}

/// What was never judged, because no way leads out for it.
#[derive(Default)]
struct Missed {
    /// Hosts whose addresses were asked for.
    looked_up: BTreeSet<HostName>,
    /// What is no host by its name.
    unnamed: BTreeSet<String>,
}

/// The tries to connect to one port of one host.
struct Try {
    verdict: watch::Receiver<Option<ConnectVerdict>>,
    asking: AbortHandle,
    /// Why one that was allowed failed.
    failed: Option<String>,
}

impl Connections {
    pub(super) fn new(rule: NetworkRule, command: &str, team: Arc<dyn TeamApi>) -> Self {
        Self {
            rule,
            command: command.to_owned(),
            team,
            tries: Mutex::default(),
            missed: Mutex::default(),
        }
    }

    /// Ends the questions that are open: the command has been cut off.
    fn withdraw(&self) {
        self.tries
            .hold()
            .values()
            .for_each(|tried| tried.asking.abort());
    }

    /// A line about what could not be connected to, for the command's output. Of a command that failed to connect for a reason that
    /// it cannot know it also has the hosts that it only looked up.
    fn remark(&self, has_failed: bool, printed: &str) -> Option<String> {
        let tries = self.tries.hold();
        let refused = tries
            .iter()
            .filter_map(|(to, tried)| Some(format!("{to} ({})", tried.why_not()?)));
        let mut refused: Vec<String> = refused.collect();
        let missed = self.missed.hold();
        let unnamed = missed.unnamed.iter();
        refused.extend(unnamed.map(|target| format!("{target} ({UNNAMED})")));
        let is_judged = |host: &&HostName| tries.keys().any(|to| to.host == **host);
        let is_told = |host: &&HostName| {
            let name = host.as_str();
            // Without a dot it may be the machine's own.
            has_failed && (name.contains('.') || printed.contains(name))
        };
        let looked_up = missed.looked_up.iter();
        let only_looked_up = looked_up.filter(|host| is_told(host) && !is_judged(host));
        refused.extend(only_looked_up.map(|host| format!("{host} ({})", self.no_way())));
        if refused.is_empty() {
            return None;
        }
        let more = refused.len().saturating_sub(NAMED_MAX);
        refused.truncate(NAMED_MAX);
        if more > 0 {
            refused.push(format!("and {more} more"));
        }
        let refused = refused.join("; ");
        Some(format!("[This command could not connect to: {refused}]\n"))
    }

    /// Why a host that was looked up is not reached by this way.
    fn no_way(&self) -> &'static str {
        match self.rule {
            NetworkRule::Nowhere => NOWHERE,
            NetworkRule::Machine | NetworkRule::Ask | NetworkRule::Listed => NO_WAY,
        }
    }

    /// The answer for this, which is asked for once; once more where there was none in time.
    fn verdict(&self, to: &Destination) -> watch::Receiver<Option<ConnectVerdict>> {
        let mut tries = self.tries.hold();
        if let Some(known) = tries.get(to)
            && *known.verdict.borrow() != Some(ConnectVerdict::Unanswered)
        {
            return known.verdict.clone();
        }
        let (answer, verdict) = watch::channel(None);
        let (rule, team) = (self.rule, self.team.clone());
        let ask = ConnectArgs {
            to: to.clone(),
            by: Connecting::Command(self.command.clone()),
            unlisted: match rule {
                NetworkRule::Listed => Unlisted::Refuse,
                NetworkRule::Machine | NetworkRule::Ask | NetworkRule::Nowhere => Unlisted::Ask,
            },
        };
        let asking = tokio::spawn(async move {
            let verdict = match rule {
                NetworkRule::Nowhere => ConnectVerdict::Refused(NOWHERE.to_owned()),
                NetworkRule::Machine | NetworkRule::Ask | NetworkRule::Listed => {
                    team.connect(ask).await
                }
            };
            answer.send_replace(Some(verdict));
        });
        let tried = Try {
            verdict: verdict.clone(),
            asking: asking.abort_handle(),
            failed: None,
        };
        tries.insert(to.clone(), tried);
        verdict
    }
}

impl Try {
    fn why_not(&self) -> Option<String> {
        match &*self.verdict.borrow() {
            Some(ConnectVerdict::Allowed(_)) => self.failed.clone(),
            Some(ConnectVerdict::Refused(why)) => Some(why.clone()),
            Some(ConnectVerdict::Unanswered) | None => Some(UNANSWERED.to_owned()),
        }
    }
}

/// The words where the user wants no connections.
const NOWHERE: &str = "the user lets commands connect nowhere: [sandbox] network = \"none\"";
/// The words where a program connects by itself to a port of no service.
const NO_WAY: &str = "it was looked up; only ports 80 and 443 lead out, other ones through the proxy that HTTPS_PROXY names. For a \
    program that knows no proxy the user opens the network: [sandbox] network = \"all\"";
/// The words where the target is an address.
const UNNAMED: &str = "servers are connected to by name only";
/// How many are kept of each kind.
const MISSED_MAX: usize = 1_000;
/// How many are named.
const NAMED_MAX: usize = 20;
/// The words where nobody has answered.
const UNANSWERED: &str =
    "the user has not answered yet; run the same command again, a yes counts for it then";

impl Judge for Connections {
    fn judge<'a>(&'a self, to: &'a Destination) -> Verdict<'a> {
        Box::pin(async move {
            let mut verdict = self.verdict(to);
            let answered = verdict.wait_for(Option::is_some).await;
            match answered.ok().and_then(|answer| answer.clone()) {
                Some(ConnectVerdict::Allowed(reach)) => Ok(reach),
                Some(ConnectVerdict::Refused(why)) => Err(format!("{to}: {why}")),
                Some(ConnectVerdict::Unanswered) | None => Err(format!("{to}: {UNANSWERED}")),
            }
        })
    }

    fn failed(&self, to: &Destination, why: &str) {
        if let Some(tried) = self.tries.hold().get_mut(to) {
            tried.failed = Some(why.to_owned());
        }
    }

    fn looked_up(&self, host: &HostName) {
        let mut missed = self.missed.hold();
        if missed.looked_up.len() < MISSED_MAX {
            missed.looked_up.insert(host.clone());
        }
    }

    fn unnamed(&self, target: &str) {
        let mut missed = self.missed.hold();
        if missed.unnamed.len() < MISSED_MAX {
            missed.unnamed.insert(target.to_owned());
        }
    }
}

/// The questions of a command about its connections. Dropped before [`ConnectionQuestions::remark`], nobody needs an answer any more.
pub(super) struct ConnectionQuestions(Option<Arc<Connections>>);

impl ConnectionQuestions {
    pub(super) fn of(connections: Arc<Connections>) -> Self {
        Self(Some(connections))
    }

    /// The command has ended, with this printed: what it could not connect to, and questions stay open for its next try.
    pub(super) fn remark(mut self, has_failed: bool, printed: &str) -> String {
        let connections = self.0.take();
        let has_failed = has_failed || printed.contains("onnection refused");
        connections
            .and_then(|connections| connections.remark(has_failed, printed))
            .unwrap_or_default()
    }
}

impl Drop for ConnectionQuestions {
    fn drop(&mut self) {
        if let Some(connections) = &self.0 {
            connections.withdraw();
        }
    }
}
