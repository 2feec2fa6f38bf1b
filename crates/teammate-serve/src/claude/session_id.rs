//! The id of a session as callers know it, a UUID, and the name of its team, which is made of it: a terminal continues it by that.

use std::{fmt, str::FromStr};

use teammate::{GroupName, TeamPlace};
use uuid::Uuid;

/// How the names of such teams begin.
const PREFIX: &str = "claude-";

/// The id of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClaudeSession(Uuid);

impl ClaudeSession {
    /// A new one, unlike all others.
    pub fn fresh() -> Self {
        Self(Uuid::now_v7())
    }

    /// The session of a team, if the team was made for one.
    pub fn of(place: &TeamPlace) -> Option<Self> {
        place.team_name().strip_prefix(PREFIX)?.parse().ok()
    }

    /// The place of its team.
    pub fn place(self, workspace: &std::path::Path) -> TeamPlace {
        match GroupName::parse(&format!("{PREFIX}{self}")) {
            Ok(name) => TeamPlace::named(workspace, name),
            Err(never) => unreachable!("{never}"),
        }
    }
}

impl FromStr for ClaudeSession {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let id = Uuid::try_parse(text);
        id.map(Self)
            .map_err(|_| "a session's id is a UUID, as in the result's session_id".to_owned())
    }
}

impl fmt::Display for ClaudeSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_a_team_that_was_made_for_one() {
        let fresh = ClaudeSession::fresh();
        let place = fresh.place("/work".as_ref());
        assert_eq!(ClaudeSession::of(&place), Some(fresh));
        assert_eq!(fresh.to_string().parse(), Ok(fresh));
        let other = GroupName::parse("claude-desk").unwrap();
        assert_eq!(ClaudeSession::of(&TeamPlace::named("/work", other)), None);
        assert!("../x".parse::<ClaudeSession>().is_err());
    }
}
