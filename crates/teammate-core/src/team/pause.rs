//! A pause of the whole team. While it lasts nobody's model is asked and idle members take no mail and no task; what was asked for
//! before is answered and carried out. It is in the journal, so that it outlives the process that runs the team.

use crate::{Timestamp, name::DeviceName};

/// A pause that the user has ordered and not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamPause {
    pub since: Timestamp,
    /// The device of the user's that it came from, if it was none of its terminals.
    pub device: Option<DeviceName>,
}

impl TeamPause {
    /// Who paused the team: `paused by the user`, `paused by the user (phone)`.
    pub fn in_words(&self) -> String {
        let device = DeviceName::behind(self.device.as_ref());
        format!("paused by the user{device}")
    }
}
