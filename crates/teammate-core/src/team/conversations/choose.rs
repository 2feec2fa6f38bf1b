//! With which conversation the team is opened, and what that leaves behind.

use super::{MemberPhase, TeamEvent, TeamState};
use crate::{
    MemberName,
    id::{ConversationId, TaskId},
    team::{ChooseConversation, ConversationChoice, Decision, Durability, TeamRefusal},
};

impl TeamState {
    pub(in crate::team) fn choose_conversation(
        &self,
        ask: &ChooseConversation,
    ) -> Result<Decision, TeamRefusal> {
        let current = self.conversation();
        let unfinished = self.unfinished_now(&ask.unfinished);
        let target = match ask.choice {
            ConversationChoice::Last => current,
            ConversationChoice::Number(id) => self.known_conversation(id)?,
            ConversationChoice::Everything => self.latest_unfinished(&unfinished),
            ConversationChoice::Fresh if self.is_untouched() && unfinished.is_empty() => current,
            ConversationChoice::Fresh => self.last_conversation().max(ask.highest).next(),
        };
        let is_everything = ask.choice == ConversationChoice::Everything;
        let mut events = Vec::new();
        if target != current {
            let left = unfinished.into_iter();
            events.push(TeamEvent::Conversation {
                conversation: target,
                // If everything continues, only the lead leaves something.
                unfinished: left
                    .filter(|name| !is_everything || name.is_lead())
                    .collect(),
                keeps_team: false,
            });
        }
        if is_everything {
            events.extend(self.all_join(target));
        }
        Ok(Decision {
            events,
            durability: Durability::Synced,
        })
    }

    /// A paused member joins the current conversation, with its task in progress.
    pub(in crate::team) fn let_join(&self, member: &MemberName) -> Decision {
        let held = self.board().task_of(member).map(|task| task.id);
        let joined = TeamEvent::Joined {
            members: vec![member.clone()],
            tasks: held.into_iter().collect(),
        };
        let is_paused = self.paused_for(member).is_some();
        super::super::decision::decision_if(is_paused, joined, Durability::Synced)
    }

    fn all_join(&self, target: ConversationId) -> Option<TeamEvent> {
        let conversations = &self.conversations;
        let of_others = |(id, of): (&TaskId, &ConversationId)| {
            let task = self.board().task(*id);
            let is_open = task.is_some_and(|task| !task.status.is_settled());
            (*of != target && is_open && !self.is_dropped(*of)).then_some(*id)
        };
        let members: Vec<_> = conversations.paused.keys().cloned().collect();
        let tasks: Vec<_> = conversations.tasks.iter().filter_map(of_others).collect();
        let is_nothing = members.is_empty() && tasks.is_empty();
        (!is_nothing).then_some(TeamEvent::Joined { members, tasks })
    }

    /// The members that would leave something unfinished if the conversation ended now, the lead first.
    fn unfinished_now(&self, shown_by_files: &[MemberName]) -> Vec<MemberName> {
        let pending: Vec<_> = self.requests().pending().collect();
        let has_work = |name: &MemberName| {
            let asks = |request: &&std::sync::Arc<crate::request::Request>| {
                request.from.name() == Some(name)
            };
            let holds = !name.is_lead() && self.board().task_of(name).is_some();
            holds || shown_by_files.contains(name) || pending.iter().any(asks)
        };
        self.members()
            .filter(|member| member.phase != MemberPhase::Stopped)
            .filter(|member| self.paused_for(&member.name).is_none())
            .filter(|member| member.is_at_work() || has_work(&member.name))
            .map(|member| member.name.clone())
            .collect()
    }

    fn latest_unfinished(&self, unfinished: &[MemberName]) -> ConversationId {
        let current = self.conversation();
        if unfinished.iter().any(MemberName::is_lead) {
            return current;
        }
        let known = self.conversations.known.iter().rev();
        let mut left =
            known.filter(|(_, known)| known.left.as_ref().is_some_and(|left| left.is_unfinished));
        left.next().map_or(current, |(id, _)| *id)
    }

    /// Whether the current conversation is empty.
    fn is_untouched(&self) -> bool {
        let conversations = &self.conversations;
        let current = self.conversation();
        let known = conversations.known.get(&current);
        known.is_none_or(|known| !known.is_used)
            && !conversations.members.values().any(|of| *of == current)
            && !conversations.tasks.values().any(|of| *of == current)
    }

    pub(super) fn last_conversation(&self) -> ConversationId {
        let last = self.conversations.known.keys().next_back();
        last.copied().unwrap_or_default()
    }

    pub(super) fn known_conversation(
        &self,
        id: ConversationId,
    ) -> Result<ConversationId, TeamRefusal> {
        if self.conversations.known.contains_key(&id) {
            return Ok(id);
        }
        let last = self.last_conversation();
        Err(TeamRefusal::NoConversation { asked: id, last })
    }
}
