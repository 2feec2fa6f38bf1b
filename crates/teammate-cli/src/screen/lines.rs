//! Events as lines for the user: who does what. The lead's own words come as they are.

mod calls;
mod tagged;
mod turns;

use std::collections::BTreeSet;

use teammate::attachments::AttachmentNote;
use teammate::board::{TaskEvent, TaskId};
use teammate::request::RequestId;
use teammate::{
    CallId, ConversationId, Event, EventKind, Job, JobEnd, JobId, MemberName, MessageId,
    MessageKind, Sender,
};

use super::{
    Style, board,
    clean::{clean, clean_line},
    requests::{self, AnswerPlace, Question, RequestText},
};
use tagged::speaker;
use teammate_view::has_own_event;
use turns::model_changed;

/// What an event looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rendered {
    /// One or more whole lines.
    Line(String),
    /// Some more of the lead's text.
    Lead(String),
    /// The lead's answer is complete.
    LeadEnd,
}

/// Renders events.
#[derive(Clone)]
pub(crate) struct EventRenderer {
    style: Style,
    width: Option<usize>,
    /// Whether text of the lead's present answer was streamed.
    has_streamed: bool,
    /// What streamed last was thinking.
    is_thinking: bool,
    /// Members whose failed check was just shown: the failure of their call is no news.
    checked: BTreeSet<MemberName>,
    /// Calls whose refusal was shown: their failure is not shown again.
    refused: BTreeSet<(MemberName, CallId)>,
    /// The last broadcast: one mail per member, but one line.
    broadcast: Option<(MemberName, String)>,
    /// Where the user can answer questions.
    answering: AnswerPlace,
    /// Whether this is a log: the user's messages are shown, and results are not cut.
    is_log: bool,
    /// The user's messages that were not heard yet.
    said: BTreeSet<MessageId>,
}

impl EventRenderer {
    pub(crate) fn new(style: Style, width: Option<usize>) -> Self {
        Self {
            style,
            width,
            has_streamed: false,
            is_thinking: false,
            checked: BTreeSet::new(),
            refused: BTreeSet::new(),
            broadcast: None,
            answering: AnswerPlace::Terminal,
            is_log: false,
            said: BTreeSet::new(),
        }
    }

    /// Renders a log: the user's messages are shown, and results are not cut.
    pub(crate) fn for_log(self) -> Self {
        Self {
            is_log: true,
            ..self
        }
    }

    /// Questions can be answered at a prompt.
    pub(crate) fn at_prompt(self) -> Self {
        Self {
            answering: AnswerPlace::Prompt,
            ..self
        }
    }

