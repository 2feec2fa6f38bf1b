//! What lies in a workspace or a team's directory that nobody will read, in words for a person.

use std::path::Path;

use teammate_core::{port::Disk, team::Team};
use teammate_store::{
    files::{NobodysMail, TeamDir},
    teaching::v8,
};

/// Mail that no member will hear, in a sentence each.
pub(crate) fn mail_for_nobody(disk: &dyn Disk, dir: &TeamDir, team: &Team) -> Vec<String> {
    let is_member = |name: &str| team.members().any(|member| member.name.as_str() == name);
    match dir.mail_for_nobody(disk, is_member) {
        Ok(found) => found.iter().map(NobodysMail::describe).collect(),
        Err(error) => vec![format!("the inboxes could not be looked through: {error}")],
    }
}

/// What the eighth teaching version left in a workspace, in a sentence; nothing if it left nothing.
pub fn left_by_others(workspace: &Path) -> Option<String> {
    let found = v8::directories(workspace);
    let shown: Vec<String> = found
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    (!found.is_empty()).then(|| {
        format!(
            "{} look like teams and tasks of another program (its mail in NAME_inbox.jsonl, its board in .tasks); they are left \
             alone, and nothing in them is read",
            shown.join(", ")
        )
    })
}
