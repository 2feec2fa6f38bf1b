//! The servers of a team, and what members get of them.

use std::sync::Arc;

use teammate_core::{next_step::NextStep, port::Tool};
use tokio::task::JoinSet;

use crate::mcp::client::{
    listing::{Accepted, Listing},
    server::ToolServer,
    settings::ServerSettings,
    surroundings::Surroundings,
    tools,
};

/// The servers of a team.
pub struct Servers {
    all: Vec<Arc<ToolServer>>,
    around: Arc<Surroundings>,
}

/// The tools and notices that members get.
#[derive(Default)]
pub struct Offered {
    /// Tools, in an order that depends on names only.
    pub tools: Vec<Arc<dyn Tool>>,
    /// Remarks for the user, a sentence each.
    pub notices: Vec<String>,
}

impl Servers {
    /// These servers. Starts nothing yet.
    pub fn new(settings: Vec<ServerSettings>, around: Surroundings) -> Self {
        let around = Arc::new(around);
        let server = |settings| Arc::new(ToolServer::new(settings, around.clone()));
        Self {
            all: settings.into_iter().map(server).collect(),
            around,
        }
    }

    /// All of them, in the order of their entries.
    pub fn all(&self) -> &[Arc<ToolServer>] {
        &self.all
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<ToolServer>> {
        let mut all = self.all.iter();
        all.find(|server| server.settings().name.as_str() == name)
    }

    /// The tools of the servers that members get. What was accepted of a server counts without starting it; the others are
    /// started, listed and accepted now, side by side.
    pub async fn offer(&self, accepted: &Arc<dyn Accepted>) -> Offered {
        let mut offered = Offered::default();
        let mut listings = Vec::new();
        let mut listing = JoinSet::new();
        for (at, server) in self.all.iter().enumerate() {
            match accepted.of(&server.settings().fingerprint()) {
                Some(known) => {
                    server.remember(known.greeting);
                    listings.push((at, known));
                }
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
