//! A journal that is gone while the team is there: put back from its second copy, which the state directory has, or named.
//!
//! Only for a team that the state directory knows in this place: a directory that came from elsewhere gets nothing.

use std::sync::Arc;

use teammate_store::{
    disk::TeamDisk,
    files::{FileJournal, JournalContent, PutBack, TeamDir},
};

use super::KnownTeams;
use crate::{TeamError, existing::is_members, place::TeamPlace, project::UserDirs};

/// Puts the journal of a team back if it is missing, empty or holds no record, but members' conversations are there. What the
/// user should know of it, if that was done.
///
/// Errors: [`TeamError::JournalLost`] if there is no copy; the copy cannot be used.
pub(crate) fn put_back_journal(
    place: &TeamPlace,
    read_max: u64,
    user: &UserDirs,
) -> Result<Option<String>, TeamError> {
    let Ok(site) = place.site() else {
        return Ok(None);
    };
    let dir = TeamDir::at(&site.dir);
    // What cannot be opened is said by whom it concerns.
    let Ok(disk) = TeamDisk::open(&site.root) else {
        return Ok(None);
    };
    let journal = dir.journal();
    let content = match FileJournal::content(&disk, &journal) {
        Err(_) | Ok(JournalContent::Records) => return Ok(None),
        Ok(content) => content,
    };
    let members = dir.owners(&disk).unwrap_or_default();
    if members.is_empty() || !site.is_kept || is_members(dir.path()) {
        return Ok(None);
    }
    let teams = Arc::new(KnownTeams::of_user(user, &site.workspace));
    let Ok(Some(known)) = teams.get(&site.key) else {
        return Ok(None);
    };
    dir.check(&disk).map_err(|why| TeamError::Directory {
        path: site.dir.clone(),
        why,
    })?;
    let disk = disk.reading_at_most(read_max);
    let copy = teams.journal_copy(&site.key);
    let done = copy.map(|copy| copy.put_back(&disk, &dir, teams.seal(&known)));
    let done = done.transpose().map_err(|why| TeamError::Directory {
        path: journal.clone(),
        why,
    })?;
    let what = match content {
        JournalContent::Missing => "was missing",
        JournalContent::Empty => "was empty",
        JournalContent::Unreadable | JournalContent::Records => "held no record that can be read",
    };
    match done.flatten() {
        Some(PutBack { lines, kept_in }) => {
            let kept = kept_in.map_or_else(String::new, |path| {
                format!("; the file that was there is kept in {}", path.display())
            });
            Ok(Some(format!(
                "{} {what}: it was put back from its copy in your state directory, with {lines} records{kept}",
                journal.display()
            )))
        }
        // Another process may have put it back.
        None if FileJournal::content(&disk, &journal)
            .is_ok_and(|content| content == JournalContent::Records) =>
        {
            Ok(None)
        }
        None => Err(TeamError::JournalLost {
            journal,
            what,
            members,
        }),
    }
}
