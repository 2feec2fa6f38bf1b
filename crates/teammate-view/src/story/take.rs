//! How a story grows with each event of its member.

use teammate_core::{Timestamp, event::EventKind, tool::CallId};

use super::{Call, CallEnd, ItemKind, Story};
use crate::{
    text::TextLine,
    wording::{calls::has_own_event, jobs, members, models, requests, tasks},
};

impl Story {
    /// Takes an event of this member. `mail` is the text of mail that was heard, where another fact held it.
    pub(crate) fn take(&mut self, at: Timestamp, what: &EventKind, mail: Option<&str>) {
        self.last_event = Some(at);
        self.take_doing(at, what);
        match what {
            EventKind::Text { delta } => self.writing.push_str(delta),
            EventKind::Thinking { delta } => self.thinking.push_str(delta),
            EventKind::Status { waits, .. } => self.waits.clone_from(waits),
            EventKind::ModelAnswered { text, context, .. } => {
                self.context = context.or(self.context);
                self.writing.clear();
                self.thinking.clear();
                if !text.trim().is_empty() {
                    self.push(at, ItemKind::Said { text: text.clone() });
                }
            }
            EventKind::ModelAsked { round, model, .. } => {
                self.writing.clear();
                self.thinking.clear();
                self.round = *round;
                self.model = Some(model.clone());
            }
            EventKind::MailHeard {
                id,
                from,
                kind,
                content,
                ..
            } => {
                let text = content.as_deref().or(mail).unwrap_or_default();
                let (id, from, kind) = (id.clone(), from.clone(), *kind);
                self.push(
                    at,
                    ItemKind::Heard {
                        id,
                        from,
                        kind,
                        text: text.to_owned(),
                    },
                );
            }
            EventKind::MailSent {
                id, to, content, ..
            } => self.sent(at, id, to.as_str(), content),
            EventKind::ToolStarted { .. } | EventKind::ToolFinished { .. } => {
                self.take_call(at, what);
            }
            EventKind::SubagentStarted { .. } | EventKind::SubagentEnded { .. } => {
                self.take_subagent(at, what);
            }
            EventKind::Spawned {
                role, woken, model, ..
            } => self.push(
                at,
                ItemKind::Began {
                    role: members::role(role, model.as_ref()),
                    woken: *woken,
                },
            ),
            EventKind::TurnEnded { why, .. } => {
                self.round = 0;
                self.push(at, ItemKind::Rested { why: why.clone() });
            }
            EventKind::Terminated { how } => {
                self.push(at, ItemKind::Stopped { how: how.clone() });
            }
            EventKind::Compacted {
                how, before, after, ..
            } => self.push(
                at,
                ItemKind::Compacted {
                    how: *how,
                    before: *before,
                    after: *after,
                },
            ),
            EventKind::Retrying {
                why,
                after_ms,
                attempt,
            } => self.take_model(at, &models::retrying(why, *after_ms, *attempt)),
            EventKind::ModelChanged { from, to, why } => {
                self.take_model(at, &models::changed(from, to, why));
            }
            EventKind::PermissionAsked { question, tool, .. } => {
                self.take_request(at, &requests::asks_permission(*question, tool));
            }
            EventKind::PermissionAnswered {
                question,
                allowed,
                by,
            } => self.take_request(at, &requests::answered(*question, *allowed, by)),
            EventKind::PermissionRefused {
                tool, shows, hint, ..
            } => self.take_request(at, &requests::refused(tool, shows, hint)),
            EventKind::RequestOpened {
                request,
                kind,
                to,
                shows,
                ..
            } => self.take_request(at, &requests::opened(*request, *kind, to, shows)),
            EventKind::RequestSettled {
                request,
                kind,
                state,
                how,
                ..
            } => self.take_request(at, &requests::settled(*request, *kind, *state, how)),
            EventKind::Task {
                task,
                subject,
                change,
                ..
            } => {
                let text = tasks::in_story(*task, subject, change).plain();
                self.push(at, ItemKind::Task { text });
            }
            EventKind::JobStarted { job, title, .. } => {
                let text = jobs::started(*job, title).plain();
                self.push(at, ItemKind::Note { text });
            }
            EventKind::JobEnded { job, title, end } => {
                let text = jobs::ended(*job, title, end).plain();
                self.push(at, ItemKind::Note { text });
            }
            EventKind::Note { text, .. } => self.push(at, ItemKind::Note { text: text.clone() }),
            EventKind::TeamOpened { .. }
            | EventKind::TeamClosed { .. }
            | EventKind::ToolProgress { .. }
            | EventKind::SubagentAnswered { .. }
            | EventKind::MailRecalled { .. }
            | EventKind::PersonSaid { .. } => {}
        }
    }

