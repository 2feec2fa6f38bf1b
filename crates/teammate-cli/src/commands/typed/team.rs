//! The team that typed commands are for: the one that this process runs, or that of another.

use std::{ops::Deref, path::Path, sync::Arc, time::Duration};

use teammate::{
    Effort, Job, MemberName, Message, MessageId, Mode, ModelRef, Team, TeamClient, TeamError,
    TeamState, UserMessage,
    request::{Answer, Request, RequestId},
};

use teammate_view::TeamView;

use crate::commands::{
    facts::{fold_all, fold_whole},
    stop,
};

/// A team, as this process reaches it.
pub(in crate::commands) enum TypedTeam<'a> {
    /// This process runs it.
    Host(&'a Team),
    /// Another process runs it, or none: its journal, caught up with.
    Client(&'a mut TeamClient),
}

/// A look at a team's files.
pub(super) enum Looked<'a> {
    Opened(Box<TeamClient>),
    Known(&'a TeamClient),
}

impl Deref for Looked<'_> {
    type Target = TeamClient;

    fn deref(&self) -> &TeamClient {
        match self {
            Self::Opened(client) => client,
            Self::Known(client) => client,
        }
    }
}

impl TypedTeam<'_> {
    /// Its files, as another process sees them.
    pub(super) async fn look(&self) -> Result<Looked<'_>, TeamError> {
        Ok(match self {
            Self::Host(team) => Looked::Opened(Box::new(team.look().await?)),
            Self::Client(client) => Looked::Known(client),
        })
    }

    /// Where the members work.
    pub(super) fn workspace(&self) -> &Path {
        match self {
            Self::Host(team) => team.workspace(),
            Self::Client(client) => client.workspace(),
        }
    }

    /// Everything that is known of it, folded.
    pub(super) async fn view(&self) -> Result<TeamView, TeamError> {
        let mut history = self.look().await?.history();
        fold_all(&mut history).await
    }

    /// The same, with every entry of every conversation.
    pub(super) async fn whole_view(&self) -> Result<TeamView, TeamError> {
        let mut history = self.look().await?.history();
        fold_whole(&mut history).await
    }

    pub(super) fn state(&self) -> Arc<TeamState> {
        match self {
            Self::Host(team) => team.changes().borrow().clone(),
            Self::Client(client) => client.team().clone(),
        }
    }

    /// A member by name; an error names the roster.
    pub(super) fn member(&self, name: &str) -> Result<MemberName, TeamError> {
        match self {
            Self::Host(team) => team.member(name),
            Self::Client(client) => client.member(name),
        }
    }

    pub(super) async fn send(&mut self, to: &str, message: UserMessage) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => team.send(to, message).await.map(|_| ()),
            Self::Client(client) => client.send(to, message).await.map(|_| ()),
        }
    }

    pub(super) fn requests(&self) -> Vec<Arc<Request>> {
        match self {
            Self::Host(team) => team.requests(),
            Self::Client(client) => client.requests(),
        }
    }

    pub(in crate::commands) fn request(&self, id: RequestId) -> Result<Arc<Request>, TeamError> {
        match self {
            Self::Host(team) => team.request(id),
            Self::Client(client) => client.request(id),
        }
    }

    pub(in crate::commands) async fn answer(
        &mut self,
        id: RequestId,
        answer: Answer,
    ) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => team.answer(id, answer).await,
            Self::Client(client) => client.answer(id, answer).await.map(|_| ()),
        }
    }

    /// The same to a request that was shown with this digest; anything else is not answered.
    #[cfg(any(feature = "tui", feature = "web"))]
    pub(in crate::commands) async fn answer_seen(
        &mut self,
        id: RequestId,
        saw: teammate::request::Digest,
        answer: Answer,
    ) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => team.answer_seen(id, saw, answer).await,
            Self::Client(client) => client.answer_seen(id, saw, answer).await.map(|_| ()),
        }
    }

    /// Takes back mail of the user that no member has heard: this one, or the last.
    pub(in crate::commands) async fn recall(
        &mut self,
        mail: Option<&MessageId>,
    ) -> Result<Message, TeamError> {
        match self {
            Self::Host(team) => team.recall(mail).await,
            Self::Client(client) => client.recall(mail).await,
        }
    }

    pub(in crate::commands) async fn interrupt(
        &mut self,
        member: Option<&MemberName>,
    ) -> Result<(), TeamError> {
        match (self, member) {
            (Self::Host(team), Some(member)) => team.interrupt(member).await,
            (Self::Host(team), None) => team.interrupt_all().await,
            (Self::Client(client), member) => client.interrupt(member).await?,
        }
        Ok(())
    }

    /// How much members may do without asking; nothing is known of it in old journals.
    pub(super) fn mode(&self) -> Option<Mode> {
        match self {
            Self::Host(team) => Some(team.mode()),
            Self::Client(client) => client.team().ceiling(),
        }
    }

    pub(super) async fn choose_mode(&mut self, mode: Mode) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => team.choose_mode(mode).await,
            Self::Client(client) => client.choose_mode(mode).await,
        }
    }

    /// Begins a new conversation with the lead.
    pub(super) async fn clear(&mut self) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => team.clear().await,
            Self::Client(client) => client.clear().await,
        }
    }

    pub(super) async fn compact(
        &mut self,
        member: &MemberName,
        focus: Option<&str>,
    ) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => team.compact(member.as_str(), focus).await.map(|_| ()),
            Self::Client(client) => client.compact(member, focus).await,
        }
    }

    pub(super) async fn choose_model(
        &mut self,
        member: &MemberName,
        model: ModelRef,
    ) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => team
                .choose_model(member.as_str(), Some(model), None)
                .await
                .map(|_| ()),
            Self::Client(client) => client.choose_model(member, model).await,
        }
    }

    pub(super) async fn choose_effort(
        &mut self,
        member: &MemberName,
        effort: Effort,
    ) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => team
                .choose_model(member.as_str(), None, Some(effort))
                .await
                .map(|_| ()),
            Self::Client(client) => client.choose_effort(member, effort).await,
        }
    }

    /// Requires plans of a teammate; returns the background jobs that this process ended for it.
    pub(super) async fn require_plan(
        &mut self,
        member: &MemberName,
        about: &str,
    ) -> Result<Vec<String>, TeamError> {
        match self {
            Self::Host(team) => {
                let required = team.require_plan(member.as_str(), about).await?;
                Ok(required.ended.iter().map(Job::named).collect())
            }
            Self::Client(client) => client
                .require_plan(member, about)
                .await
                .map(|()| Vec::new()),
        }
    }

    pub(super) async fn lift_plan(&mut self, member: &MemberName) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => team.lift_plan(member.as_str()).await.map(|_| ()),
            Self::Client(client) => client.lift_plan(member).await,
        }
    }

    /// Asks a teammate to shut down within this time; `None` means the usual time. The team's own process does not wait for it.
    pub(super) async fn shut_down(
        &mut self,
        member: &MemberName,
        within: Option<Duration>,
    ) -> Result<(), TeamError> {
        match self {
            Self::Host(team) => {
                let within = within.unwrap_or_else(|| team.shutdown_within());
                let asked = team.request_shutdown(member.as_str(), within).await;
                asked.map(|_| ())
            }
            Self::Client(client) => {
                let within = within.unwrap_or(stop::WITHIN);
                client.stop(member, within).await.map(|_| ())
            }
        }
    }
}
