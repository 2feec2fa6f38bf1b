//! The pattern of a rule about hosts: `crates.io`, `*.crates.io`, `localhost:5432`, `*`.

use super::{
    host_name::{Destination, HostName},
    path_pattern::Flaw,
};

/// The ports of an allow rule that names none: the web's.
const WEB_PORTS: [u16; 2] = [80, 443];

/// Hosts, with a port or without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HostPattern {
    text: String,
    hosts: HostsPattern,
    ports: PortPattern,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostsPattern {
    /// `*`
    Any,
    /// `*.NAME`: the names below it, without itself.
    Below(HostName),
    Exactly(HostName),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PortPattern {
    /// None is named: an allow rule covers the web's, a deny rule all.
    Unnamed,
    /// `:*`
    Any,
    Exactly(u16),
}

impl HostPattern {
    /// Reads `HOST`, `*.HOST` or `*`, with `:PORT` or `:*` behind it, in the one spelling that there is.
    pub(super) fn parse(text: &str) -> Result<Self, Flaw> {
        let (hosts, ports) = match text.rsplit_once(':') {
            // Of an address or a URL there is more to say than of its port.
            Some((hosts, _)) if hosts.contains(':') || text.contains('/') => {
                return Err(name_flaw(text, 0));
            }
            Some((hosts, ports)) => (hosts, PortPattern::parse(ports, hosts.len() + 1)?),
            None => (text, PortPattern::Unnamed),
        };
        Ok(Self {
            text: text.to_owned(),
            hosts: HostsPattern::parse(hosts)?,
            ports,
        })
    }

    /// Exactly this one; the ports of the web are one.
    pub(super) fn of(to: &Destination) -> Self {
        let (text, ports) = if WEB_PORTS.contains(&to.port) {
            (to.host.to_string(), PortPattern::Unnamed)
        } else {
            (to.to_string(), PortPattern::Exactly(to.port))
        };
        Self {
            text,
            hosts: HostsPattern::Exactly(to.host.clone()),
            ports,
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it covers this as an allow rule.
    pub(super) fn allows(&self, to: &Destination) -> bool {
        let is_port = match self.ports {
            PortPattern::Unnamed => WEB_PORTS.contains(&to.port),
            PortPattern::Any => true,
            PortPattern::Exactly(port) => port == to.port,
        };
        is_port && self.hosts.include(&to.host)
    }

    /// Whether it catches this as a deny rule.
    pub(super) fn denies(&self, to: &Destination) -> bool {
        let is_port = match self.ports {
            PortPattern::Unnamed | PortPattern::Any => true,
            PortPattern::Exactly(port) => port == to.port,
        };
        is_port && self.hosts.include(&to.host)
    }

    /// Whether it names one host.
    pub(super) fn is_one_host(&self) -> bool {
        matches!(self.hosts, HostsPattern::Exactly(_))
    }
}

impl HostsPattern {
    fn parse(text: &str) -> Result<Self, Flaw> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let (name, at) = match text.strip_prefix("*.") {
            Some(name) => (name, 2),
            None => (text, 0),
        };
        match HostName::parse(name) {
            Some(host) if host.as_str() == name && at > 0 => Ok(Self::Below(host)),
            Some(host) if host.as_str() == name => Ok(Self::Exactly(host)),
            Some(host) => Err(Flaw {
                at,
                why: format!("a host has one spelling: {host}"),
            }),
            None => Err(name_flaw(name, at)),
        }
    }

    fn include(&self, host: &HostName) -> bool {
        match self {
            Self::Any => true,
            Self::Exactly(name) => name == host,
            Self::Below(name) => {
                let above = host.as_str().strip_suffix(name.as_str());
                above.is_some_and(|above| above.ends_with('.'))
            }
        }
    }
}

impl PortPattern {
    fn parse(text: &str, at: usize) -> Result<Self, Flaw> {
        if text == "*" {
            return Ok(Self::Any);
        }
        match text.parse() {
            Ok(port @ 1..) if port.to_string() == text => Ok(Self::Exactly(port)),
            Ok(_) | Err(_) => Err(Flaw {
                at,
                why: "a port is a number from 1 to 65535, or *".to_owned(),
            }),
        }
    }
}

/// The fault of a text that is no name; it stands behind so many bytes of the pattern.
fn name_flaw(text: &str, before: usize) -> Flaw {
    let (at, why) = if let Some(at) = text.find('/') {
        (
            at,
            "write the host alone, without https:// and without a path",
        )
    } else if let Some(at) = text.find('*') {
        (
            at,
            "'*' stands for all hosts, or as *.HOST for those below one",
        )
    } else if let Some(at) = text.find(|c: char| !c.is_ascii()) {
        (
            at,
            "names in other alphabets are written as DNS has them, with xn--",
        )
    } else if is_address(text) {
        (0, "an address is no host; commands connect by name")
    } else {
        (0, "this is no name of a host")
    };
    Flaw {
        at: before + at,
        why: why.to_owned(),
    }
}

/// Whether it looks like an address in some spelling.
fn is_address(text: &str) -> bool {
    text.contains(':') || text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(text: &str) -> Destination {
        let (host, port) = text.split_once(':').unwrap();
        Destination {
            host: HostName::parse(host).unwrap(),
            port: port.parse().unwrap(),
        }
    }

    #[test]
    fn what_a_pattern_covers() {
        // Pattern, destination, as an allow rule, as a deny rule.
        for (pattern, destination, allows, denies) in [
            ("crates.io", "crates.io:443", true, true),
            ("crates.io", "crates.io:80", true, true),
            ("crates.io", "crates.io:22", false, true),
            ("crates.io", "static.crates.io:443", false, false),
            ("crates.io", "notcrates.io:443", false, false),
            ("crates.io:22", "crates.io:22", true, true),
            ("crates.io:22", "crates.io:443", false, false),
            ("crates.io:*", "crates.io:22", true, true),
            ("*.crates.io", "static.crates.io:443", true, true),
            ("*.crates.io", "a.b.crates.io:443", true, true),
            ("*.crates.io", "crates.io:443", false, false),
            ("*.crates.io", "notcrates.io:443", false, false),
            ("*.crates.io:8080", "a.crates.io:8080", true, true),
            ("*", "localhost:443", true, true),
            ("*", "localhost:5432", false, true),
            ("*:*", "localhost:5432", true, true),
        ] {
            let parsed = HostPattern::parse(pattern).unwrap();
            let to = to(destination);
            let found = (parsed.allows(&to), parsed.denies(&to));
            assert_eq!(found, (allows, denies), "{pattern} {destination}");
        }
    }

    #[test]
    fn the_rule_for_a_destination_covers_it_and_can_be_read_again() {
        for (destination, text) in [
            ("crates.io:443", "crates.io"),
            ("crates.io:80", "crates.io"),
            ("localhost:5432", "localhost:5432"),
        ] {
            let to = to(destination);
            let pattern = HostPattern::of(&to);
            assert!(pattern.allows(&to) && pattern.is_one_host());
            assert_eq!(pattern.text(), text);
            assert_eq!(HostPattern::parse(text), Ok(pattern));
        }
    }

    #[test]
    fn other_spellings_are_refused_where_they_go_wrong() {
        for (text, at, word) in [
            ("https://crates.io/x", 6, "without https://"),
            ("crates.io/x", 9, "without https://"),
            ("Crates.io", 0, "one spelling: crates.io"),
            ("crates.io.", 0, "one spelling: crates.io"),
            ("*.Crates.io", 2, "one spelling: crates.io"),
            ("a.*.io", 2, "stands for all hosts"),
            ("*crates.io", 0, "stands for all hosts"),
            ("b\u{fc}cher.example", 1, "xn--"),
            ("127.0.0.1", 0, "an address"),
            ("127.0.0.1:80", 0, "an address"),
            ("0x7f000001", 0, "an address"),
            ("::1", 0, "an address"),
            ("[::1]:80", 0, "an address"),
            ("a b", 0, "no name"),
            ("a..b", 0, "no name"),
            ("a:0", 2, "a port"),
            ("a:065", 2, "a port"),
            ("a:65536", 2, "a port"),
            ("a:", 2, "a port"),
        ] {
            let flaw = HostPattern::parse(text).unwrap_err();
            assert!(flaw.at == at && flaw.why.contains(word), "{text}: {flaw:?}");
        }
    }
}
