//! The lead's conversations. A job begins one; what it leaves unfinished is paused until its conversation continues
//! or the member joins the current one. Everything here follows from the journal.

mod anew;
mod choose;
mod drop;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, fmt, sync::Arc};

use super::{TeamEvent, TeamState};
use crate::{
    MemberName, Message, Sender, Timestamp,
    board::{Task, TaskStatus},
    id::{ConversationId, RequestId, TaskId},
    mail::Metadata,
    member::{Member, MemberPhase, TodoList},
    request::{Request, RequestEvent},
    task::TaskEvent,
    transcript::EndReason,
};

/// All conversations of the lead, and who and what belongs to which.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversations {
    current: ConversationId,
    known: BTreeMap<ConversationId, KnownConversation>,
    /// Teammates that are paused, each with the conversation that it waits for.
    paused: BTreeMap<MemberName, Paused>,
    /// The conversation for which a teammate last worked.
    members: BTreeMap<MemberName, ConversationId>,
    /// The conversation in which a task was made or last taken. A task that the user made and no member has claimed
    /// is in none.
    tasks: BTreeMap<TaskId, ConversationId>,
    /// The conversation in which the lead made a request.
    requests: BTreeMap<RequestId, ConversationId>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct KnownConversation {
    began: Timestamp,
    /// Whether the lead has worked in it.
    is_used: bool,
    /// Whether the user dropped it and has not returned to it since.
    is_dropped: bool,
    /// How the lead left it; nothing of the current one.
    left: Option<LeftLead>,
    /// In whose place it was begun, if the user cleared that.
    cleared: Option<ConversationId>,
}

/// The state that is put back when the lead returns to a conversation.
#[derive(Debug, Clone, PartialEq)]
struct LeftLead {
    phase: MemberPhase,
    todos: TodoList,
    /// A board notice for the lead is due.
    has_news: bool,
    /// The lead was in a turn, or had mail that asks for one.
    is_unfinished: bool,
}

/// The state that is restored when a member continues.
#[derive(Debug, Clone, PartialEq)]
struct Paused {
    conversation: ConversationId,
    phase: MemberPhase,
}

/// The work that a conversation has left to do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// The lead's own turn, or mail that waits for it.
    pub lead: bool,
    /// Teammates that are paused with work of that conversation; of the current one, those in a turn or with a task in progress.
    pub members: Vec<MemberName>,
    /// Tasks that are not settled.
    pub tasks: Vec<TaskId>,
}

impl Unfinished {
    /// Whether nothing is left to do.
    pub fn is_empty(&self) -> bool {
        !self.lead && self.members.is_empty() && self.tasks.is_empty()
    }
}

impl fmt::Display for Unfinished {
    /// `the lead's turn, alice, #2`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lead = self.lead.then(|| "the lead's turn".to_owned());
        let members = self.members.iter().map(ToString::to_string);
        let tasks = self.tasks.iter().map(ToString::to_string);
        let all: Vec<_> = lead.into_iter().chain(members).chain(tasks).collect();
        f.write_str(&all.join(", "))
    }
}

impl Conversations {
    /// All conversations with the moment each began, oldest first.
    pub fn all(&self) -> impl Iterator<Item = (ConversationId, Timestamp)> {
        self.known.iter().map(|(id, known)| (*id, known.began))
    }

    pub(super) fn apply(&mut self, event: &TeamEvent, at: Timestamp) {
        let current = self.current;
        match event {
            TeamEvent::Created { .. } => self.known.entry(current).or_default().began = at,
            TeamEvent::Spawned { member, .. } if !member.is_lead() => {
                self.paused.remove(member);
                self.members.insert(member.clone(), current);
            }
            TeamEvent::Working { member, .. } if member.is_lead() => {
                self.known.entry(current).or_default().is_used = true;
            }
            TeamEvent::Working { member, .. } => {
                self.members.insert(member.clone(), current);
            }
            TeamEvent::Stopped { member, .. } => {
                self.paused.remove(member);
            }
            TeamEvent::Task { task, change } if takes_up(change) => {
                self.tasks.insert(*task, current);
            }
            TeamEvent::Request {
                request,
                change: RequestEvent::Opened { from, .. },
            } if from.name().is_some_and(MemberName::is_lead) => {
                self.requests.insert(*request, current);
            }
            _ => {}
        }
    }
}

