//! One of the lead's teams: its events, and the wishes about it.

use serde::{Deserialize, Serialize};

use crate::{GroupName, MemberName, cause::Cause};

/// Something that happened to one of the lead's teams.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum GroupEvent {
    Made {
        by: MemberName,
        call: Cause,
    },
    /// It ends: no member can be spawned into it, and its members are being stopped.
    Ending {
        by: MemberName,
        #[serde(default)]
        call: Cause,
    },
    /// Its members are off the roster and their files archived.
    #[serde(rename = "put_away")]
    Archived {
        /// Where, for the user.
        kept_in: String,
    },
}

/// Something to decide about the lead's teams.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupCommand {
    /// Make one. The same call again makes nothing.
    Make {
        by: MemberName,
        call: Cause,
        team: GroupName,
    },
    /// End one. The same call again ends nothing, also if a team of that name was made since.
    End {
        by: MemberName,
        call: Cause,
        team: GroupName,
    },
    /// Take the members of an ended one off the roster; nothing happens before all are stopped.
    Archive {
        team: GroupName,
        /// Where their files are now.
        kept_in: String,
    },
}
