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
    /// The reason that keeps it.
    pub by: HaltedBy,
    /// How many messages it has not heard.
    pub unheard: usize,
}

/// A reason that keeps a member from going on.
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
        let is_limited = |member: &Member| match &member.phase {
            MemberPhase::Idle { why, .. } => matches!(why, EndReason::Limit { .. }),
            MemberPhase::Starting
            | MemberPhase::Working
            | MemberPhase::Waiting(_)
            | MemberPhase::Stopped => false,
        };
        if self.team().members().any(is_limited) || self.has_something_under_way() {
            return Ok(true);
        }
        self.has_mail(|_| true).await
    }

    /// Whether the team rests, as far as its files say: no member is in a turn or will begin one, no request is open,
    /// nothing runs in the background. A member that reached a limit rests.
    ///
    /// A member that has just heard mail may seem to rest for a moment.
    pub async fn is_at_rest(&self) -> Result<bool, TeamError> {
        Ok(!self.has_something_under_way() && !self.has_mail(Message::wakes).await?)
    }

    fn has_something_under_way(&self) -> bool {
        let team = self.team();
        let is_in_turn = |member: &Member| match &member.phase {
            // One that has just been made has nothing to do.
            MemberPhase::Starting => !member.name.is_lead(),
            MemberPhase::Working | MemberPhase::Waiting(_) => true,
            MemberPhase::Idle { .. } | MemberPhase::Stopped => false,
        };
        team.members().any(is_in_turn)
            || !team.members_to_wake_among(|_| true).is_empty()
            || team.requests().pending().next().is_some()
            || team.requests().not_notified().next().is_some()
            || team.groups().iter().any(|(_, group)| group.is_ending)
            || team.jobs().running().next().is_some()
            || team.board_notice().is_some()
    }

    /// Whether a member that is not stopped has unheard mail of this kind.
    async fn has_mail(&self, is_meant: impl Fn(&Message) -> bool) -> Result<bool, TeamError> {
        let members = self.team().members();
        for member in members.filter(|member| member.phase != MemberPhase::Stopped) {
            if self.inbox(&member.name).await?.iter().any(&is_meant) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
