//! The address of a team's repository, parsed once.

use std::fmt;

use teammate_core::port::TransferError;

/// The schemes behind which a password would stand.
const SCHEMES: [&str; 3] = ["https://", "ssh://", "file://"];

/// The address of a repository: `https://`, `ssh://`, `git@HOST:PATH`, `file://` or an absolute path. It names no program and holds
/// no password, for members see it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RemoteAddress(String);

impl RemoteAddress {
    /// Parses one.
    pub fn parse(text: &str) -> Result<Self, TransferError> {
        let is_plain = !text.starts_with('-')
            && !text.is_empty()
            && text.chars().all(|c| !c.is_control() && c != ' ');
        let has_scheme = SCHEMES.iter().any(|scheme| text.starts_with(scheme));
        let (before_path, is_path) = match text.find('/') {
            Some(0) => ("", true),
            Some(at) => (&text[..at], false),
            None => (text, false),
        };
        // As ssh takes it: a host, a colon, a path; two colons would name a program.
        let is_by_ssh = !has_scheme
            && !text.contains("://")
            && before_path.split_once(':').is_some_and(|(host, path)| {
                !host.is_empty() && !path.starts_with(':') && !host.starts_with('-')
            });
        if is_plain && !has_password(text) && (has_scheme || is_path || is_by_ssh) {
            Ok(Self(text.to_owned()))
        } else {
            Err(TransferError::Address(without_password(text)))
        }
    }

    /// Whether another address is of the same repository, as far as the words of both say it: by which way it is reached, as whom,
    /// and the ending `.git` make no difference.
    pub fn is_same(&self, other: &str) -> bool {
        place(&self.0) == place(other)
    }

    /// As git takes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Host and path.
fn place(text: &str) -> (String, &str) {
    let (is_url, rest) = match text.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, text),
    };
    let end = match is_url || rest.starts_with('/') {
        true => rest.find('/'),
        false => rest.find(':'),
    };
    let (host, path) = rest.split_at(end.unwrap_or(rest.len()));
    let host = host.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default();
    let path = path.trim_matches(['/', ':']);
    let path = path.strip_suffix(".git").unwrap_or(path);
    (host.to_lowercase(), path.trim_end_matches('/'))
}

fn user_part(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("://")?;
    let host = rest.split('/').next().unwrap_or_default();
    host.rsplit_once('@').map(|(user, _)| user)
}

fn has_password(text: &str) -> bool {
    user_part(text).is_some_and(|user| user.contains(':'))
}

fn without_password(text: &str) -> String {
    match user_part(text) {
        Some(user) => text.replacen(user, "...", 1),
        None => text.to_owned(),
    }
}

impl fmt::Display for RemoteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_no_program_and_holds_no_password() {
        for good in [
            "https://host/app.git",
            "ssh://git@host:22/app",
            "git@host:team/app.git",
            "host:app",
            "/srv/app.git",
            "file:///srv/app.git",
        ] {
            assert_eq!(RemoteAddress::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "",
            "app",
            "--upload-pack=x",
            "-oProxyCommand=x:app",
            "ext::sh -c x",
            "ext::x",
            "http://host/app",
            "a/b:c",
            "https://me:secret@host/app",
        ] {
            let refused = RemoteAddress::parse(bad).unwrap_err().to_string();
            assert!(!refused.contains("secret"), "{refused}");
        }
    }

    #[test]
    fn a_repository_is_the_same_by_whatever_way_it_is_reached() {
        let is_same = |one: &str, other: &str| RemoteAddress::parse(one).unwrap().is_same(other);
        let by_https = "https://Host.example.org/team/app.git";
        for other in [
            "git@host.example.org:team/app.git",
            "ssh://git@host.example.org:22/team/app",
            "https://me@host.example.org/team/app/",
        ] {
            assert!(is_same(by_https, other), "{other}");
        }
        assert!(is_same("/srv/app.git", "file:///srv/app"));
        for other in [
            "https://host.example.org/team/other.git",
            "https://elsewhere.org/team/app.git",
            "/team/app",
        ] {
            assert!(!is_same(by_https, other), "{other}");
        }
    }
}
