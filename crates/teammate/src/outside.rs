//! A team seen from another process: looks at its files, sends it mail, and asks its board. Whether the team runs makes no difference.

mod board;
mod decide;
mod requests;
mod stop;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender,
    fence::quoted,
    mail::Metadata,
    port::{
        Clock, Disk, Ids, Journal, JournalRead, Mailbox, Refusal, TranscriptStore as _,
        WorktreeName, Worktrees,
    },
    team::{Job, Member, Phase, Spending, Team, answers},
};
use teammate_runtime::recipient;
use teammate_store::{
    clock::{SystemClock, UuidIds},
    disk::RealDisk,
    files::{FileJournal, FileMailbox, FileTranscripts, Holder, HostLock, TeamDir},
    seal::Seal,
};
use teammate_tools::Level;

pub(crate) use self::requests::known_request;
pub use self::stop::Stopped;
use crate::{TeamError, texts::UserDirs};

/// The team's directory within the workspace.
pub(crate) const TEAM_DIR: &str = ".team";

/// A team seen from outside.
pub struct Outside {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    mailbox: Arc<FileMailbox>,
    journal: Arc<FileJournal>,
    /// How many records are in `team`.
    length: u64,
    team: Team,
    holder: Option<Holder>,
    damaged: Vec<String>,
    /// Nothing, if nobody said who looks.
    user: UserDirs,
}

impl Outside {
    /// Looks at the team in `<workspace>/.team`.
    pub async fn look(workspace: &Path) -> Result<Self, TeamError> {
        let path = workspace
            .canonicalize()
            .unwrap_or_else(|_| workspace.to_owned())
            .join(TEAM_DIR);
        let disk: Arc<dyn Disk> = Arc::new(RealDisk);
        let dir = TeamDir::at(&path);
        if !disk.exists(&dir.journal()) {
            return Err(TeamError::NoTeam(workspace.to_owned()));
        }
        let holder = HostLock::holder(&*disk, &dir).map_err(|error| {
            // To its own commands a team's files may be read-only.
            if decide::is_members(&dir) {
                TeamError::Within
            } else {
                error.into()
            }
        })?;
        let mut outside = Self {
            holder,
            mailbox: Arc::new(sealed_mailbox(&disk, &dir, &UserDirs::default()).0),
            journal: Arc::new(FileJournal::new(disk.clone(), dir.clone())),
            length: 0,
            damaged: Vec::new(),
            user: UserDirs::default(),
            disk,
            dir,
            team: Team::default(),
        };
        let read = outside.fold().await?;
        outside.damaged = read.damaged;
        Ok(outside)
    }

    /// The same for the user whose directories these are: with their key, mail of the team is known as such, and what is sent
    /// is believed. Without it everything is unverified.
    #[must_use]
    pub fn of_user(mut self, user: &UserDirs) -> Self {
        let (mailbox, seal, notice) = sealed_mailbox(&self.disk, &self.dir, user);
        seal.belongs_to(self.team.id());
        self.mailbox = Arc::new(mailbox);
        self.damaged.extend(notice);
        self.user = user.clone();
        self
    }

    /// Folds the whole journal.
    async fn fold(&mut self) -> Result<JournalRead, TeamError> {
        let read = self
            .journal
            .read(0)
            .await
            .map_err(|error| TeamError::Files(error.to_string()))?;
        self.team = Team::default();
        for record in &read.records {
            for event in &record.events {
                self.team.apply(event, record.at);
            }
        }
        self.length = read.records.last().map_or(0, |record| record.number + 1);
        Ok(read)
    }

    /// The process that runs the team, in words; `None` if nobody does.
    pub fn runs_in(&self) -> Option<String> {
        self.holder.map(|holder| holder.to_string())
    }

    /// The team as its journal tells.
    pub fn team(&self) -> &Team {
        &self.team
    }

    /// What a person should know about the files.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// A member by name; an error names the roster.
    pub fn member(&self, name: &str) -> Result<MemberName, TeamError> {
        known_member(&self.team, name)
    }

    /// What a member is doing, with what keeps it from working: nobody works in a team that does not run.
    pub fn describe(&self, member: &Member) -> String {
        let phase = if self.holder.is_none() && member.phase.is_busy() {
            "paused (its turn goes on with `teammate resume`)".to_owned()
        } else {
            member.phase.describe()
        };
        member.with_remark(phase)
    }

