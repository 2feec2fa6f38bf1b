//! How a story grows with each event of its member.

use teammate_core::{
    Timestamp,
    cause::Cause,
    event::EventKind,
    request::{Approver, RequestId, RequestKind, RequestStateKind},
    tool::CallId,
};

use super::{
    Call, CallEnd, DoingKind, Item, ItemKind, QuestionEnd, QuestionEndKind, Story, StoryQuestion,
    call::is_asked_by,
};
use crate::{
    text::TextLine,
    wording::{
        answered_by, asks_permission, has_own_event, job_ended, job_started, member_role,
        model_changed, model_retries, question_answered, question_refused, request_opened,
        request_settled, task_in_story,
    },
};

/// The facts that hold parts of what an event tells.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OtherFacts<'a> {
    /// The text of mail that was heard.
    pub(crate) mail: Option<&'a str>,
    /// Why a question is asked.
    pub(crate) cause: Option<&'a Cause>,
}

impl Story {
    /// Takes an event of this member.
    pub(crate) fn take(&mut self, at: Timestamp, what: &EventKind, known: OtherFacts<'_>) {
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
                let text = content.as_deref().or(known.mail).unwrap_or_default();
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
                    role: member_role(role, model.as_ref()),
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
            } => {
                let why = self.reason(why).to_owned();
                self.take_retry(at, &model_retries(&why, *after_ms, *attempt), why);
            }
            EventKind::ModelChanged { from, to, why } => {
                self.take_model(at, &model_changed(from, to, why));
            }
            EventKind::PermissionAsked { .. }
            | EventKind::PermissionAnswered { .. }
            | EventKind::PermissionRefused { .. }
            | EventKind::RequestOpened { .. }
            | EventKind::RequestSettled { .. } => self.take_question(at, what, known.cause),
            EventKind::Task {
                task,
                subject,
                change,
                ..
            } => {
                let text = task_in_story(*task, subject, change).plain();
                self.push(at, ItemKind::Task { text });
            }
            EventKind::JobStarted { job, title, .. } => {
                let text = job_started(*job, title).plain();
                self.push(at, ItemKind::Note { text });
            }
            EventKind::JobEnded { job, title, end } => {
                let text = job_ended(*job, title, end).plain();
                self.push(at, ItemKind::Note { text });
            }
            EventKind::ToolProgress { call, text } => self.take_progress(call, text),
            EventKind::Note { text, .. } => self.push(at, ItemKind::Note { text: text.clone() }),
            EventKind::TeamOpened { .. }
            | EventKind::TeamClosed { .. }
            | EventKind::SubagentAnswered { .. }
            | EventKind::MailRecalled { .. }
            | EventKind::PersonSaid { .. } => {}
        }
    }

    fn take_model(&mut self, at: Timestamp, text: &TextLine) {
        let (text, retries) = (text.plain(), None);
        self.push(at, ItemKind::Model { text, retries });
    }

    /// Tries for one reason are one entry, which says the last of them.
    fn take_retry(&mut self, at: Timestamp, text: &TextLine, why: String) {
        let last = self.items.back_mut();
        let same = last.filter(|last| last.retries() == Some(&why));
        let what = ItemKind::Model {
            text: text.plain(),
            retries: Some(why),
        };
        match same {
            Some(same) => *same = Item { at, what },
            None => self.push(at, what),
        }
    }

    /// A failure's reason, without the model that stands before it: the story says once which that is.
    pub(super) fn reason<'a>(&self, why: &'a str) -> &'a str {
        let model = self.model.as_deref().unwrap_or_default();
        let reason = why.strip_prefix(model);
        let reason = reason.and_then(|rest| rest.strip_prefix(": "));
        reason.unwrap_or(why)
    }

    /// An entry about a request, and about the call that asks, if that is known.
    fn take_request(&mut self, at: Timestamp, text: &TextLine, call: Option<CallId>) {
        let text = text.plain();
        self.push(at, ItemKind::Request { text, call });
    }

    fn take_question(&mut self, at: Timestamp, what: &EventKind, cause: Option<&Cause>) {
        match what {
            EventKind::PermissionAsked { question, tool, .. } => {
                let request = RequestId::new(*question);
                let call = self.ask_of_call(at, (request, tool), cause);
                self.take_request(at, &asks_permission(*question, tool), call);
            }
            EventKind::PermissionAnswered {
                question,
                allowed,
                by,
                device,
            } => {
                let end = QuestionEnd::of(at, *allowed, by);
                let call = self.answered(RequestId::new(*question), &end);
                let by = answered_by(by, device.as_ref());
                self.take_request(at, &question_answered(*question, *allowed, &by, None), call);
            }
            EventKind::PermissionRefused {
                tool,
                shows,
                hint,
                call,
            } => {
                if let Some(call) = call.as_ref().and_then(|id| self.call_mut(id)) {
                    call.is_unasked = true;
                }
                // The hint is said nowhere else.
                self.take_request(at, &question_refused(tool, shows, hint), None);
            }
            EventKind::RequestOpened {
                request,
                kind,
                to,
                shows,
                ..
            } => {
                if *kind == RequestKind::Plan && *to == Approver::User.to_string() {
                    self.ask(StoryQuestion::open(*request, at));
                }
                self.take_request(at, &request_opened(*request, *kind, to, shows), None);
            }
            EventKind::RequestSettled {
                request,
                kind,
                state,
                how,
                ..
            } => {
                let how_it_ended = match state {
                    RequestStateKind::Approved => QuestionEndKind::Allowed,
                    RequestStateKind::Rejected => QuestionEndKind::Denied,
                    RequestStateKind::Expired => QuestionEndKind::Expired,
                    RequestStateKind::Cancelled | RequestStateKind::Pending => {
                        QuestionEndKind::Withdrawn
                    }
                };
                let end = QuestionEnd {
                    at,
                    how: how_it_ended,
                    by: None,
                };
                self.answered(*request, &end);
                self.take_request(at, &request_settled(*request, *kind, *state, how), None);
            }
            _ => {}
        }
    }

    /// The open calls that ask this question, and the innermost of them: the one that was begun last. Where the record of the
    /// question is not known, it is the one that ran when it was asked.
    fn ask_of_call(
        &mut self,
        at: Timestamp,
        (request, tool): (RequestId, &str),
        cause: Option<&Cause>,
    ) -> Option<CallId> {
        let runs = match self.doing.as_ref().map(|doing| &doing.what) {
            Some(DoingKind::WaitsFor { runs, .. }) => runs.as_ref().map(|(call, ..)| call.clone()),
            Some(_) | None => None,
        };
        let asks = |call: &Call| match cause {
            Some(cause) => is_asked_by(cause, &call.id),
            None => runs.as_ref() == Some(&call.id),
        };
        let mut innermost = None;
        for item in self.items.iter_mut().rev() {
            if let ItemKind::Called(call) = &mut item.what
                && call.ended.is_none()
                && asks(call)
            {
                call.ask(request, at, tool, innermost.is_some());
                innermost.get_or_insert_with(|| call.id.clone());
            }
        }
        if innermost.is_none() {
            self.ask(StoryQuestion::open(request, at));
        }
        innermost
    }

    /// A question has ended; the innermost call that asked it.
    fn answered(&mut self, request: RequestId, end: &QuestionEnd) -> Option<CallId> {
        let mut innermost = None;
        for item in self.items.iter_mut().rev() {
            if let ItemKind::Called(call) = &mut item.what
                && call.answered(request, end)
            {
                innermost.get_or_insert_with(|| call.id.clone());
            }
        }
        let mut others = self.questions.iter_mut();
        let other = others.find(|one| one.request == request && one.ended.is_none());
        if let Some(question) = other {
            question.ended = Some(end.clone());
        }
        innermost
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
                    asked: Vec::new(),
                    is_unasked: false,
                    is_cut: false,
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
                refused,
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
                    refused: *refused,
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
                            asked: Vec::new(),
                            is_unasked: false,
                            is_cut: false,
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
        for item in &mut self.items {
            if let ItemKind::Called(call) = &mut item.what {
                call.is_cut = call.ended.is_none();
            }
        }
    }
}
