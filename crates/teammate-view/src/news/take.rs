//! Which events are news, and which another event has said already.

use crate::t;
use teammate_core::{
    MemberName, MessageKind, Sender,
    attachment::AttachmentNote,
    board::TaskEvent,
    event::{Compaction, Event, EventKind},
    name::WorkerName,
    request::{Approver, RequestId, RequestKind, permission_title},
    team::ConversationId,
    transcript::EndReason,
};

use super::{AskedPermission, News, NewsFold, calls::speaker};
use crate::{
    clean::{clean, clean_line},
    text::{TextLine, TextRole},
    wording::{
        answered_by, call_started, conversation_compacted, has_own_event, job_ended, job_started,
        member_began, member_role, member_stopped, model_changed, model_retries, plain,
        question_answered, question_refused, request_opened, request_settled, subagent_began,
        subagent_ended, task_changed, turn_ended,
    },
};

impl NewsFold {
    /// The news in this event; nothing if it is not worth a line, or another event has said it.
    pub fn take(&mut self, event: &Event) -> Vec<News> {
        let member = &event.member;
        let line = |text| vec![line(member.as_str(), text)];
        let whole = |text| vec![whole(member.as_str(), text)];
        match &event.what {
            EventKind::ModelAsked { .. } if member.is_lead() => {
                self.lead_asks();
                Vec::new()
            }
            EventKind::Text { delta } if member.is_lead() => self.lead_writes(delta),
            EventKind::Thinking { delta } if member.is_lead() => self.lead_thinks(delta),
            EventKind::ModelAnswered { text, .. } if member.is_lead() => self.lead_answered(text),
            EventKind::TeamOpened {
                team,
                members,
                resumed: true,
                pid: _,
                conversation,
                worker,
            } => vec![resumed(team, members, *conversation, worker.as_ref())],
            EventKind::Spawned {
                role, woken, model, ..
            } => line(member_began(&member_role(role, model.as_ref()), *woken)),
            EventKind::TurnEnded { why, result } => self.turn_ended(member, why, result),
            EventKind::Terminated { how } => line(member_stopped(how)),
            EventKind::Retrying {
                why,
                after_ms,
                attempt,
            } => whole(model_retries(why, *after_ms, *attempt)),
            EventKind::ModelChanged { from, to, why } => whole(model_changed(from, to, why)),
            EventKind::Compacted {
                how, before, after, ..
            } => whole(compacted(member, *how, *before, *after)),
            EventKind::ToolStarted { tool, .. } if has_own_event(tool) => Vec::new(),
            EventKind::ToolStarted {
                tool,
                summary,
                subagent,
                ..
            } => vec![News::Line {
                who: speaker(member, subagent.as_deref()),
                text: call_started(tool, summary),
            }],
            EventKind::ToolFinished { .. } => self.call_ended(member, &event.what),
            EventKind::SubagentStarted { kind, title, .. } => vec![News::Line {
                who: speaker(member, Some(kind)),
                text: subagent_began(title),
            }],
            EventKind::SubagentEnded {
                kind, ok, summary, ..
            } => vec![News::Line {
                who: speaker(member, Some(kind)),
                text: subagent_ended(*ok, summary),
            }],
            EventKind::PermissionAsked {
                question,
                tool,
                shows,
                rules,
                deadline,
            } => {
                let title = permission_title(tool, shows, None);
                self.asked.insert(*question, title);
                vec![News::Question(AskedPermission {
                    id: RequestId::new(*question),
                    who: member.clone(),
                    tool: tool.clone(),
                    shows: shows.clone(),
                    rules: rules.clone(),
                    left_ms: deadline.map(|deadline| deadline.millis_since(event.at)),
                })]
            }
            EventKind::PermissionAnswered {
                question,
                allowed,
                by,
                device,
            } => {
                let about = self.asked.remove(question);
                let by = answered_by(by, device.as_ref());
                line(question_answered(
                    *question,
                    *allowed,
                    &by,
                    about.as_deref(),
                ))
            }
            // The answer to the plan says it.
            EventKind::PermissionRefused { tool, .. } if tool == "submit_plan" => Vec::new(),
            EventKind::PermissionRefused {
                tool,
                shows,
                hint,
                call,
            } => {
                let call = call.clone().map(|call| (member.clone(), call));
                self.refused.extend(call);
                whole(question_refused(tool, shows, hint))
            }
            EventKind::RequestOpened {
                request,
                kind: RequestKind::Plan,
                from,
                to,
                shows,
                ..
            } if *to == Approver::User.to_string() => vec![News::Plan {
                request: *request,
                who: clean_line(&from.to_string()),
                shows: shows.clone(),
            }],
            EventKind::RequestOpened {
                request,
                kind,
                from,
                to,
                shows,
                ..
            } => by(from, request_opened(*request, *kind, to, shows)),
            EventKind::RequestSettled {
                request,
                kind,
                from,
                state,
                how,
            } => by(from, request_settled(*request, *kind, *state, how)),
            EventKind::PersonSaid {
                id,
                to,
                content,
                attachments,
                ..
            } => {
                self.said.insert(id.clone());
                vec![user_said(to, content, attachments)]
            }
            EventKind::MailHeard {
                id,
                from: Sender::User,
                kind: MessageKind::Message,
                content: Some(content),
                attachments,
            } if !self.said.remove(id) => vec![user_said(member, content, attachments)],
            EventKind::MailHeard { id, .. } => {
                self.said.remove(id);
                Vec::new()
            }
            EventKind::MailRecalled { id, to } => {
                self.said.remove(id);
                line(plain(&t!("the user took back mail to {to}", to)))
            }
            EventKind::MailSent {
                to,
                kind: MessageKind::Message,
                content,
                ..
            } => line(plain(&format!("-> {to}: {content}"))),
            EventKind::MailSent {
                kind: MessageKind::Broadcast,
                content,
                ..
            } => self.broadcast(member, content),
            EventKind::Task {
                task,
                subject,
                change,
                ..
            } => {
                if let TaskEvent::CheckFailed { .. } = **change {
                    self.checked.insert(member.clone());
                }
                let who = change.by().unwrap_or(Sender::Member(member.clone()));
                let text = task_changed(*task, subject, change);
                text.map_or_else(Vec::new, |text| by(&who, text))
            }
            EventKind::JobStarted { job, title, .. } => line(job_started(*job, title)),
            EventKind::JobEnded { job, title, end } => line(job_ended(*job, title, end)),
            EventKind::Note { text, .. } => {
                let mut note = TextLine::of(t("note:"), TextRole::Dim);
                note.push(&clean_line(&format!(" {text}")), TextRole::Plain);
                whole(note)
            }
            EventKind::TeamOpened { .. }
            | EventKind::TeamClosed { .. }
            | EventKind::Status { .. }
            | EventKind::ModelAsked { .. }
            | EventKind::Text { .. }
            | EventKind::Thinking { .. }
            | EventKind::ToolProgress { .. }
            | EventKind::ModelAnswered { .. }
            | EventKind::SubagentAnswered { .. }
            | EventKind::MailSent { .. } => Vec::new(),
        }
    }

