//! Causes: idempotency keys. What is done again under the same cause changes nothing.
//!
//! They stand in journals, where they are called `call`, so what is written here is never changed:
//!
//! | text | what it names |
//! |---|---|
//! | `create` | the first opening of the team |
//! | `user/UUID` | something that the user did |
//! | `alice/1/7/toolu_x` | a tool call: member, incarnation, transcript entry of the answer, the model's id |
//! | `rule/req_000001` | the plan check of this request |
//! | `held/UUID` | the question about files that were held when nobody could be asked |
//! | `end/red/2/alice` | the stop of a member because its group ends; the group's name and number |
//! | `schedule/s1/1764061200000` | a firing of a schedule; its id, and the moment that was due |
//! | CAUSE`/7/toolu_y` | a tool call of the subagent that CAUSE began |
//! | CAUSE`/0123456789ab` | the permission question of the call CAUSE, by its digest |
//! | CAUSE`/1` | another try at CAUSE, or a command that CAUSE had run in a new worktree |
//! | `all/req_000001/alice` | a shutdown by which older programs stopped a whole team |
//!
//! A model's server chooses the ids of calls, also with slashes in them. So a cause cannot be taken apart again: it is made
//! from its parts and compared as a whole.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{GroupName, Incarnation, MemberName, tool::CallId};

/// Why something happens; doing it again has the same cause. The default is an unknown cause.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cause(String);

impl Cause {
    /// The first opening of the team.
    pub fn create() -> Self {
        Self("create".to_owned())
    }

    /// Something that the user did; `id` is new for each.
    pub fn user(id: Uuid) -> Self {
        Self(format!("user/{id}"))
    }

    /// The question about files that were held when nobody could be asked; `id` is new for each.
    pub fn held(id: Uuid) -> Self {
        Self(format!("held/{id}"))
    }

    /// A tool call in the answer that is a member's transcript entry number `entry`.
    pub fn call(member: &MemberName, incarnation: Incarnation, entry: u64, call: &CallId) -> Self {
        Self(format!("{member}/{incarnation}/{entry}/{call}"))
    }

    /// The stop of a member because its group ends. `number` tells groups of the same name apart.
    pub fn end_of_group(group: &GroupName, number: u32, member: &MemberName) -> Self {
        Self(format!("end/{group}/{number}/{member}"))
    }

    /// A tool call of the subagent that this call began, in the subagent's answer number `entry`.
    pub fn call_of_subagent(&self, entry: u64, call: &CallId) -> Self {
        Self(format!("{self}/{entry}/{call}"))
    }

    /// Something that this began, which no other part of it is called.
    pub fn part(&self, part: impl fmt::Display) -> Self {
        Self(format!("{self}/{part}"))
    }

    /// Whether `cause` began this, directly or not.
    pub fn is_part_of(&self, cause: &Self) -> bool {
        let rest = self.0.strip_prefix(&cause.0);
        rest.is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether both are calls of one answer, so that the model had not read what became of one when it made the other.
    pub fn is_of_same_answer(&self, other: &Self) -> bool {
        let answer = |cause: &Self| {
            cause
                .0
                .rsplit_once('/')
                .map(|(answer, _)| answer.to_owned())
        };
        answer(self).is_some_and(|it| Some(it) == answer(other))
    }

    /// Whether it is one of the shutdowns by which older programs stopped a whole team.
    pub fn stops_whole_team(&self) -> bool {
        self.0.starts_with("all/")
    }

    /// The cause as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// As it was written down.
impl From<String> for Cause {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// As it was written down.
impl From<&str> for Cause {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}
