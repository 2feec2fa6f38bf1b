//! Where commands may connect: `[sandbox] network` of the configuration, and the flag `--network`.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, SeqAccess, Visitor},
};
use teammate::{Rule, RuleOrigin, sandbox::NetworkRule};

/// The expected words, for errors.
const WORDS: &str = "\"none\", \"ask\", \"all\" or a list of hosts";

/// The setting. A list is a list of rules `net(HOST)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NetworkSetting {
    pub(super) rule: NetworkRule,
    pub(super) allow: Vec<Rule>,
}

/// Where commands connect by this, in words.
pub(crate) fn connects(network: NetworkRule) -> &'static str {
    match network {
        NetworkRule::Machine => "commands connect wherever this machine does",
        NetworkRule::Ask => {
            "commands connect to hosts that rules net(HOST) allow; you are asked about others"
        }
        NetworkRule::Listed => {
            "commands connect to hosts that rules net(HOST) allow, and to no others"
        }
        NetworkRule::Nowhere => "commands connect nowhere",
    }
}

impl NetworkSetting {
    /// Reads the flag: a word, or hosts with commas between.
    pub(super) fn of_flag(text: &str) -> Result<Self, String> {
        Self::word(text).map_or_else(|| Self::list(text.split(','), RuleOrigin::CommandLine), Ok)
    }

    fn word(text: &str) -> Option<Self> {
        let rule = match text {
            "none" => NetworkRule::Nowhere,
            "ask" => NetworkRule::Ask,
            "all" => NetworkRule::Machine,
            _ => return None,
        };
        Some(Self {
            rule,
            allow: Vec::new(),
        })
    }

    fn list<'a>(
        hosts: impl IntoIterator<Item = &'a str>,
        origin: RuleOrigin,
    ) -> Result<Self, String> {
        let rule = |host: &str| Rule::parse(&format!("net({host})"), origin);
        let allow: Result<_, _> = hosts.into_iter().map(rule).collect();
        Ok(Self {
            rule: NetworkRule::Listed,
            allow: allow.map_err(|error| error.to_string())?,
        })
    }
}

impl<'de> Deserialize<'de> for NetworkSetting {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(InFile)
    }
}

struct InFile;

impl<'de> Visitor<'de> for InFile {
    type Value = NetworkSetting;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WORDS)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<NetworkSetting, E> {
        NetworkSetting::word(word)
            .ok_or_else(|| E::custom(format!("network: write {WORDS}, not \"{word}\"")))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<NetworkSetting, A::Error> {
        let mut hosts: Vec<String> = Vec::new();
        while let Some(host) = list.next_element()? {
            hosts.push(host);
        }
        let hosts = hosts.iter().map(String::as_str);
        NetworkSetting::list(hosts, RuleOrigin::User)
            .map_err(|why| A::Error::custom(format!("network: {why}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Table {
        network: NetworkSetting,
    }

    fn read(text: &str) -> Result<(NetworkRule, Vec<String>), String> {
        let table: Table = toml::from_str(&format!("network = {text}"))
            .map_err(|error: toml::de::Error| error.message().to_owned())?;
        let allow = table.network.allow.iter().map(ToString::to_string);
        Ok((table.network.rule, allow.collect()))
    }

    #[test]
    fn words_and_lists_are_read() {
        let rules = |rules: &[&str]| rules.iter().map(ToString::to_string).collect();
        assert_eq!(read("\"none\""), Ok((NetworkRule::Nowhere, rules(&[]))));
        assert_eq!(read("\"ask\""), Ok((NetworkRule::Ask, rules(&[]))));
        assert_eq!(read("\"all\""), Ok((NetworkRule::Machine, rules(&[]))));
        let listed = rules(&["net(crates.io)", "net(*.crates.io)"]);
        let expected = Ok((NetworkRule::Listed, listed));
        assert_eq!(read("[\"crates.io\", \"*.crates.io\"]"), expected);
        let flag = NetworkSetting::of_flag("crates.io,localhost:5432").unwrap();
        assert_eq!(flag.allow.len(), 2);
        assert_eq!(flag.allow[1].to_string(), "net(localhost:5432)");
    }

    #[test]
    fn what_is_no_word_and_no_host_is_refused() {
        for (text, words) in [
            (
                "\"some\"",
                "write \"none\", \"ask\", \"all\" or a list of hosts",
            ),
            (
                "1",
                "expected \"none\", \"ask\", \"all\" or a list of hosts",
            ),
            (
                "[\"10.0.0.1\"]",
                "'net(10.0.0.1)' is not understood: at character 5",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!(NetworkSetting::of_flag("a,,b").is_err());
    }
}
