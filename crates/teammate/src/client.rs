//! A team seen from another process: looks at its store, sends it mail, and asks its board. Whether the team runs makes no difference.

mod board;
mod carried;
mod conversations;
mod decide;
mod demands;
mod drop;
mod follow;
mod held_back;
mod members;
mod opening;
mod orders;
mod passages;
mod pictures;
mod purge;
mod requests;
mod results;
mod schedules;
mod stop;
mod upkeep;
mod worktrees;

use std::{collections::BTreeSet, sync::Arc};

use teammate_core::{
    MemberName, Message, MessageKind, Sender,
    audit::Surface,
    cause::Cause,
    fence::quoted,
    fold::Fold,
    mail::{Metadata, UserMessage},
    port::{Clock as _, Ids as _, LockHolder, Presence, Refusal, WorktreeName},
    secrets::Secrets,
    team::{
        Command, Job, Member, MemberPhase, MemberStatus, MessageCause, Spending, TeamState,
        uncounted_answers,
    },
    transcript::heard_ids,
};
use teammate_git::locks::{GitLock, locks};
use teammate_runtime::recipient;
use teammate_store::clock::{SystemClock, UuidV7Ids};

pub use self::decide::require_user;
pub use self::{
    carried::WorkFetchError,
    conversations::ConversationLine,
    drop::DroppedConversation,
    follow::TeamFollower,
    passages::{Passage, ReadUpTo},
    pictures::CallPicture,
    requests::known_request,
    results::TurnResult,
    stop::StopOutcome,
};
use self::{decide::io_error, upkeep::Upkeep};
use crate::{LivePlace, TeamError, TeamHistory, place::Site, project::UserDirs, store::TeamStore};

/// A team seen from outside.
pub struct TeamClient {
    site: Site,
    store: TeamStore,
    upkeep: Upkeep,
    fold: Fold,
    holder: Option<LockHolder>,
    damaged: Vec<String>,
    uncounted: Vec<String>,
    warnings: Vec<String>,
    /// `None` if no user was given.
    user: UserDirs,
    /// From where the user acts.
    surface: Surface,
    /// Secrets that are hidden in all that the user says or asks from here.
    secrets: Arc<Secrets>,
}

impl TeamClient {
    /// Has the audit log say that the user acts through this surface.
    #[must_use]
    pub fn acting_through(self, surface: Surface) -> Self {
        Self { surface, ..self }
    }

    /// The secrets that are in nothing that the user says or asks from here.
    pub fn secrets(&self) -> &Arc<Secrets> {
        &self.secrets
    }

    /// Takes what others have appended since. Members and requests that came after the opening are unknown until then.
    ///
    /// Errors: the journal cannot be read.
    pub async fn catch_up(&mut self) -> Result<(), TeamError> {
        let read = self.fold.catch_up(&*self.store.store.journal).await;
        read.map(|_| ()).map_err(|error| io_error(&error))
    }

    /// The process that runs the team, in words; `None` if the team is not running.
    pub fn host(&self) -> Option<String> {
        self.holder.map(|holder| holder.to_string())
    }

    /// The process that runs the team, as of the last look; `None` if it is not running.
    pub fn holder(&self) -> Option<LockHolder> {
        self.holder
    }

    /// The process that runs the team, where it is known.
    pub fn host_process(&self) -> Option<u32> {
        self.holder.and_then(LockHolder::pid)
    }

    /// Whether several workers run the team.
    pub fn is_on_workers(&self) -> bool {
        matches!(self.holder, Some(LockHolder::Workers { .. }))
    }

    /// The directory that the team works in.
    pub fn workspace(&self) -> &std::path::Path {
        &self.site.workspace
    }

    /// The team as its journal records it.
    pub fn team(&self) -> &Arc<TeamState> {
        self.fold.team()
    }

    /// Reads its journal and event log from the beginning on.
    pub fn history(&self) -> TeamHistory {
        TeamHistory::of(&self.store)
    }

    /// Where the process that runs the team tells events at the moment they happen, also pieces of answers. What is no piece is in
    /// the [history](Self::history), too, a little later.
    pub fn live(&self) -> LivePlace {
        match self.store.events.pieces() {
            Some(pieces) => LivePlace::Wire(pieces),
            None => LivePlace::of(&self.user, &self.site),
        }
    }

    /// The port that says, again and again, which process runs the team.
    pub fn presence(&self) -> Arc<dyn Presence> {
        self.store.presence.clone()
    }

    /// Damage of the files that the user should know of.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// Records of workers that do not count, in a sentence each: which worker wrote what it may not.
    pub fn uncounted(&self) -> &[String] {
        &self.uncounted
    }

    /// Warnings for the user about a directory that was taken over by this look; empty otherwise.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Mail that no member will hear, in a sentence each.
    pub fn unaddressed_mail(&self) -> Vec<String> {
        self.upkeep.unaddressed_mail(self.team())
    }

    /// The present locks that git left in the team's worktrees.
    pub fn git_locks(&self) -> Vec<GitLock> {
        locks(&self.site.dir)
    }

    /// A member by name; an error names the roster.
    pub fn member(&self, name: &str) -> Result<MemberName, TeamError> {
        find_member(self.team(), name)
    }

    /// Whether members stopped in the middle of a turn, because the program that ran the team is gone.
    pub fn is_paused(&self) -> bool {
        self.holder.is_none() && self.team().members().any(|member| member.phase.is_busy())
    }

