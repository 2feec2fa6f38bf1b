//! A team whose journal is lost, with its copy: put together from what is there. Members come from their transcripts, whose lines
//! prove who wrote them; roles and open tasks from the views, which prove nothing and are shown before the user says yes.
//!
//! Requests, permissions, budgets, jobs and schedules are not in these files: they are void. Nobody is in a turn.

mod views;

use std::{io, sync::Arc};

use teammate_core::{
    MemberName,
    port::{Clock as _, Disk},
    transcript::{Entry, lapse_all},
};
use teammate_store::{
    clock::SystemClock,
    files::{HostLock, TeamDir},
};

pub use self::views::RecoveredTask;
use super::{KnownTeams, Proof, put_back_journal};
use crate::{
    TeamError,
    begin::begin,
    existing::Existing,
    place::{Site, TeamPlace},
    project::UserDirs,
    store::TeamStore,
};

/// The most files of one name that are kept aside.
const KEPT_MAX: usize = 100;

/// A team without a journal, as it would be put together. Looking changes nothing.
pub struct Recovery {
    site: Site,
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    proof: Proof,
    /// The lead, too.
    members: Vec<RecoveredMember>,
    tasks: Vec<RecoveredTask>,
    left_out: Vec<String>,
}

/// A member that is put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveredMember {
    /// Who.
    pub name: MemberName,
    /// Its role, as the view file says.
    pub role: String,
    /// Whether it had been stopped.
    pub is_stopped: bool,
    /// How many entries of its transcript count.
    pub entries: usize,
}

/// Remains of a team from which it can be recovered.
pub enum Recoverable {
    /// The journal is there: nothing. It may just have been put back from its copy, as the text says.
    Nothing(Option<String>),
    /// The journal is lost.
    Team(Box<Recovery>),
}

impl Recovery {
    /// Looks at a team; a workspace means its default team.
    ///
    /// Errors: there is no team that the state directory knows, or something in the directory is not what it should be.
    pub async fn look(
        place: impl Into<TeamPlace>,
        user: &UserDirs,
        read_max: u64,
    ) -> Result<Recoverable, TeamError> {
        let place = place.into();
        match put_back_journal(&place, read_max, user) {
            Err(TeamError::JournalLost { .. }) => {}
            put_back => {
                let put_back = put_back?;
                // A team that nothing proves is adopted, not recovered.
                let files = Existing::open(&place, read_max)?;
                files.prove(&Arc::new(KnownTeams::of_user(user, &files.site.workspace)))?;
                return Ok(Recoverable::Nothing(put_back));
            }
        }
        let Existing { site, disk, dir } = Existing::without_journal(&place, read_max)?;
        let teams = Arc::new(KnownTeams::of_user(user, &site.workspace));
        let known = teams.get(&site.key)?;
        let known = known.ok_or_else(|| TeamError::NoTeam(site.workspace.clone()))?;
        let proof = Proof::of(&teams, &site.key, known.without_journal());
        let mut found = Self {
            site,
            disk,
            dir,
            proof,
            members: Vec::new(),
            tasks: Vec::new(),
            left_out: Vec::new(),
        };
        found.find_members().await?;
        let (tasks, left_out) = views::tasks(&*found.disk, &found.dir);
        found.tasks = tasks;
        found.left_out.extend(left_out);
        Ok(Recoverable::Team(Box::new(found)))
    }

    /// The members of the team, the lead first.
    pub fn members(&self) -> &[RecoveredMember] {
        &self.members
    }

    /// The tasks that are put on the board: those that were not done yet.
    pub fn tasks(&self) -> &[RecoveredTask] {
        &self.tasks
    }

    /// The remains that are not used, in a sentence each.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    async fn find_members(&mut self) -> Result<(), TeamError> {
        let store = self.store();
        let roles = views::roles(&*self.disk, &self.dir);
        let broken = |why| directory(&self.dir, why);
        for name in self.dir.owners(&*self.disk).map_err(broken)? {
            let entries = match store.store.transcripts.peek(&name).await {
                Ok(entries) => entries,
                Err(error) => {
                    self.left_out.push(error.to_string());
                    continue;
                }
            };
            if entries.is_empty() && !name.is_lead() {
                let text = format!("the transcript of {name} has no line of this team");
                self.left_out.push(text);
                continue;
            }
            let role = roles.iter().find(|role| role.name == name.as_str());
            self.members.push(RecoveredMember {
                role: role.map_or_else(String::new, |role| role.role.clone()),
                is_stopped: role.is_some_and(|role| role.stopped),
                entries: entries.len(),
                name,
            });
        }
        self.members.sort_by_key(|member| !member.name.is_lead());
        Ok(())
    }

    fn store(&self) -> TeamStore {
        self.proof.team_store(&self.disk, &self.dir)
    }

    /// Writes the journal anew. What was in its place, and the views, are kept with the ending `lost`.
    ///
    /// Errors: another process runs the team, or a file cannot be written.
    pub async fn adopt(self) -> Result<(), TeamError> {
        let _lock = HostLock::take(&self.disk, &self.dir, SystemClock.now())?;
        let broken = |why| directory(&self.dir, why);
        for path in [self.dir.journal(), self.dir.config(), self.dir.tasks_dir()] {
            keep(&*self.disk, &path).map_err(broken)?;
        }
        let store = self.store();
        for member in &self.members {
            end_turns(&store, &member.name).await?;
        }
        let members = self.members.iter().filter(|member| !member.name.is_lead());
        let adopt = members.map(|member| teammate_core::team::Command::Adopt {
            member: member.name.clone(),
            role: member.role.clone(),
            stopped: member.is_stopped,
        });
        let commands = adopt.chain(views::creations(&self.tasks)).collect();
        begin(&*store.store.journal, &self.site.name, commands).await?;
        Ok(self.proof.remember()?)
    }
}

/// No unfinished turn of a member's conversations continues by itself.
async fn end_turns(store: &TeamStore, name: &MemberName) -> Result<(), TeamError> {
    let failed = |error: &dyn std::fmt::Display| TeamError::Storage(error.to_string());
    let opened = store.store.transcripts.open(name).await;
    let mut opened = opened.map_err(|error| failed(&error))?;
    let end: Vec<Entry> = lapse_all(&opened.entries);
    for entry in &end {
        let appended = opened.log.append(entry).await;
        appended.map_err(|error| failed(&error))?;
    }
    Ok(())
}

/// Renames what is there, so that it is neither used nor lost.
fn keep(disk: &dyn Disk, path: &std::path::Path) -> io::Result<()> {
    if !disk.exists(path) {
        return Ok(());
    }
    let name = path.file_name().unwrap_or_default().display();
    let named = |number: usize| match number {
        1 => path.with_file_name(format!("{name}.lost")),
        number => path.with_file_name(format!("{name}.lost.{number}")),
    };
    let free = (1..=KEPT_MAX).map(named).find(|path| !disk.exists(path));
    let full = || io::Error::other(format!("{KEPT_MAX} files with the ending .lost are there"));
    disk.rename(path, &free.ok_or_else(full)?)?;
    path.parent().map_or(Ok(()), |dir| disk.sync_dir(dir))
}

fn directory(dir: &TeamDir, why: io::Error) -> TeamError {
    TeamError::Directory {
        path: dir.path().to_owned(),
        why,
    }
}
