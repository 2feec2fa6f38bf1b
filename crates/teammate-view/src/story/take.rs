//! How a story grows with each event of its member.

use std::time::Duration;

use teammate_core::{
    Timestamp, event::EventKind, request::RequestId, team::MemberStatus, tool::CallId,
};

use super::{Call, CallEnd, Doing, DoingKind, ItemKind, Story};

/// Whether what a tool does has an event of its own, which says more: mail with its recipient, changes of tasks. Only failures of
/// its calls are entries.
pub fn has_own_event(tool: &str) -> bool {
    matches!(
        tool,
        "send_message"
            | "broadcast"
            | "create_task"
            | "claim_task"
            | "complete_task"
            | "update_task"
    )
}

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
            EventKind::Spawned { role, woken, .. } => self.push(
                at,
                ItemKind::Began {
                    role: role.clone(),
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
            EventKind::Retrying { why, attempt, .. } => {
                let text = format!("the model failed ({why}); try {attempt} follows");
                self.push(at, ItemKind::Model { text });
            }
            EventKind::ModelChanged { from, to, why } => {
                let text = format!("goes on with {to} instead of {from}: {why}");
                self.push(at, ItemKind::Model { text });
            }
            EventKind::PermissionAnswered {
                question,
                allowed,
                by,
            } => {
                let word = if *allowed { "allowed" } else { "refused" };
                let text = format!("{} {word} ({by})", RequestId::new(*question));
                self.push(at, ItemKind::Request { text });
            }
            EventKind::PermissionAsked { question, tool, .. } => {
                let text = format!(
                    "asks for permission: {tool} ({})",
                    RequestId::new(*question)
                );
                self.push(at, ItemKind::Request { text });
            }
            EventKind::PermissionRefused { tool, hint, .. } => {
                let text = format!("{tool} was refused: {hint}");
                self.push(at, ItemKind::Request { text });
            }
            EventKind::RequestOpened {
                request, kind, to, ..
            } => {
                let text = format!("asks {to}: {kind} ({request})");
                self.push(at, ItemKind::Request { text });
            }
            EventKind::RequestSettled {
                request, kind, how, ..
            } => {
                let text = format!("{kind} {request}: {how}");
                self.push(at, ItemKind::Request { text });
            }
            EventKind::Task {
                task,
                subject,
                change,
                ..
            } => {
                let text = format!("{task} {subject}: {}", change.describe());
                self.push(at, ItemKind::Task { text });
            }
            EventKind::JobStarted { job, title, .. } => {
                let text = format!("{job} runs in the background: {title}");
                self.push(at, ItemKind::Note { text });
            }
            EventKind::JobEnded { job, title, end } => {
                let text = format!("{job} in the background: {end} ({title})");
                self.push(at, ItemKind::Note { text });
            }
            EventKind::Note { text } => self.push(at, ItemKind::Note { text: text.clone() }),
            EventKind::TeamOpened { .. }
            | EventKind::TeamClosed { .. }
            | EventKind::SubagentAnswered { .. }
            | EventKind::MailRecalled { .. }
            | EventKind::PersonSaid { .. } => {}
        }
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

    fn take_doing(&mut self, at: Timestamp, what: &EventKind) {
        let next = match what {
            EventKind::ModelAsked { round, .. } => Some(DoingKind::Asks { round: *round }),
            EventKind::Text { .. } => match self.doing.as_ref().map(|doing| &doing.what) {
                Some(DoingKind::Writes) => return,
                Some(_) | None => Some(DoingKind::Writes),
            },
            EventKind::Retrying {
                why,
                after_ms,
                attempt,
            } => Some(DoingKind::Retries {
                why: why.clone(),
                attempt: *attempt,
                until: at.after(Duration::from_millis(*after_ms)),
            }),
            // What a subagent calls is a part of its member's call.
            EventKind::ToolStarted {
                call,
                tool,
                summary,
                subagent: None,
                ..
            } => Some(DoingKind::Runs {
                call: call.clone(),
                tool: tool.clone(),
                summary: summary.clone(),
            }),
            EventKind::ToolFinished { call, .. } => {
                match self.doing.as_ref().map(|doing| &doing.what) {
                    Some(DoingKind::Runs { call: runs, .. }) if runs == call => None,
                    Some(_) | None => return,
                }
            }
            EventKind::PermissionAsked { question, .. } => Some(DoingKind::WaitsFor {
                request: RequestId::new(*question),
                runs: match self.doing.take().map(|doing| doing.what) {
                    Some(DoingKind::Runs {
                        call,
                        tool,
                        summary,
                    }) => Some((call, tool, summary)),
                    Some(DoingKind::WaitsFor { runs, .. }) => runs,
                    Some(_) | None => None,
                },
            }),
            EventKind::PermissionAnswered { .. } => match self.doing.take().map(|doing| doing.what)
            {
                Some(DoingKind::WaitsFor {
                    runs: Some((call, tool, summary)),
                    ..
                }) => Some(DoingKind::Runs {
                    call,
                    tool,
                    summary,
                }),
                Some(_) | None => None,
            },
            EventKind::ModelAnswered { .. }
            | EventKind::TurnEnded { .. }
            | EventKind::Terminated { .. }
            | EventKind::TeamClosed { .. } => None,
            EventKind::Status { status, .. } if *status != MemberStatus::Working => None,
            EventKind::TeamOpened { .. }
            | EventKind::Compacted { .. }
            | EventKind::Thinking { .. }
            | EventKind::Spawned { .. }
            | EventKind::Status { .. }
            | EventKind::ModelChanged { .. }
            | EventKind::ToolStarted { .. }
            | EventKind::SubagentStarted { .. }
            | EventKind::SubagentAnswered { .. }
            | EventKind::SubagentEnded { .. }
            | EventKind::RequestOpened { .. }
            | EventKind::RequestSettled { .. }
            | EventKind::PermissionRefused { .. }
            | EventKind::PersonSaid { .. }
            | EventKind::MailSent { .. }
            | EventKind::MailHeard { .. }
            | EventKind::MailRecalled { .. }
            | EventKind::Task { .. }
            | EventKind::JobStarted { .. }
            | EventKind::JobEnded { .. }
            | EventKind::Note { .. } => return,
        };
        self.doing = next.map(|what| Doing { what, since: at });
    }

    /// The process that ran the team is gone, or has closed it: nothing is under way.
    pub(crate) fn rest(&mut self) {
        self.doing = None;
        self.writing.clear();
        self.thinking.clear();
    }
}