    /// A text about a member's phase and what blocks it: no member works while the team is not running.
    pub fn describe(&self, member: &Member) -> String {
        let phase = if self.holder.is_none() && member.phase.is_busy() {
            "paused".to_owned()
        } else {
            // Who is silent is not known here: `teammate workers` asks.
            self.team().describe(member, &BTreeSet::new())
        };
        member.with_remark(phase)
    }

    /// A member's current todo item, while it works.
    pub fn doing<'a>(&self, member: &'a Member) -> Option<&'a str> {
        member.doing().filter(|_| self.holder.is_some())
    }

    /// A member's phase in the three words of the documents.
    pub fn status(&self, phase: &MemberPhase) -> MemberStatus {
        if self.holder.is_none() && phase.is_busy() {
            MemberStatus::Idle
        } else {
            phase.status()
        }
    }

    /// The background jobs of a member: none in a team that does not run.
    pub fn jobs<'a>(&'a self, owner: &'a MemberName) -> impl Iterator<Item = &'a Job> {
        let runs = self.holder.is_some();
        self.team().jobs().running_of(owner).filter(move |_| runs)
    }

    /// The mail that waits for a member. Looking is not reading: it stays.
    pub async fn inbox(&self, owner: &MemberName) -> Result<Vec<Message>, TeamError> {
        let mail = self.store.store.mailbox.peek(owner).await;
        let mut mail = mail.map_err(|error| TeamError::Storage(error.to_string()))?;
        mail.retain(|mail| !self.team().orders().is_recalled(&mail.id));
        // A batch with mail for several conversations stays when some of it was heard.
        if owner.is_lead() && !mail.is_empty() && !self.team().has_one_conversation() {
            let entries = self.transcript(owner).await?;
            let heard = heard_ids(&entries);
            mail.retain(|mail| !heard.contains(&mail.id));
        }
        Ok(mail)
    }

    /// Members that cannot be opened, each with the reason: a transcript that cannot be read, a worktree that no
    /// longer exists.
    pub async fn who_cannot_be_opened(&self) -> Vec<(MemberName, String)> {
        let transcripts = &self.store.store.transcripts;
        let mut found = Vec::new();
        for member in self
            .team()
            .members()
            .filter(|m| m.phase != MemberPhase::Stopped)
        {
            let name = &member.name;
            if let Err(error) = transcripts.peek(name).await {
                found.push((name.clone(), error.to_string()));
            } else if member.options.worktree
                && let Ok(worktree) = WorktreeName::of_member(name)
                && let Err(error) = self.worktrees().find(&worktree).await
            {
                found.push((name.clone(), error.to_string()));
            }
        }
        found
    }

    /// Sends mail as the user. If the team is not running, members read it when it is opened; the lead, when the
    /// conversation continues that is the last one now. A paused member joins that conversation.
    pub(crate) async fn send(
        &mut self,
        to: &str,
        message: UserMessage,
    ) -> Result<MemberName, TeamError> {
        let UserMessage { text, attachments } = message;
        self.require_user()?;
        let to = recipient(self.team(), &Sender::User, to)?;
        self.decide(&Command::Join(to.clone())).await?;
        let cause = Cause::user(UuidV7Ids.new_id());
        let metadata = Metadata {
            attachments,
            unjudged: true,
            ..Metadata::default()
        };
        let mail = self.mail(&to, &cause, text, metadata);
        self.send_judged(mail).await?;
        Ok(to)
    }

    /// Tells a member what the user has done to it.
    pub(crate) async fn send_notice(
        &mut self,
        to: &MemberName,
        cause: &Cause,
        text: String,
    ) -> Result<(), TeamError> {
        let mail = self.mail(to, cause, text, Metadata::default());
        self.put(mail).await
    }

    /// Words of the user, as mail.
    fn mail(
        &self,
        to: &MemberName,
        cause: &Cause,
        text: String,
        mut metadata: Metadata,
    ) -> Message {
        self.team().mark_conversation(to, &mut metadata);
        let mut message = Message {
            id: self.team().message_id(MessageCause::Said(cause)),
            kind: MessageKind::Message,
            from: Sender::User,
            from_incarnation: None,
            to: to.clone(),
            to_incarnation: None,
            content: text,
            sent_at: SystemClock.now(),
            wakes: None,
            request_id: None,
            metadata,
        };
        message.each_text(|text| self.secrets.hide(text));
        message
    }

    /// Puts mail into its recipient's mailbox.
    async fn put(&self, mail: Message) -> Result<(), TeamError> {
        let sent = self.store.store.mailbox.send(mail).await;
        sent.map_err(|error| Refusal::from(error).into())
    }

    /// Everything that the team has spent: what the journal counts, and what transcripts hold beyond that.
    pub async fn spending(&self) -> Result<Spending, TeamError> {
        let transcripts = &self.store.store.transcripts;
        let mut spending = self.team().spending().clone();
        for member in self.team().members() {
            let name = &member.name;
            let entries = transcripts
                .peek(name)
                .await
                .map_err(|error| TeamError::Storage(error.to_string()))?;
            let rest = uncounted_answers((0..).zip(&entries), spending.counted(name));
            spending.add_pending(name, &rest);
        }
        Ok(spending)
    }
}

/// A member by name; an error names the roster.
pub fn find_member(team: &TeamState, name: &str) -> Result<MemberName, TeamError> {
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