    fn take_model(&mut self, at: Timestamp, text: &TextLine) {
        let text = text.plain();
        self.push(at, ItemKind::Model { text });
    }

    fn take_request(&mut self, at: Timestamp, text: &TextLine) {
        let text = text.plain();
        self.push(at, ItemKind::Request { text });
    }

    /// A broadcast is one entry with many recipients.
    fn sent(&mut self, at: Timestamp, id: &teammate_core::MessageId, to: &str, content: &str) {
        let is_same =
            |what: &ItemKind| matches!(what, ItemKind::Sent { id: known, .. } if known == id);
        // A host that was killed says again what it had sent.
        if self.items.iter().rev().any(|item| is_same(&item.what)) {
            return;
        }
        if let Some(item) = self.items.back_mut()
            && let ItemKind::Sent {
                to: others, text, ..
            } = &mut item.what
            && text == content
        {
            others.push(to.to_owned());
            return;
        }
        self.push(
            at,
            ItemKind::Sent {
                id: id.clone(),
                to: vec![to.to_owned()],
                text: content.to_owned(),
            },
        );
    }

    fn take_call(&mut self, at: Timestamp, what: &EventKind) {
        match what {
            EventKind::ToolStarted { tool, .. } if has_own_event(tool) => {}
            EventKind::ToolStarted {
                call,
                tool,
                summary,
                input,
                subagent,
            } => self.push(
                at,
                ItemKind::Called(Box::new(Call {
                    id: call.clone(),
                    tool: tool.clone(),
                    summary: summary.clone(),
                    input: input.clone(),
                    subagent: subagent.clone(),
                    ended: None,
                })),
            ),
            EventKind::ToolFinished {
                call,
                tool,
                ok,
                summary,
                took_ms,
                exit,
                lines,
                file,
                output,
                change,
                ..
            } => {
                let end = CallEnd {
                    ok: *ok,
                    summary: summary.clone(),
                    took_ms: *took_ms,
                    exit: *exit,
                    lines: *lines,
                    file: file.clone(),
                    output: output.clone(),
                    change: change.clone(),
                };
                if let Some(known) = self.call_mut(call) {
                    known.ended = Some(end);
                } else if !ok {
                    self.push(
                        at,
                        ItemKind::Called(Box::new(Call {
                            id: call.clone(),
                            tool: tool.clone(),
                            summary: String::new(),
                            input: None,
                            subagent: None,
                            ended: Some(end),
                        })),
                    );
                }
            }
            _ => {}
        }
    }

    fn take_subagent(&mut self, at: Timestamp, what: &EventKind) {
        match what {
            EventKind::SubagentStarted { kind, title, .. } => self.push(
                at,
                ItemKind::Subagent {
                    kind: kind.clone(),
                    title: title.clone(),
                    ended: None,
                },
            ),
            EventKind::SubagentEnded {
                kind, ok, summary, ..
            } => {
                let is_open = |item: &ItemKind| matches!(item, ItemKind::Subagent { kind: known, ended: None, .. } if known == kind);
                if let Some(ItemKind::Subagent { ended, .. }) = self.last_where(is_open) {
                    *ended = Some((*ok, summary.clone()));
                }
            }
            _ => {}
        }
    }

    fn call_mut(&mut self, id: &CallId) -> Option<&mut Call> {
        let is_it = |item: &ItemKind| matches!(item, ItemKind::Called(call) if call.id == *id && call.ended.is_none());
        match self.last_where(is_it) {
            Some(ItemKind::Called(call)) => Some(call),
            Some(_) | None => None,
        }
    }

    /// The process that ran the team is gone, or has closed it: nothing is under way.
    pub(crate) fn rest(&mut self) {
        self.doing = None;
        self.writing.clear();
        self.thinking.clear();
    }
}
