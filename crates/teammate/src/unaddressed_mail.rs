//! Files in a team's directory that no member will read, in words for the user.

use teammate_core::{port::Disk, team::TeamState};
use teammate_store::files::{TeamDir, UnaddressedMail};

/// Mail that no member will hear, in a sentence each.
pub(crate) fn unaddressed_mail(disk: &dyn Disk, dir: &TeamDir, team: &TeamState) -> Vec<String> {
    let is_member = |name: &str| team.members().any(|member| member.name.as_str() == name);
    match dir.unaddressed_mail(disk, is_member) {
        Ok(found) => found.iter().map(UnaddressedMail::describe).collect(),
        Err(error) => vec![format!("the inboxes could not be read: {error}")],
    }
}
