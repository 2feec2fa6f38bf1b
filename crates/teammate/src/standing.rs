//! Who does not go on by itself when a team is opened, and whether anything does.

use teammate_core::{
    MemberName, Message, MessageKind,
    team::{Member, Phase},
    transcript::RestReason,
};

use crate::{Outside, Team, TeamError};

/// A member that does not go on by itself.
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
    /// The person ended its turn: whoever speaks to it has it go on.
    Interrupt,
}

impl HaltedBy {
    fn of(member: &Member) -> Option<Self> {
        match &member.phase {
            Phase::Stopped => Some(Self::Stop),
            Phase::Idle { why, .. } if *why == RestReason::Interrupted => Some(Self::Interrupt),
            Phase::Starting | Phase::Working | Phase::Waiting(_) | Phase::Idle { .. } => None,
        }
    }
}

impl Team {
    /// Whether there are members that do not go on by themselves.
    pub fn has_halted(&self) -> bool {
        let team = self.snapshot();
        team.members().any(|member| HaltedBy::of(member).is_some())
    }
}

impl Outside {
    /// The members that do not go on by themselves, in the order in which they came.
    pub async fn halted(&self) -> Result<Vec<Halted>, TeamError> {
        let mut halted = Vec::new();
        for member in self.team().members() {
            if let Some(by) = HaltedBy::of(member) {
                let mail = self.inbox(&member.name).await?;
                // What asked it to go is no news any more.
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

    /// Whether something goes on when the team is opened: an unfinished turn, unheard mail, a task that somebody can begin,
    /// a request, or what ran in the background when the program ended.
    pub async fn has_work(&self) -> Result<bool, TeamError> {
        let team = self.team();
        let is_unfinished = |member: &Member| match &member.phase {
            Phase::Starting | Phase::Working | Phase::Waiting(_) => true,
            Phase::Idle { why, .. } => matches!(why, RestReason::Limit { .. }),
            Phase::Stopped => false,
        };
        let goes_on = team.members().any(is_unfinished)
            || !team.called_among(|_| true).is_empty()
            || team.requests().pending().next().is_some()
            || team.requests().untold().next().is_some()
            || team.groups().iter().any(|(_, group)| group.is_ending)
            || team.jobs().running().next().is_some()
            || team.board_notice().is_some();
        if goes_on {
            return Ok(true);
        }
        for member in team
            .members()
            .filter(|member| member.phase != Phase::Stopped)
        {
            if !self.inbox(&member.name).await?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