    /// The lines of an event; none if it is not shown.
    pub(crate) fn render(&mut self, event: &Event) -> Vec<Rendered> {
        let name = event.member.as_str();
        match &event.what {
            EventKind::Text { delta } if event.member.is_lead() => self.lead_writes(delta),
            EventKind::Thinking { delta } if event.member.is_lead() => self.lead_thinks(delta),
            EventKind::ModelChanged { from, to, why } => {
                self.uncut(name, &self.style.bold(&model_changed(from, to, why)))
            }
            EventKind::ModelAnswered { text, .. } if event.member.is_lead() => {
                self.lead_answered(text)
            }
            EventKind::TeamOpened {
                team,
                members,
                resumed: true,
                pid: _,
                conversation,
            } => {
                let names: Vec<&str> = members.iter().map(MemberName::as_str).collect();
                let conversation = match conversation {
                    Some(id) if *id != ConversationId::FIRST => format!(", conversation {id}"),
                    Some(_) | None => String::new(),
                };
                let names = names.join(", ");
                self.plain(&format!("resumed team '{team}'{conversation}: {names}"))
            }
            EventKind::Spawned { role, woken, .. } => {
                let word = if *woken { "woken" } else { "spawned" };
                self.line(name, &format!("{word} ({role})"))
            }
            EventKind::ToolStarted { tool, .. } if has_own_event(tool) => Vec::new(),
            EventKind::ToolStarted {
                tool,
                summary,
                subagent,
                ..
            } => self.line(
                &speaker(name, subagent.as_deref()),
                &format!("{tool}: {summary}"),
            ),
            EventKind::ToolFinished {
                tool, ok: false, ..
            } if tool == "complete_task" && self.checked.remove(&event.member) => Vec::new(),
            EventKind::ToolFinished {
                call, ok: false, ..
            } if self.refused.remove(&(event.member.clone(), call.clone())) => Vec::new(),
            EventKind::ToolFinished { .. } => self.finished(event),
            EventKind::PersonSaid {
                id,
                to,
                content,
                attachments,
                ..
            } if self.is_log => {
                self.said.insert(id.clone());
                self.user_message(to, content, attachments)
            }
            EventKind::MailHeard {
                id,
                from: Sender::User,
                kind: MessageKind::Message,
                content: Some(content),
                attachments,
            } if self.is_log && !self.said.remove(id) => {
                self.user_message(&event.member, content, attachments)
            }
            EventKind::MailHeard { id, .. } => {
                self.said.remove(id);
                Vec::new()
            }
            EventKind::SubagentStarted { kind, title, .. } => {
                self.line(&speaker(name, Some(kind)), &format!("begins: {title}"))
            }
            EventKind::SubagentEnded {
                kind, ok, summary, ..
            } => self.subagent_ended(&speaker(name, Some(kind)), *ok, summary),
            EventKind::Retrying {
                why,
                after_ms,
                attempt,
            } => self.retrying(name, why, *after_ms, *attempt),
            EventKind::PermissionAsked {
                question,
                tool,
                shows,
                rules,
                deadline,
            } => {
                let question = Question {
                    id: RequestId::new(*question),
                    asker: name,
                    tool,
                    shows,
                    rules,
                    left_ms: deadline.map(|deadline| deadline.millis_since(event.at)),
                    place: None,
                };
                vec![Rendered::Line(question.text(self.answering, self.style))]
            }
            EventKind::PermissionAnswered {
                question,
                allowed,
                by,
            } => self.line(name, &requests::answered(*question, *allowed, by)),
            // The answer to the plan is shown instead.
            EventKind::PermissionRefused { tool, .. } if tool == "submit_plan" => Vec::new(),
            EventKind::PermissionRefused {
                tool,
                shows,
                hint,
                call,
            } => {
                self.refused
                    .extend(call.clone().map(|call| (event.member.clone(), call)));
                self.refused_call(name, tool, shows, hint)
            }
            EventKind::MailSent {
                to,
                kind: MessageKind::Message,
                content,
                ..
            } => self.line(name, &format!("-> {to}: {content}")),
            EventKind::MailSent {
                kind: MessageKind::Broadcast,
                content,
                ..
            } => self.broadcast(&event.member, content),
            EventKind::Compacted {
                how, before, after, ..
            } => self.compacted(name, *how, *before, *after),
            EventKind::Task {
                task,
                subject,
                change,
                ..
            } => self.task(&event.member, *task, subject, change),
            EventKind::RequestOpened {
                request,
                kind,
                from,
                to,
                shows,
                ..
            } => {
                let by = from.to_string();
                match requests::opened(*request, *kind, to, shows, self.answering, self.style) {
                    RequestText::Line(text) => self.line(&by, &text),
                    RequestText::Whole(text) => {
                        vec![Rendered::Line(format!("{} {text}", self.tag(&by)))]
                    }
                }
            }
            EventKind::RequestSettled {
                request,
                kind,
                from,
                state,
                how,
            } => {
                let text = requests::settled(*request, *kind, *state, how, self.style);
                self.line(&from.to_string(), &text)
            }
            EventKind::MailRecalled { to, .. } => {
                self.line(name, &format!("the user took back mail to {to}"))
            }
            EventKind::Terminated { how } => self.line(name, &format!("stopped: {how}")),
            EventKind::TurnEnded { why, result } => self.rested(event, why, result),
            EventKind::JobStarted { job, title, .. } => {
                self.line(name, &format!("{job} in the background: {title}"))
            }
            EventKind::JobEnded { job, title, end } => self.job_ended(name, *job, title, end),
            EventKind::Note { text } => {
                self.uncut(name, &format!("{} {text}", self.style.dim("note:")))
            }
            EventKind::TeamOpened { .. }
            | EventKind::TeamClosed { .. }
            | EventKind::Status { .. }
            | EventKind::ModelAsked { .. }
            | EventKind::Text { .. }
            | EventKind::Thinking { .. }
            | EventKind::ModelAnswered { .. }
            | EventKind::SubagentAnswered { .. }
            | EventKind::PersonSaid { .. }
            | EventKind::MailSent { .. } => Vec::new(),
        }
    }

    fn user_message(
        &self,
        to: &MemberName,
        content: &str,
        attachments: &[AttachmentNote],
    ) -> Vec<Rendered> {
        let mark = self.style.bold(&format!("[you -> {to}]"));
        let text = format!("{mark} {}", clean(content.trim_end()));
        let files = attachments.iter().map(|file| {
            let file = format!("  attached: {file}");
            Rendered::Line(self.style.dim(&clean(&file)))
        });
        std::iter::once(Rendered::Line(text)).chain(files).collect()
    }

    fn task(
        &mut self,
        member: &MemberName,
        id: TaskId,
        subject: &str,
        change: &TaskEvent,
    ) -> Vec<Rendered> {
        if let TaskEvent::CheckFailed { .. } = change {
            self.checked.insert(member.clone());
        }
        let Some(text) = board::task_event_text(id, change, subject, self.style) else {
            return Vec::new();
        };
        let by = change.by().map(|by| by.to_string());
        self.line(by.as_deref().unwrap_or(member.as_str()), &text)
    }

    fn broadcast(&mut self, member: &MemberName, content: &str) -> Vec<Rendered> {
        let said = Some((member.clone(), content.to_owned()));
        if self.broadcast == said {
            return Vec::new();
        }
        self.broadcast = said;
        self.line(member.as_str(), &format!("broadcast: {content}"))
    }

    fn job_ended(&self, name: &str, job: JobId, title: &str, end: &JobEnd) -> Vec<Rendered> {
        let end = match end {
            JobEnd::Done => self.style.good("done"),
            JobEnd::Failed | JobEnd::Lost => self.style.bad(&end.to_string()),
            JobEnd::Stopped { .. } => end.to_string(),
        };
        self.line(name, &format!("{end} {job}: {title}"))
    }
}

/// A job below its member in a roster.
pub(crate) fn job_line(job: &Job) -> String {
    format!("      {}: {}", job.id, clean_line(&job.title))
}

#[cfg(test)]
mod tests;
