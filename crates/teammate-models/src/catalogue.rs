//! The catalogue of models by their names: the dated file `catalogue.toml`, read once when it is first needed.
//!
//! People write it in TOML. The program has the same as JSON beside it, a line for each family: that is read in a fraction of the
//! time, which every start takes. A test writes it.
//!
//! The catalogue knows models, not servers' moods: what a server refuses is learnt while the program runs (`adapt`), and the
//! user's own entries win over everything here.

mod facts;
mod pattern;
mod thinking;

use std::sync::OnceLock;

use serde::Deserialize;

pub use facts::{CacheRules, ModelFacts};
pub use pattern::NamePattern;
pub use thinking::{EffortLevel, Thinking, ThinkingForm};

/// What the file says, as the program reads it.
const FILE: &str = include_str!("catalogue/catalogue.json");

/// Families of models and servers with ways of their own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The day on which its facts were looked up: `2026-11-24`.
    pub as_of: String,
    /// The currency of its prices.
    pub currency: String,
    /// Families; the first whose pattern fits a name counts.
    #[serde(rename = "family")]
    pub families: Vec<Family>,
    /// Servers, by host.
    #[serde(rename = "server", default)]
    pub servers: Vec<Server>,
}

/// Models that are alike.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Its name, for people.
    pub name: String,
    /// The names of its models.
    pub models: Vec<NamePattern>,
    /// The host of the vendor's own API: there, its prices hold.
    pub vendor: Option<String>,
    /// Whether the vendor's own API answers it on the Responses wire.
    #[serde(default)]
    pub responses: bool,
    /// The day on which the vendor ends it, or ended it: `2026-12-11`.
    pub retires: Option<String>,
    /// The facts about them.
    pub facts: ModelFacts,
}

/// A server that serves models of several vendors.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    pub host: String,
    /// How it is asked for thinking on chat completions, whatever the family.
    pub thinking: ThinkingForm,
}

impl Catalogue {
    /// The catalogue of this program.
    pub fn built_in() -> &'static Self {
        static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
        CATALOGUE.get_or_init(|| {
            // A test reads the file; it is a part of the program.
            serde_json::from_str(FILE).expect("the catalogue is valid JSON")
        })
    }

    /// Whether this host is a vendor's own API.
    pub fn is_vendor(&self, host: &str) -> bool {
        let vendors = self.families.iter();
        vendors
            .filter_map(|family| family.vendor.as_deref())
            .any(|vendor| vendor == host)
    }

    /// The family of a model by its name, as a server calls it: `claude-opus-4-6`, `anthropic/claude-opus-4.6`,
    /// `us.anthropic.claude-opus-4-6-v1:0`. `None`: it is not known.
    pub fn family(&self, name: &str) -> Option<&Family> {
        let name = pattern::plain_name(name);
        self.families
            .iter()
            .find(|family| family.models.iter().any(|pattern| pattern.fits(&name)))
    }

    /// The family and the facts of a model, asked at a server of this host.
    pub fn facts(&self, name: &str, host: &str) -> Option<(&Family, ModelFacts)> {
        let family = self.family(name)?;
        let mut facts = family.facts.clone();
        let server = self.servers.iter().find(|server| server.host == host);
        if let (Some(server), Some(thinking)) = (server, &mut facts.thinking) {
            thinking.via(server.thinking);
        }
        if family.vendor.as_deref() != Some(host) {
            // A reseller has prices of its own.
            facts.price = None;
        }
        Some((family, facts))
    }
}

#[cfg(test)]
mod tests;
