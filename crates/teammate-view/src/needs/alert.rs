//! Alerts for somebody who is not looking: who needs them and what for. Never what is asked about: a command may hold
//! secrets, and what carries the alert is not ours.

use serde::Serialize;

use super::{Need, NeedKind};

/// An alert for the person: what their own command for that reads, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NeedAlert {
    /// The team's name.
    pub team: String,
    /// The member that needs them; none for a task that nobody of the team has.
    pub member: Option<String>,
    /// The kind of need, as [`NeedKind::as_str`] has it.
    pub kind: &'static str,
    /// The id of the need among those of its kind.
    pub id: String,
    /// All of it in a sentence for people.
    pub text: String,
}

impl Need {
    /// The alert for it.
    pub fn alert(&self, team: &str) -> NeedAlert {
        NeedAlert {
            team: team.to_owned(),
            member: self.member.as_ref().map(ToString::to_string),
            kind: self.kind.as_str(),
            id: self.kind.id(),
            text: self.in_a_sentence(),
        }
    }

    /// The need in a sentence: who needs the person, and what for.
    pub fn in_a_sentence(&self) -> String {
        format!("{} {}", self.who(), self.what_for())
    }
}

/// Tells which needs are new.
#[derive(Debug, Clone, Default)]
pub struct NeedNews {
    known: Vec<NeedKind>,
}

impl NeedNews {
    /// These are known: nobody is alerted to them.
    pub fn after(needs: Vec<Need>) -> Self {
        let known = needs.into_iter().map(|need| need.kind);
        Self {
            known: known.collect(),
        }
    }

    /// The needs that were not there the last time, for the person.
    pub fn look(&mut self, needs: Vec<Need>) -> Vec<Need> {
        let before = std::mem::replace(self, Self::after(needs.clone())).known;
        let is_new = |need: &Need| need.notifies && !before.contains(&need.kind);
        needs.into_iter().filter(is_new).collect()
    }
}
