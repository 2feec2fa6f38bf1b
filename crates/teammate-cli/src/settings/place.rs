//! Which team is meant: of which workspace, and how another command names the same one.

use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
};

use teammate::{GroupName, TeamPlace};

use super::{Options, values::Values};

impl Options {
    /// The workspace.
    pub(crate) fn dir(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(|| PathBuf::from("."))
    }

    /// The team that is meant.
    pub(crate) fn place(&self) -> TeamPlace {
        let place = match &self.team {
            Some(name) => TeamPlace::named(self.dir(), name.clone()),
            None => TeamPlace::default_of(self.dir()),
        };
        match &self.store {
            Some(store) => place.kept_in(store.clone()),
            None => place,
        }
    }

    /// The options of another team: only the screen and the configuration file are the same. What flags said of rights, limits and
    /// models was said of this one.
    ///
    /// Errors: the environment cannot be used.
    pub(crate) fn of_other(&self, team: &TeamPlace) -> anyhow::Result<Self> {
        let name = GroupName::parse(team.team_name())?;
        let options = Self {
            dir: Some(team.workspace().to_owned()),
            team: Some(name),
            plain: self.plain,
            lang: self.lang,
            // Which servers there are is said of all teams.
            #[cfg(feature = "nats")]
            nats: self.nats.clone(),
            store: team.store().cloned(),
            flags: Values::default(),
            config: self.config.clone(),
        };
        options.or_from_environment()
    }

    /// These options, flags and all, for a team at another place.
    ///
    /// Errors: it has no name.
    #[cfg(any(feature = "acp", feature = "nats"))]
    pub(crate) fn at(&self, place: &TeamPlace) -> anyhow::Result<Self> {
        Ok(Self {
            dir: Some(place.workspace().to_owned()),
            team: Some(GroupName::parse(place.team_name())?),
            plain: self.plain,
            lang: self.lang,
            #[cfg(feature = "nats")]
            nats: self.nats.clone(),
            store: place.store().cloned(),
            flags: self.flags.clone(),
            config: self.config.clone(),
        })
    }

    /// Whether a team was named.
    pub(crate) fn names_team(&self) -> bool {
        self.team.is_some()
    }

    /// The flags by which another command finds the same team from the same directory, each with a blank before it.
    pub(crate) fn place_flags(&self) -> String {
        let dir = self
            .dir
            .iter()
            .map(|dir| format!(" --dir '{}'", dir.display()));
        let team = self.team.iter().map(|name| format!(" --team {name}"));
        #[cfg(feature = "nats")]
        let servers = self.nats.words().filter(|_| self.store.is_some());
        #[cfg(feature = "nats")]
        let team = team.chain(servers.map(|flag| format!(" {flag}")));
        dir.chain(team).collect()
    }

    /// The options as words of a command line.
    pub(crate) fn place_words(&self) -> Vec<OsString> {
        let word = |flag: &str, value: &OsStr| {
            let mut word = OsString::from(flag);
            word.push(value);
            word
        };
        let dir = self.dir.iter().map(|dir| word("--dir=", dir.as_os_str()));
        let team = self.team.iter();
        let team = team.map(|name| word("--team=", name.as_str().as_ref()));
        dir.chain(team).collect()
    }

    /// The workspace, if one was named.
    pub(crate) fn dir_given(&self) -> Option<PathBuf> {
        self.dir.clone()
    }
}
