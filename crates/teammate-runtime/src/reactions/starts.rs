//! Whom the journal's news set going here: who joined, was spawned again, or may spend more; and what a stop leaves to others.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    name::DeviceName,
    team::{Member, MemberPhase},
    transcript::EndReason,
};

use super::Reactions;
use crate::members::StartKind;

/// How long the worker of a stopped member has for what follows from the stop. What it did by then is not done again.
const STOP_FOLLOWED_WITHIN: Duration = Duration::from_secs(10);

impl Reactions {
    /// From another process, or by this one, which starts them itself. Nobody begins before the team is started.
    pub(super) fn start_joined(&self, joined: &[MemberName]) {
        if self.base.deployment.opens_team() && !self.members.has(&MemberName::lead()) {
            return;
        }
        let (base, members, requests) = (
            self.base.clone(),
            self.members.clone(),
            self.requests.clone(),
        );
        let (under_way, joined) = (base.activity.begin(), joined.to_vec());
        // Not awaited: news that come meanwhile must be handled.
        drop(tokio::spawn(async move {
            for name in &joined {
                members.start_joined(name).await;
            }
            requests.ask_to_take_up();
            drop(under_way);
        }));
    }

    /// A member was stopped by its worker, which also does what follows. If it cannot, the lead's does, to whom it falls then.
    pub(super) fn take_up_later(&self) {
        if !self.base.deployment.moves_members() {
            return;
        }
        let requests = Arc::downgrade(&self.requests);
        drop(tokio::spawn(async move {
            tokio::time::sleep(STOP_FOLLOWED_WITHIN).await;
            if let Some(requests) = requests.upgrade() {
                requests.ask_to_take_up();
            }
        }));
    }

    /// Members that a budget has stopped here go on; those that reach the new one stop again.
    pub(super) fn go_on_with_budgets(&self) {
        self.meter.budgets_set();
        let team = self.base.ledger.team();
        let is_stopped = |member: &&Member| match &member.phase {
            MemberPhase::Idle { why, .. } => matches!(why, EndReason::Limit { .. }),
            MemberPhase::Starting
            | MemberPhase::Working
            | MemberPhase::Waiting(_)
            | MemberPhase::Stopped => false,
        };
        for member in team.members().filter(is_stopped) {
            self.start_again(&member.name);
        }
    }

    /// A member that runs here was spawned again, perhaps by a lead on another worker: it begins its new life. A process that
    /// is alone starts whom its lead spawns itself.
    pub(super) fn start_spawned(&self, name: &MemberName) {
        if !name.is_lead() {
            self.start_again(name);
        }
    }

    /// A member that runs here begins anew from its transcript, where workers run the team.
    fn start_again(&self, name: &MemberName) {
        if !self.base.deployment.begins_by_journal() || !self.members.has(name) {
            return;
        }
        let (members, name) = (self.members.clone(), name.clone());
        let under_way = self.base.activity.begin();
        drop(tokio::spawn(async move {
            if let Err(error) = members.start(&name, StartKind::Anew).await {
                members.note_failure(&name, &error).await;
            }
            drop(under_way);
        }));
    }

    /// Says what the user did about the work of the whole team, and from which device.
    pub(super) fn note_pause(&self, what: &str, device: Option<&DeviceName>) {
        let device = DeviceName::behind(device);
        let text = format!("the user{device} {what}");
        self.base.feed.note(&MemberName::lead(), text);
    }
}
