//! Where commands connect: names of hosts in one spelling, and a port.

use std::fmt;

/// How long a name may be, in bytes; the limit of the name system.
const BYTES_MAX: usize = 253;
/// How long a part between two dots may be.
const LABEL_MAX: usize = 63;

/// A host by name: lower case letters, digits, hyphens and dots, and never an address in any spelling.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostName(String);

impl HostName {
    /// Reads a name. `None` for an address, for what no name system knows, and for other alphabets than `xn--`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        let is_name = !text.is_empty()
            && text.len() <= BYTES_MAX
            && text.split('.').all(is_label)
            && !ends_in_number(&text);
        is_name.then_some(Self(text))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_label(label: &str) -> bool {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !label.is_empty()
        && label.len() <= LABEL_MAX
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(is_inside)
}

/// Libraries take what ends in a number for an address, in decimal, octal or hexadecimal.
fn ends_in_number(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    let hexadecimal = last.strip_prefix("0x");
    last.bytes().all(|byte| byte.is_ascii_digit())
        || hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// A port of a host.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Destination {
    pub host: HostName,
    pub port: u16,
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_host_has_one_spelling() {
        let name = |text| HostName::parse(text).map(|name| name.to_string());
        for text in ["crates.io", "CRATES.io", "crates.io."] {
            assert_eq!(name(text).as_deref(), Some("crates.io"), "{text}");
        }
        for text in ["localhost", "a_b.example", "xn--bcher-kva.example"] {
            assert_eq!(name(text).as_deref(), Some(text));
        }
    }

    #[test]
    fn an_address_is_no_name_in_any_spelling() {
        for text in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "127.0.0.0x1",
            "0x",
            "::1",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "1.2.3.4.",
            "",
        ] {
            assert_eq!(HostName::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_no_name_system_knows_is_no_name() {
        let long = "a".repeat(64);
        let deep = "a.".repeat(127) + "bc";
        for text in [
            "crates.io\0.evil.example",
            "crates.io evil",
            "a..b",
            ".a",
            "-a.b",
            "a-.b",
            "bücher.example",
            "a/b",
            "a@b",
            "a:80",
            "a%00b",
            "a\u{2024}b",
            &long,
            &deep,
        ] {
            assert_eq!(HostName::parse(text), None, "{text}");
        }
    }
}
