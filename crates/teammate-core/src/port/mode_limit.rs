//! The port for what somebody else than the user says about permission modes: the administrator of the machine.

use crate::permission::Mode;

/// Which modes a team may have.
pub trait ModeLimit: Send + Sync {
    /// Refuses a mode, as of now.
    ///
    /// Errors: who forbids it, in a sentence.
    fn check(&self, mode: Mode) -> Result<(), String>;
}
