//! What lies in a team's directory that nobody will read, in words for a person.

use teammate_core::{port::Disk, team::Team};
use teammate_store::files::{TeamDir, UnaddressedMail};

/// Mail that no member will hear, in a sentence each.
pub(crate) fn mail_for_nobody(disk: &dyn Disk, dir: &TeamDir, team: &Team) -> Vec<String> {
    let is_member = |name: &str| team.members().any(|member| member.name.as_str() == name);
    match dir.unaddressed_mail(disk, is_member) {
        Ok(found) => found.iter().map(UnaddressedMail::describe).collect(),
        Err(error) => vec![format!("the inboxes could not be looked through: {error}")],
    }
}
