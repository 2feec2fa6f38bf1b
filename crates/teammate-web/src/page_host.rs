//! The name under which the user's own proxy serves the page.

use std::{fmt, str::FromStr};

/// A host as it stands in an address, with a port if it is not the usual one of HTTPS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageHost(String);

impl FromStr for PageHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, port) = match text.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (text, None),
        };
        let is_label = |label: &str| {
            let is_known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            !label.is_empty() && label.chars().all(is_known)
        };
        let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
        match name.split('.').all(is_label) && is_port {
            true => Ok(Self(text.to_owned())),
            false => Err(format!(
                "{text:?} is no host: write team.example.org, or team.example.org:8443"
            )),
        }
    }
}

impl fmt::Display for PageHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
