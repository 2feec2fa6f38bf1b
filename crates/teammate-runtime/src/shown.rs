//! The form of a tool call (what was asked for, beginning and end of what it printed) and of mail in the event stream.

use std::{collections::BTreeSet, sync::Mutex};

use teammate_core::{
    Message, MessageId, MessageKind, Sender,
    event::{EventKind, Excerpt, INPUT_BYTES_MAX},
    lock::Hold,
    model::Reply,
    secrets::Secrets,
    tool::{CallId, EffectClass, Outcome, ToolCall, ToolInput},
};

use crate::identity::Toolset;

/// The most characters of arguments that stand in for a summary.
const SUMMARY_CHARS_MAX: usize = 100;

/// A call begins. Without a summary (its arguments were refused) the arguments stand in its place.
pub(crate) fn started(
    call: &ToolCall,
    summary: Option<&str>,
    subagent: Option<&str>,
    secrets: &Secrets,
) -> EventKind {
    let input = match &call.input {
        ToolInput::Json(json) => json.get(),
        ToolInput::Damaged(text) => text,
    };
    let input = secrets.redact(input);
    let summary = summary.map_or_else(
        || {
            let line = input.split_whitespace().collect::<Vec<_>>().join(" ");
            line.chars().take(SUMMARY_CHARS_MAX).collect()
        },
        |summary| secrets.redact(summary).into_owned(),
    );
    EventKind::ToolStarted {
        call: call.id.clone(),
        tool: call.name.clone(),
        summary,
        input: Some(input[..input.floor_char_boundary(INPUT_BYTES_MAX)].to_owned()),
        subagent: subagent.map(str::to_owned),
    }
}

/// A call ended. Its outcome no longer holds secrets. `class` is `None` for an unknown tool.
pub(crate) fn finished(
    (call, tool): (&CallId, &str),
    class: Option<EffectClass>,
    outcome: &Outcome,
    took_ms: u64,
    subagent: Option<&str>,
) -> EventKind {
    let text = outcome.text();
    let (printed, exit, file) = match &outcome.ran {
        // The last line shows how it ended.
        Some(ran) => (
            text.strip_suffix(&ran.ending).unwrap_or(&text),
            ran.exit,
            ran.file.clone(),
        ),
        None => (text.as_str(), None, None),
    };
    let (bytes, lines) = match &outcome.ran {
        Some(ran) => (ran.bytes, ran.lines),
        None => (printed.len() as u64, printed.lines().count() as u64),
    };
    let summary = match &outcome.ran {
        // With the output.
        Some(ran) if outcome.is_error => ran.ending.clone(),
        Some(_) | None => first_line(&text),
    };
    // Team tools have their own events.
    let is_told = class != Some(EffectClass::Team) || outcome.is_error;
    EventKind::ToolFinished {
        call: call.clone(),
        tool: tool.to_owned(),
        ok: !outcome.is_error,
        summary,
        took_ms,
        exit,
        bytes: is_told.then_some(bytes),
        lines: is_told.then_some(lines),
        file,
        output: (is_told && bytes > 0).then(|| Excerpt::of(printed)),
        change: outcome.change.clone().map(|change| Box::new(change.cut())),
        merge: outcome.merge.clone(),
        refused: outcome.refused,
        subagent: subagent.map(str::to_owned),
    }
}

/// Messages of the user in this program that no member has heard yet: they have their own event.
#[derive(Default)]
pub(crate) struct UnheardMessages(Mutex<BTreeSet<MessageId>>);

impl UnheardMessages {
    /// Emits a message of the user. Call it before sending, so that no member hears it before.
    pub(crate) fn by_person(&self, id: MessageId) {
        self.0.hold().insert(id);
    }

    /// A member heard mail. Has the content if no other event does.
    pub(crate) fn heard(&self, message: Message) -> EventKind {
        let is_told = match &message.from {
            // Assignments are in the journal, and no post brings them.
            Sender::Member(_) => message.kind != MessageKind::TaskAssignment,
            Sender::User => self.0.hold().remove(&message.id),
            Sender::System | Sender::Unverified(_) => false,
        };
        EventKind::MailHeard {
            id: message.id,
            from: message.from,
            kind: message.kind,
            attachments: match is_told {
                true => Vec::new(),
                false => message.metadata.attachments.notes(),
            },
            content: (!is_told).then_some(message.content),
        }
    }
}

