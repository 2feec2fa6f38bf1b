//! Takes over the directory of a teaching program: a `config.json` with its roster, and mail, but no journal. A team is made of the
//! members whose names can be kept; everything else stays in place, or beside it, and is reported.

use teammate_core::{MemberName, next_step::Wording, team::Command};
use teammate_store::foreign_roster::{self, ForeignConfig, ForeignRoster};

use crate::{
    TeamError,
    begin::begin,
    file_stores::{FileStores, Unknown},
    ownership::KnownTeams,
    place::TeamPlace,
    project::UserDirs,
};

/// Takes over what is in the place of a workspace's default team, for a command that only looks. `None` if there is
/// nothing to take over, or if ownership could not be proven afterwards. Otherwise returns warnings for the user.
pub(crate) async fn take_over(
    place: &TeamPlace,
    user: &UserDirs,
    (read_max, wording): (u64, Wording),
) -> Result<Option<Vec<String>>, TeamError> {
    let Ok(site) = place.site() else {
        return Ok(None);
    };
    let config = site.dir.join("config.json");
    let is_found = std::fs::symlink_metadata(config).is_ok_and(|found| found.is_file());
    let teams = KnownTeams::of_user(user, &site.workspace);
    // Where a team is known, its journal is lost: only who opens a team begins a new one there.
    if !is_found || !site.is_default() || !teams.are_kept() || teams.get(&site.key)?.is_some() {
        return Ok(None);
    }
    let mut files = FileStores::open(place, read_max, user, Unknown::Refuse, wording)?;
    let mut notices = std::mem::take(&mut files.warnings);
    if teams.get(&site.key)?.is_none() {
        return Ok(None);
    }
    notices.extend(files.take_over().await?);
    files
        .proof
        .remember()
        .map_err(|error| TeamError::Storage(error.to_string()))?;
    Ok(Some(notices))
}

impl FileStores {
    /// Makes a team of the roster that another program left, only if there is no journal yet. Returns what the user
    /// should know.
    pub(crate) async fn take_over(&self) -> Result<Vec<String>, TeamError> {
        if self.disk.exists(&self.dir.journal()) {
            return Ok(Vec::new());
        }
        let broken = |why| TeamError::Directory {
            path: self.dir.config(),
            why,
        };
        let (roster, mut notices) =
            match foreign_roster::read_foreign_config(&*self.disk, &self.dir).map_err(broken)? {
                ForeignConfig::Missing => return Ok(Vec::new()),
                ForeignConfig::Damaged { why, kept_in } => {
                    let text = format!(
                        "config.json could not be read ({why}); it is kept in {}",
                        kept_in.display()
                    );
                    (ForeignRoster::default(), vec![text])
                }
                ForeignConfig::Roster(roster) => (roster, Vec::new()),
            };
        let adopt = adoptions(&roster, &self.site.name, &mut notices);
        if !notices.is_empty() && self.disk.exists(&self.dir.config()) {
            let kept_in =
                foreign_roster::keep_foreign_config(&*self.disk, &self.dir).map_err(broken)?;
            notices.push(format!(
                "config.json as it was found is kept in {}",
                kept_in.display()
            ));
        }
        begin(&*self.store.store.journal, &self.site.name, adopt).await?;
        Ok(notices)
    }
}

/// Adopts the members whose names can be kept. The others are reported.
fn adoptions(roster: &ForeignRoster, team: &str, notices: &mut Vec<String>) -> Vec<Command> {
    notices.extend(roster.damaged.iter().cloned());
    if let Some(name) = roster.team_name.as_ref().filter(|name| *name != team) {
        notices.push(format!(
            "config.json calls the team '{name}'; here it is called '{team}'"
        ));
    }
    let mut adopt = Vec::new();
    for member in &roster.members {
        match MemberName::teammate(&member.name) {
            Ok(name) => adopt.push(Command::Adopt {
                member: name,
                role: member.role.clone(),
                stopped: member.stopped,
            }),
            Err(error) => notices.push(format!(
                "config.json: {error}; left out. To use it again, spawn it under another name"
            )),
        }
    }
    adopt
}
