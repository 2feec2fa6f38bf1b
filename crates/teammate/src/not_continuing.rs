//! Members that do not continue when a team is opened, and whether anything does.

use teammate_core::{
    MemberName, Message, MessageKind,
    team::{Member, MemberPhase},
    transcript::EndReason,
};

use crate::{Team, TeamClient, TeamError};

/// A member that does not continue automatically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Halted {
    /// Who.
    pub name: MemberName,
    /// What keeps it.
    pub by: HaltedBy,
    /// How many messages it has not heard.
    pub unheard: usize,
}

/// What keeps a member from going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HaltedBy {
    /// It was stopped: its loop does not run, and only a spawn wakes it.
    Stop,
    /// The user interrupted its turn; any mail continues it.
    Interrupt,
}

impl HaltedBy {
    fn of(member: &Member) -> Option<Self> {
        match &member.phase {
            MemberPhase::Stopped => Some(Self::Stop),
            MemberPhase::Idle { why, .. } if *why == EndReason::Interrupted => {
                Some(Self::Interrupt)
            }
            MemberPhase::Starting
            | MemberPhase::Working
            | MemberPhase::Waiting(_)
            | MemberPhase::Idle { .. } => None,
        }
    }
}

impl Team {
    /// Whether there are members that do not continue automatically.
    pub fn has_halted(&self) -> bool {
        let team = self.snapshot();
        team.members().any(|member| HaltedBy::of(member).is_some())
    }
}

impl TeamClient {
    /// The members that do not continue automatically, in the order in which they joined.
    pub async fn halted(&self) -> Result<Vec<Halted>, TeamError> {
        let mut halted = Vec::new();
        for member in self.team().members() {
            if let Some(by) = HaltedBy::of(member) {
                let mail = self.inbox(&member.name).await?;
                // The shutdown request itself is no news.
                let is_news = |mail: &&Message| mail.kind != MessageKind::ShutdownRequest;
                halted.push(Halted {
                    name: member.name.clone(),
                    by,
                    unheard: mail.iter().filter(is_news).count(),
                });
            }
        }
        Ok(halted)
    }

    /// Whether something continues when the team is opened: an unfinished turn, unheard mail, a task that a member
    /// can begin, a request, or what ran in the background when the program ended.
    pub async fn has_work(&self) -> Result<bool, TeamError> {
        let team = self.team();
        let is_unfinished = |member: &Member| match &member.phase {
            MemberPhase::Starting | MemberPhase::Working | MemberPhase::Waiting(_) => true,
            MemberPhase::Idle { why, .. } => matches!(why, EndReason::Limit { .. }),
            MemberPhase::Stopped => false,
        };
        let goes_on = team.members().any(is_unfinished)
            || !team.members_to_wake_among(|_| true).is_empty()
            || team.requests().pending().next().is_some()
            || team.requests().not_notified().next().is_some()
            || team.groups().iter().any(|(_, group)| group.is_ending)
            || team.jobs().running().next().is_some()
            || team.board_notice().is_some();
        if goes_on {
            return Ok(true);
        }
        for member in team
            .members()
            .filter(|member| member.phase != MemberPhase::Stopped)
        {
            if !self.inbox(&member.name).await?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
