//! The user drops an earlier job: what it left unfinished no longer waits.

use std::collections::BTreeSet;

use super::{MemberPhase, TeamEvent, TeamState, TodoList, idle};
use crate::{
    MemberName, Sender,
    id::ConversationId,
    request::{Request, RequestEvent},
    status::JobEnd,
    task::TaskEvent,
    team::{Decision, Durability, TeamRefusal},
    transcript::EndReason,
};

/// Why tasks and requests end, in the journal.
const WHY: &str = "the user dropped its job";

impl TeamState {
    /// Ends what an earlier conversation left unfinished. Nothing follows if that is nothing, or if it is the current one.
    pub(in crate::team) fn drop_conversation(
        &self,
        id: ConversationId,
    ) -> Result<Decision, TeamRefusal> {
        let id = self.known_conversation(id)?;
        let mut events = Vec::new();
        if id != self.conversation() && !self.unfinished(id).is_empty() {
            let members = self.paused_with(id);
            events.extend(self.give_back(&members));
            events.extend(self.withdraw(id, &members));
            events.extend(self.lose_jobs_of(&members));
            events.push(TeamEvent::Dropped { conversation: id });
        }
        Ok(Decision {
            events,
            durability: Durability::Synced,
        })
    }

    /// The members are interrupted, and nothing of the conversation continues before the user returns to it.
    pub(in crate::team) fn apply_dropped(&mut self, id: ConversationId) {
        for name in self.paused_with(id) {
            let paused = self.conversations.paused.remove(&name);
            let Some(member) = self.members.get_mut(&name) else {
                continue;
            };
            member.phase = idle(EndReason::Interrupted);
            if paused.is_some_and(|paused| paused.phase == MemberPhase::Starting) {
                member.assignment = None;
            }
        }
        let Some(known) = self.conversations.known.get_mut(&id) else {
            return;
        };
        known.is_dropped = true;
        if let Some(left) = &mut known.left {
            left.phase = idle(EndReason::Interrupted);
            left.todos = TodoList::default();
            left.has_news = false;
            left.is_unfinished = false;
        }
    }

    /// Whether the user dropped a conversation and has not returned to it since.
    pub fn is_dropped(&self, id: ConversationId) -> bool {
        let known = self.conversations.known.get(&id);
        known.is_some_and(|known| known.is_dropped)
    }

    fn paused_with(&self, id: ConversationId) -> BTreeSet<MemberName> {
        let paused = self.conversations.paused.iter();
        let of_it = paused.filter(|(_, paused)| paused.conversation == id);
        of_it.map(|(name, _)| name.clone()).collect()
    }

    fn give_back(&self, members: &BTreeSet<MemberName>) -> impl Iterator<Item = TeamEvent> {
        let held = members.iter().filter_map(|name| self.board().task_of(name));
        held.map(|task| TeamEvent::Task {
            task: task.id,
            change: TaskEvent::Released {
                by: Sender::User,
                why: WHY.to_owned(),
                is_setback: false,
            },
        })
    }

    /// Open requests of the conversation or its members end, without notices.
    fn withdraw(
        &self,
        id: ConversationId,
        members: &BTreeSet<MemberName>,
    ) -> impl Iterator<Item = TeamEvent> {
        let is_of_it = move |request: &Request| {
            let concerned = request.concerns();
            self.conversations.requests.get(&request.id) == Some(&id)
                || concerned.is_some_and(|name| members.contains(name))
        };
        let pending = self.requests().pending();
        let of_it = pending.filter(move |request| is_of_it(request));
        of_it.flat_map(|request| {
            let cancelled = RequestEvent::Cancelled {
                why: WHY.to_owned(),
            };
            let request = request.id;
            [cancelled, RequestEvent::Notified].map(|change| TeamEvent::Request { request, change })
        })
    }

    /// Marks the jobs of these members as lost: they ended with the program.
    fn lose_jobs_of(&self, members: &BTreeSet<MemberName>) -> impl Iterator<Item = TeamEvent> {
        let jobs = self.jobs().running();
        let of_it = jobs.filter(|job| job.owner.is_lead() || members.contains(&job.owner));
        of_it.map(|job| TeamEvent::JobEnded {
            job: job.id,
            end: JobEnd::Lost,
        })
    }
}
