//! The user clears the conversation with the lead: a new one begins in a team that works on. All that belonged to the old one,
//! but what was said in it, belongs to the new one.

use super::{Conversations, Member, TeamEvent, TeamState};
use crate::{
    MemberName,
    id::{ConversationId, OrderId},
    team::{Decision, Durability, OrderEnd, TeamRefusal},
};

impl TeamState {
    /// Begins it, and ends the order to do so. In a conversation in which the lead has not worked there is nothing to clear.
    pub(in crate::team) fn begin_anew(
        &self,
        order: OrderId,
        highest: ConversationId,
    ) -> Result<Decision, TeamRefusal> {
        let lead = self.member(&MemberName::lead());
        if lead.is_some_and(Member::is_at_work) {
            return Err(TeamRefusal::LeadWorks);
        }
        let end = OrderEnd::Done;
        let mut ended = self.end_order(order, &end).events;
        let known = self.conversations.known.get(&self.conversation());
        let is_used = known.is_some_and(|known| known.is_used);
        if is_used && !ended.is_empty() {
            let begun = TeamEvent::Conversation {
                conversation: self.last_conversation().max(highest).next(),
                unfinished: Vec::new(),
                keeps_team: true,
            };
            ended.insert(0, begun);
        }
        Ok(Decision {
            events: ended,
            durability: Durability::Synced,
        })
    }
}

impl Conversations {
    /// All that belonged to one conversation belongs to the one that was begun in its place.
    pub(super) fn take_over(&mut self, old: ConversationId, new: ConversationId) {
        let members = self.members.values_mut();
        let tasks = self.tasks.values_mut();
        let requests = self.requests.values_mut();
        let all = members.chain(tasks).chain(requests);
        all.filter(|of| **of == old).for_each(|of| *of = new);
        self.known.entry(new).or_default().cleared = Some(old);
    }

    /// Whether what was sent in one conversation is heard in another one: it is the same, or was begun in its place.
    pub(super) fn continues(&self, mut current: ConversationId, of: ConversationId) -> bool {
        while current != of {
            let known = self.known.get(&current);
            match known.and_then(|known| known.cleared) {
                // Numbers grow, so this ends whatever a journal says.
                Some(before) if before < current => current = before,
                Some(_) | None => return false,
            }
        }
        true
    }
}