/// Calls of tools that the member does not have. No tool runs, so the event comes with the outcome.
#[derive(Default)]
pub(crate) struct UnknownCalls(Vec<ToolCall>);

impl UnknownCalls {
    /// The model answered with these calls.
    pub(crate) fn answered(&mut self, reply: &Reply, toolset: &Toolset) {
        let mut calls = reply.calls();
        calls.retain(|call| toolset.tool(&call.name).is_none());
        self.0 = calls;
    }

    /// The events of outcomes.
    pub(crate) fn done(
        &mut self,
        outcomes: &[(CallId, Outcome)],
        subagent: Option<&str>,
        secrets: &Secrets,
    ) -> Vec<EventKind> {
        let mut told = Vec::new();
        for (id, outcome) in outcomes {
            if let Some(at) = self.0.iter().position(|call| call.id == *id) {
                let call = self.0.remove(at);
                told.push(started(&call, None, subagent, secrets));
                told.push(finished((id, &call.name), None, outcome, 0, subagent));
            }
        }
        told
    }
}

/// The first line with something in it, cut at 200 characters; " ..." marks that there is more.
pub(crate) fn first_line(text: &str) -> String {
    const SHOWN_MAX: usize = 200;
    let line = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let mut shown: String = line.chars().take(SHOWN_MAX).collect();
    if shown.len() < text.trim_end().len() {
        shown.push_str(" ...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use teammate_core::{
        event::{Excerpt, OUTPUT_BYTES_MAX},
        tool::Ran,
    };

    use super::*;

    fn call(input: &str) -> ToolCall {
        ToolCall {
            id: CallId::new("c1".into()),
            name: "bash".into(),
            input: ToolInput::from_json(input.to_owned()),
        }
    }

    #[test]
    fn arguments_are_told_without_secrets_and_up_to_a_limit() {
        let secrets = Secrets::new([("KEY".to_owned(), "hunter2-hunter2".to_owned())]);
        let long = format!(
            "{{\"command\":\n\"echo hunter2-hunter2 {}\"}}",
            "ñ".repeat(5_000)
        );
        let EventKind::ToolStarted { summary, input, .. } =
            started(&call(&long), None, None, &secrets)
        else {
            panic!()
        };
        let start = "{\"command\":\n\"echo [secret KEY] ñ";
        let input = input.unwrap();
        assert!(input.starts_with(start) && input.len() <= INPUT_BYTES_MAX);
        assert!(summary.starts_with("{\"command\": \"echo [secret KEY] ñ"));
        assert_eq!(summary.chars().count(), SUMMARY_CHARS_MAX);
    }

    #[test]
    fn the_excerpt_of_an_output_leaves_out_the_exit_status() {
        let ran = Ran {
            exit: Some(1),
            bytes: 3,
            lines: 1,
            file: None,
            ending: "exit status 1".into(),
        };
        let outcome = Outcome {
            ran: Some(Box::new(ran)),
            ..Outcome::error("no\nexit status 1")
        };
        let class = Some(EffectClass::Executes);
        let told = finished((&call("{}").id, "bash"), class, &outcome, 5, None);
        let EventKind::ToolFinished {
            summary,
            exit,
            lines,
            output,
            ..
        } = told
        else {
            panic!()
        };
        assert_eq!(
            (summary.as_str(), exit, lines),
            ("exit status 1", Some(1), Some(1))
        );
        assert_eq!(output.unwrap().head, "no\n");
    }

    #[test]
    fn what_the_team_alone_sees_is_told_by_other_events_and_all_else_in_part() {
        let outcome = Outcome::ok("x\n".repeat(10_000));
        let of = |class| finished((&call("{}").id, "x"), Some(class), &outcome, 5, None);
        let EventKind::ToolFinished {
            output: None,
            bytes: None,
            ..
        } = of(EffectClass::Team)
        else {
            panic!()
        };
        let EventKind::ToolFinished {
            output: Some(Excerpt { head, tail }),
            bytes: Some(20_000),
            ..
        } = of(EffectClass::Reads)
        else {
            panic!()
        };
        assert!(head.len() + tail.len() <= OUTPUT_BYTES_MAX && !tail.is_empty());
    }
}