    fn turn_ended(&mut self, member: &MemberName, why: &EndReason, result: &str) -> Vec<News> {
        let cut = member.is_lead().then(|| self.lead_rests()).flatten();
        let text = turn_ended(why, result);
        let told = match why {
            // Its answer was the result.
            EndReason::Done if member.is_lead() => None,
            EndReason::Done => Some(News::Result {
                who: member.to_string(),
                text: clean(result.trim_end()).into_owned(),
            }),
            EndReason::Interrupted | EndReason::Waiting { .. } => Some(line(member.as_str(), text)),
            EndReason::Failed { .. } | EndReason::Limit { .. } => {
                Some(whole(member.as_str(), text))
            }
        };
        cut.into_iter().chain(told).collect()
    }

    fn broadcast(&mut self, member: &MemberName, content: &str) -> Vec<News> {
        let said = Some((member.clone(), content.to_owned()));
        if self.broadcast == said {
            return Vec::new();
        }
        self.broadcast = said;
        vec![line(
            member.as_str(),
            plain(&t!("broadcast: {content}", content)),
        )]
    }
}

fn line(who: &str, text: TextLine) -> News {
    let who = who.to_owned();
    News::Line { who, text }
}

fn whole(who: &str, text: TextLine) -> News {
    let who = who.to_owned();
    News::Whole { who, text }
}

fn by(who: &Sender, text: TextLine) -> Vec<News> {
    vec![line(&clean_line(&who.to_string()), text)]
}

fn resumed(
    team: &str,
    members: &[MemberName],
    conversation: Option<ConversationId>,
    worker: Option<&WorkerName>,
) -> News {
    if let Some(worker) = worker {
        let text = t!("worker '{worker}' runs the lead now", worker);
        return News::Team(TextLine::of(clean_line(&text), TextRole::Dim));
    }
    let names: Vec<&str> = members.iter().map(MemberName::as_str).collect();
    let conversation = match conversation {
        Some(id) if id != ConversationId::FIRST => t!(", conversation {id}", id),
        Some(_) | None => String::new(),
    };
    let text = t!(
        "resumed team '{team}'{conversation}: {names}",
        team,
        conversation,
        names = names.join(", ")
    );
    News::Team(TextLine::of(clean_line(&text), TextRole::Dim))
}

/// Where the whole of a summarized conversation is, is a part of the news.
fn compacted(member: &MemberName, how: Compaction, before: u64, after: u64) -> TextLine {
    let mut text = conversation_compacted(how, before, after);
    if how == Compaction::Summarized {
        let place = format!("; all of it stays in .team/agents/{member}/transcript.jsonl");
        text.push(&place, TextRole::Dim);
    }
    text
}

fn user_said(to: &MemberName, content: &str, attachments: &[AttachmentNote]) -> News {
    let files = attachments.iter();
    News::UserSaid {
        to: to.clone(),
        text: clean(content.trim_end()).into_owned(),
        files: files.map(|file| clean_line(&file.to_string())).collect(),
    }
}
