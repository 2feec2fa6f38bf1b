//! Where a plug-in comes from.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use teammate_core::permission::{NET, Rule, RuleOrigin, Rules};
use teammate_git::CloneBy;

/// A directory, or a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PluginSource {
    /// A directory of this machine; absolute.
    Directory(PathBuf),
    /// A git repository, by its address.
    Git(String),
}

/// A text that names neither.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Git would need keys.
    #[error(
        "'{0}' needs your ssh keys, which the sandbox does not have; use its https address, or clone it yourself and add the directory"
    )]
    Ssh(String),
    /// The connection is not encrypted, so that the plug-in could be changed on the way.
    #[error("'{0}' is not encrypted; use its https address")]
    Plain(String),
    /// A name or password in it would be written down.
    #[error("an address with a name or password in it is not taken; use one without")]
    Secret,
    /// There is no such directory.
    #[error("there is no directory {0}, and it is no https address of a git repository")]
    Nothing(PathBuf),
}

impl PluginSource {
    /// Reads one. A path is meant from `from`.
    ///
    /// # Errors
    ///
    /// It is none that can be used.
    pub fn parse(text: &str, from: &Path) -> Result<Self, SourceError> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return Self::directory(text, from);
        };
        let authority = rest.split('/').next().unwrap_or_default();
        if authority.contains('@') && scheme != "ssh" {
            return Err(SourceError::Secret);
        }
        match scheme {
            "https" | "file" => Ok(Self::Git(text.to_owned())),
            "http" if host(text).as_deref().is_some_and(is_here) => Ok(Self::Git(text.to_owned())),
            "http" | "git" => Err(SourceError::Plain(text.to_owned())),
            _ => Err(SourceError::Ssh(text.to_owned())),
        }
    }

    fn directory(text: &str, from: &Path) -> Result<Self, SourceError> {
        let path = from.join(text);
        if let Ok(found) = path.canonicalize()
            && found.is_dir()
        {
            return Ok(Self::Directory(found));
        }
        // As in `git@example.com:owner/name`.
        let is_ssh = text
            .split_once(':')
            .is_some_and(|(host, _)| host.contains('@'));
        match is_ssh {
            true => Err(SourceError::Ssh(text.to_owned())),
            false => Err(SourceError::Nothing(path)),
        }
    }

    /// The protocol by which git may reach it.
    pub(super) fn by(address: &str) -> CloneBy {
        match address.split_once("://") {
            Some(("file", _)) => CloneBy::Files,
            Some(("http", _)) => CloneBy::LocalHttp,
            Some(_) | None => CloneBy::Https,
        }
    }

    /// Where git may connect to reach it: the user has named that host.
    pub(super) fn network(address: &str) -> Rules {
        let host = host(address).unwrap_or_default();
        let rule = Rule::parse(&format!("{NET}({host})"), RuleOrigin::CommandLine);
        Rules {
            allow: rule.into_iter().collect(),
            ..Rules::default()
        }
    }
}

/// The host of an address, with its port if it names one; `None` if it has none.
fn host(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    (!host.is_empty()).then(|| host.to_owned())
}

/// Whether it is this machine.
fn is_here(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    ["localhost", "127.0.0.1"].contains(&name)
}

impl fmt::Display for PluginSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => path.display().fmt(f),
            Self::Git(address) => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<PluginSource, SourceError> {
        PluginSource::parse(text, Path::new("/"))
    }

    #[test]
    fn a_directory_or_an_encrypted_address() {
        assert_eq!(parsed("tmp/.."), Ok(PluginSource::Directory("/".into())));
        for address in [
            "https://example.com/a/b.git",
            "file:///srv/a.git",
            "http://localhost:8000/a.git",
        ] {
            assert_eq!(parsed(address), Ok(PluginSource::Git(address.to_owned())));
        }
    }

    #[test]
    fn what_needs_keys_or_could_be_changed_on_the_way_is_refused() {
        for text in ["git@example.com:a/b.git", "ssh://git@example.com/a/b"] {
            assert_eq!(parsed(text), Err(SourceError::Ssh(text.to_owned())));
        }
        for text in [
            "http://example.com/a",
            "git://example.com/a",
            "http://localhost.example.com/a",
        ] {
            assert_eq!(parsed(text), Err(SourceError::Plain(text.to_owned())));
        }
        let secret = parsed("https://me:token@example.com/a");
        assert_eq!(secret, Err(SourceError::Secret));
        let absent = parsed("no-such-directory");
        assert_eq!(
            absent,
            Err(SourceError::Nothing("/no-such-directory".into()))
        );
    }
}