    /// What a member's todo list says it is at, while it works.
    pub fn doing<'a>(&self, member: &'a Member) -> Option<&'a str> {
        member.doing().filter(|_| self.holder.is_some())
    }

    /// The same in the documents' words.
    pub fn status(&self, phase: &Phase) -> &'static str {
        if self.holder.is_none() && phase.is_busy() {
            "idle"
        } else {
            phase.status()
        }
    }

    /// The team's worktrees. What the user of [`Outside::of_user`] has said yes to counts.
    pub fn worktrees(&self) -> Arc<dyn Worktrees> {
        let team_dir = self.dir.path();
        let root = team_dir.parent().unwrap_or(team_dir);
        crate::worktrees::of_team(
            root.to_owned(),
            team_dir.to_owned(),
            crate::confines::confines(&self.user, Level::default()),
            crate::worktrees::trusted_programs(root, &self.user),
        )
    }

    /// Whether a running team's member is in a turn in that worktree.
    pub fn is_in_use(&self, worktree: &WorktreeName) -> bool {
        let works_there =
            |member: &Member| member.name.as_str() == worktree.as_str() && member.phase.is_busy();
        self.holder.is_some() && self.team.members().any(works_there)
    }

    /// What a member has running in the background: nothing in a team that does not run.
    pub fn jobs<'a>(&'a self, owner: &'a MemberName) -> impl Iterator<Item = &'a Job> {
        let runs = self.holder.is_some();
        self.team.jobs().running_of(owner).filter(move |_| runs)
    }

    /// The mail that waits for a member. Looking is not reading: it stays.
    pub async fn inbox(&self, owner: &MemberName) -> Result<Vec<Message>, TeamError> {
        self.mailbox
            .peek(owner)
            .await
            .map_err(|error| TeamError::Files(error.to_string()))
    }

    /// Sends mail as the user. A team that does not run hears it when it is opened.
    pub async fn send(&self, to: &str, content: String) -> Result<MemberName, TeamError> {
        self.as_person()?;
        let to = recipient(&self.team, &Sender::User, to)?;
        let id = UuidIds.new_id();
        let message = Message {
            id: MessageId::derived(self.team.id(), &format!("user/{id}")),
            kind: MessageKind::Message,
            from: Sender::User,
            from_incarnation: None,
            to: to.clone(),
            to_incarnation: None,
            content,
            sent_at: SystemClock.now(),
            request_id: None,
            metadata: Metadata::new(),
        };
        self.mailbox.send(message).await.map_err(Refusal::from)?;
        Ok(to)
    }

    /// Everything that was spent in the team's life: what the journal counts, and what transcripts hold beyond that.
    pub async fn spending(&self) -> Result<Spending, TeamError> {
        let transcripts = FileTranscripts::new(self.disk.clone(), self.dir.clone());
        let mut spending = self.team.spending().clone();
        for member in self.team.members() {
            let name = &member.name;
            let entries = transcripts
                .peek(name)
                .await
                .map_err(|error| TeamError::Files(error.to_string()))?;
            let rest = answers(&entries, spending.counted(name));
            spending.add_rest(name, &rest);
        }
        Ok(spending)
    }

    /// The event log.
    pub fn events_path(&self) -> PathBuf {
        self.dir.path().join("events.jsonl")
    }

    /// Reads the event log from `offset` on; whole lines only. Returns where the next read begins.
    pub fn events_from(&self, offset: u64) -> Result<(Vec<String>, u64), TeamError> {
        let path = self.events_path();
        if !self.disk.exists(&path) {
            return Ok((Vec::new(), 0));
        }
        let read = self.disk.open_append(&path).and_then(|mut file| {
            let from = if file.len()? < offset { 0 } else { offset };
            Ok((from, file.read_from(from)?))
        });
        let (from, bytes) = read.map_err(|error| TeamError::Files(error.to_string()))?;
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let lines = String::from_utf8_lossy(&bytes[..whole])
            .lines()
            .map(str::to_owned)
            .collect();
        Ok((lines, from + whole as u64))
    }
}

fn sealed_mailbox(
    disk: &Arc<dyn Disk>,
    dir: &TeamDir,
    user: &UserDirs,
) -> (FileMailbox, Arc<Seal>, Option<String>) {
    let team_dir = dir.path();
    let (seal, notice) = crate::seal::of_user(user, team_dir.parent().unwrap_or(team_dir));
    let seal = Arc::new(seal);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let mailbox = FileMailbox::new(disk.clone(), dir.clone(), clock, seal.clone());
    (mailbox, seal, notice)
}

/// A member by name; an error names the roster.
pub(crate) fn known_member(team: &Team, name: &str) -> Result<MemberName, TeamError> {
    let found = MemberName::parse(name)
        .ok()
        .filter(|name| team.member(name).is_some());
    found.ok_or_else(|| {
        let known: Vec<&str> = team.members().map(|m| m.name.as_str()).collect();
        let shown = quoted(name);
        let text = format!(
            "there is no member '{shown}'; members: {}",
            known.join(", ")
        );
        Refusal::Rule(text).into()
    })
}