/// Whether a task belongs to the current conversation from then on.
fn takes_up(change: &TaskEvent) -> bool {
    match change {
        TaskEvent::Created { by, .. } => *by != Sender::User,
        TaskEvent::Claimed { .. }
        | TaskEvent::Renewed { .. }
        | TaskEvent::Assigned { .. }
        | TaskEvent::Reopened { .. } => true,
        _ => false,
    }
}

impl TeamState {
    /// The lead's current conversation.
    pub fn conversation(&self) -> ConversationId {
        self.conversations.current
    }

    /// All of the lead's conversations.
    pub fn conversations(&self) -> &Conversations {
        &self.conversations
    }

    /// The conversation that a paused member waits for; nothing, if it is not paused.
    pub fn paused_for(&self, member: &MemberName) -> Option<ConversationId> {
        let paused = self.conversations.paused.get(member);
        paused.map(|paused| paused.conversation)
    }

    /// The earlier conversation that a task waits for: no member claims it before that one continues.
    /// A task of the user's waits for none until it is in progress.
    pub(crate) fn task_paused_for(&self, task: &Task) -> Option<ConversationId> {
        let is_open_to_all =
            task.by == Sender::User && matches!(task.status, TaskStatus::Pending { .. });
        let of = *self.conversations.tasks.get(&task.id)?;
        (of != self.conversation() && !is_open_to_all && !task.status.is_settled()).then_some(of)
    }

    /// Whether a request is of a paused member or of another conversation of the lead: nobody asks, answers by a rule or
    /// keeps its deadline meanwhile.
    pub fn is_paused_request(&self, request: &Request) -> bool {
        let of_lead = self.conversations.requests.get(&request.id);
        let concerned = request.concerns();
        of_lead.is_some_and(|of| *of != self.conversation())
            || concerned.is_some_and(|member| self.paused_for(member).is_some())
    }

    /// The requests that wait for the user's answer, oldest first.
    pub fn questions(&self) -> impl Iterator<Item = &Arc<Request>> {
        let pending = self.requests().pending();
        pending.filter(|request| request.awaits_user() && !self.is_paused_request(request))
    }

    /// The teammates of the current job: those that were spawned or worked in the lead's current conversation, or joined it.
    pub(crate) fn job_members(&self) -> impl Iterator<Item = &Member> {
        self.teammates().filter(|member| {
            let of = self.conversations.members.get(&member.name);
            of == Some(&self.conversation()) && self.paused_for(&member.name).is_none()
        })
    }

    /// The tasks of the current job: those that were made, claimed, assigned or opened again in the lead's current
    /// conversation, or joined it.
    pub fn job_tasks(&self) -> impl Iterator<Item = &Arc<Task>> {
        self.board()
            .tasks()
            .filter(|task| self.conversations.tasks.get(&task.id) == Some(&self.conversation()))
    }

    /// Whether the lead never began another conversation.
    pub fn has_one_conversation(&self) -> bool {
        self.conversations.known.len() < 2
    }

    /// Whether a task concerns the current conversation: it is of it, or of none.
    pub(crate) fn is_present(&self, task: &Task) -> bool {
        let of = self.conversations.tasks.get(&task.id);
        of.is_none_or(|of| *of == self.conversation())
    }

    /// The work that a conversation has left to do. Mail that waits is not known here.
    pub fn unfinished(&self, id: ConversationId) -> Unfinished {
        let conversations = &self.conversations;
        let is_current = id == self.conversation();
        let at_work =
            |member: &&Member| member.is_at_work() || self.board().task_of(&member.name).is_some();
        let current = self.job_members().filter(|_| is_current).filter(at_work);
        let lead = self.member(&MemberName::lead());
        let left = conversations
            .known
            .get(&id)
            .and_then(|known| known.left.as_ref());
        let paused = conversations.paused.iter();
        let of_it = |task: &&Arc<Task>| {
            conversations.tasks.get(&task.id) == Some(&id)
                && !task.status.is_settled()
                && !self.is_dropped(id)
                && (is_current || self.task_paused_for(task).is_some())
        };
        Unfinished {
            lead: match is_current {
                true => lead.is_some_and(Member::is_at_work),
                false => left.is_some_and(|left| left.is_unfinished),
            },
            members: paused
                .filter(|(_, paused)| paused.conversation == id)
                .map(|(name, _)| name.clone())
                .chain(current.map(|member| member.name.clone()))
                .collect(),
            tasks: self
                .board()
                .tasks()
                .filter(of_it)
                .map(|task| task.id)
                .collect(),
        }
    }

