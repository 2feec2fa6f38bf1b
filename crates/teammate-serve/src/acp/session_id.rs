//! The id of a session, which is the name of its team: it continues from a terminal by that name, too.

use std::fmt;

use teammate::{GroupName, TeamPlace};
use uuid::Uuid;

/// How the names of teams begin that were made for an editor.
const PREFIX: &str = "editor-";

/// The id of a session.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SessionId(GroupName);

impl SessionId {
    /// A new one, unlike all others: teams of two workspaces do not share one.
    pub(crate) fn fresh() -> Self {
        let unique = Uuid::now_v7().simple().to_string();
        // Milliseconds, and the last random digits.
        let (millis, (_, random)) = (unique.chars().take(12), unique.split_at(24));
        let name = format!("{PREFIX}{}{random}", millis.collect::<String>());
        match GroupName::parse(&name) {
            Ok(name) => Self(name),
            Err(never) => unreachable!("{never}"),
        }
    }

    /// Reads one; nothing if no session of ours can have it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let name = GroupName::parse(text).ok()?;
        name.as_str().starts_with(PREFIX).then_some(Self(name))
    }

    /// The session of a team, if the team was made for an editor.
    pub(crate) fn of(place: &TeamPlace) -> Option<Self> {
        Self::parse(place.team_name())
    }

    /// Its team.
    pub(crate) fn place(&self, workspace: &std::path::Path) -> TeamPlace {
        TeamPlace::named(workspace, self.0.clone())
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_a_team_that_was_made_for_an_editor() {
        let fresh = SessionId::fresh();
        assert_eq!(SessionId::parse(fresh.as_str()), Some(fresh.clone()));
        assert_ne!(SessionId::fresh(), fresh);
        for other in ["default", "", "../editor-1", "editor-A", "editor-\u{7}"] {
            assert_eq!(SessionId::parse(other), None, "{other}");
        }
    }
}