    /// The conversation that mail to the lead is for; nothing, if it is for any: mail to others, and unverified
    /// mail.
    pub fn conversation_of(mail: &Message) -> Option<ConversationId> {
        if !mail.to.is_lead() || matches!(mail.from, Sender::Unverified(_)) {
            return None;
        }
        Some(mail.metadata.conversation.unwrap_or_default())
    }

    /// Whether mail is to be heard in the current conversation.
    pub fn is_for_current(&self, mail: &Message) -> bool {
        let current = self.conversation();
        let continues = |of| self.conversations.continues(current, of);
        Self::conversation_of(mail).is_none_or(continues)
    }

    /// Notes in the metadata of mail that is sent now for which conversation it is: that of mail to the lead, but for the
    /// first one.
    pub fn mark_conversation(&self, to: &MemberName, metadata: &mut Metadata) {
        let current = self.conversation();
        if to.is_lead() && current != ConversationId::FIRST {
            metadata.conversation = Some(current);
        }
    }

    /// The lead leaves its conversation for another one, or for a new one, with the team or without it.
    pub(super) fn converse(
        &mut self,
        id: ConversationId,
        unfinished: &[MemberName],
        keeps_team: bool,
        at: Timestamp,
    ) {
        let lead = MemberName::lead();
        let old = std::mem::replace(&mut self.conversations.current, id);
        let known = self
            .conversations
            .known
            .entry(id)
            .or_insert_with(|| KnownConversation {
                began: at,
                ..KnownConversation::default()
            });
        known.is_dropped = false;
        let back = known.left.take();
        let has_news = self.board.has_unreported_changes();
        let back = back.unwrap_or_else(|| LeftLead {
            phase: idle(EndReason::Done),
            todos: TodoList::default(),
            has_news: keeps_team && has_news,
            is_unfinished: false,
        });
        if keeps_team {
            self.conversations.take_over(old, id);
        }
        if let Some(member) = self.members.get_mut(&lead) {
            let left = LeftLead {
                phase: std::mem::replace(&mut member.phase, back.phase),
                todos: std::mem::replace(&mut member.todos, back.todos),
                has_news: has_news && !keeps_team,
                is_unfinished: unfinished.contains(&lead),
            };
            self.conversations.known.entry(old).or_default().left = Some(left);
        }
        self.board.mark_reported(self.board.changes());
        if back.has_news {
            self.board.touch_again();
        }
        for name in unfinished.iter().filter(|name| !name.is_lead()) {
            self.pause_member(name, old);
        }
        let returns = |(name, paused): (&MemberName, &Paused)| {
            (paused.conversation == id).then(|| name.clone())
        };
        let returning: Vec<_> = self
            .conversations
            .paused
            .iter()
            .filter_map(returns)
            .collect();
        for name in returning {
            self.unpause(&name);
        }
        self.board.look_for_held_by(&lead, |task| {
            self.conversations.tasks.get(&task) == Some(&id)
        });
    }

    /// No conversation continues automatically.
    pub(super) fn lapse_conversations(&mut self) {
        for left in self
            .conversations
            .known
            .values_mut()
            .filter_map(|known| known.left.as_mut())
        {
            left.phase = idle(EndReason::Interrupted);
            left.is_unfinished = false;
        }
        for paused in self.conversations.paused.values_mut() {
            paused.phase = idle(EndReason::Interrupted);
        }
    }

    /// These members and tasks belong to the current conversation from now on.
    pub(super) fn join(&mut self, members: &[MemberName], tasks: &[TaskId]) {
        let current = self.conversation();
        for name in members {
            self.unpause(name);
            self.conversations.members.insert(name.clone(), current);
        }
        let tasks = tasks.iter().map(|task| (*task, current));
        self.conversations.tasks.extend(tasks);
    }

    fn pause_member(&mut self, name: &MemberName, conversation: ConversationId) {
        let Some(member) = self.members.get_mut(name) else {
            return;
        };
        if !self.conversations.paused.contains_key(name) {
            let what = format!("the lead's conversation {conversation} to go on");
            let waits = idle(EndReason::Waiting { what });
            let phase = std::mem::replace(&mut member.phase, waits);
            let paused = Paused {
                conversation,
                phase,
            };
            self.conversations.paused.insert(name.clone(), paused);
        }
    }

    fn unpause(&mut self, name: &MemberName) {
        if let Some(paused) = self.conversations.paused.remove(name)
            && let Some(member) = self.members.get_mut(name)
        {
            member.phase = paused.phase;
        }
    }
}

fn idle(why: EndReason) -> MemberPhase {
    MemberPhase::Idle { why, turn: None }
}
