//! Who works and for how long: the text of the status line, from the events.

use std::collections::BTreeMap;

use teammate::{Event, EventKind, MemberName, MemberStatus};
use tokio::time::Instant;

use crate::screen::{Style, clean_line, fit};

/// What members are doing, those who rest left out.
#[derive(Default)]
pub(super) struct Status(BTreeMap<MemberName, Doing>);

struct Doing {
    what: Kind,
    since: Instant,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// Its model was asked.
    Thinks,
    /// Its answer streams.
    Writes,
    /// Its model could not be reached; retrying.
    Retries,
    /// A tool runs; the call id matches its end.
    Tool { call: String, name: String },
    /// The user is asked.
    Asks { call: Option<(String, String)> },
}

impl Status {
    /// Takes an event that came at `now`.
    pub(super) fn take(&mut self, event: &Event, now: Instant) {
        let member = &event.member;
        match &event.what {
            EventKind::ModelAsked { .. } => self.begin(member, Kind::Thinks, now),
            EventKind::Text { .. } => {
                if let Some(doing) = self.0.get_mut(member)
                    && doing.what == Kind::Thinks
                {
                    doing.what = Kind::Writes;
                }
            }
            EventKind::Thinking { .. } => {}
            EventKind::Retrying { .. } => self.begin(member, Kind::Retries, now),
            // What a subagent calls is part of its member's call.
            EventKind::ToolStarted {
                call,
                tool,
                subagent: None,
                ..
            } => {
                let (call, name) = (call.to_string(), tool.clone());
                self.begin(member, Kind::Tool { call, name }, now);
            }
            EventKind::ToolFinished { call, .. } => self.tool_ended(member, call.as_str()),
            EventKind::TeamClosed { .. } => self.0.clear(),
            EventKind::PermissionAsked { .. } => self.asks(member, now),
            EventKind::PermissionAnswered { .. } => self.continue_tool(member, now),
            EventKind::ModelAnswered { .. }
            | EventKind::TurnEnded { .. }
            | EventKind::Terminated { .. }
            | EventKind::Compacted { .. } => {
                self.0.remove(member);
            }
            EventKind::Status { status, .. } if *status != MemberStatus::Working => {
                self.0.remove(member);
            }
            EventKind::TeamOpened { .. }
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
            | EventKind::Note { .. } => {}
        }
    }

    /// Whether a member does something that takes time. Waiting for the user does not count.
    pub(super) fn is_moving(&self) -> bool {
        self.0
            .values()
            .any(|doing| !matches!(doing.what, Kind::Asks { .. }))
    }

    /// `lead thinks 12 s, alice bash 3 s`, cut to the width; `None` if no member works. The lead comes first.
    pub(super) fn line(&self, now: Instant, style: Style, width: Option<usize>) -> Option<String> {
        if !self.is_moving() {
            return None;
        }
        let mut members: Vec<_> = self.0.iter().collect();
        members.sort_by_key(|(name, _)| !name.is_lead());
        let parts: Vec<String> = members
            .into_iter()
            .map(|(name, doing)| {
                let seconds = now.duration_since(doing.since).as_secs();
                format!("{name} {}", doing.what.text(seconds))
            })
            .collect();
        // A line that fills its row would take two.
        let width = width.map(|width| width.saturating_sub(1));
        Some(style.dim(&fit(&clean_line(&parts.join(", ")), width)))
    }

    fn begin(&mut self, member: &MemberName, what: Kind, now: Instant) {
        self.0.insert(member.clone(), Doing { what, since: now });
    }

    fn tool_ended(&mut self, member: &MemberName, ended: &str) {
        let is_that =
            |doing: &Doing| matches!(&doing.what, Kind::Tool { call, .. } if call == ended);
        if self.0.get(member).is_some_and(is_that) {
            self.0.remove(member);
        }
    }

    fn asks(&mut self, member: &MemberName, now: Instant) {
        let call = match self.0.remove(member).map(|doing| doing.what) {
            Some(Kind::Tool { call, name }) => Some((call, name)),
            Some(Kind::Asks { call }) => call,
            Some(Kind::Thinks | Kind::Writes | Kind::Retries) | None => None,
        };
        self.begin(member, Kind::Asks { call }, now);
    }

    /// The call continues and its time starts again: the user's thinking time does not count.
    fn continue_tool(&mut self, member: &MemberName, now: Instant) {
        if let Some(Doing {
            what: Kind::Asks {
                call: Some((call, name)),
            },
            ..
        }) = self.0.remove(member)
        {
            self.begin(member, Kind::Tool { call, name }, now);
        }
    }
}

impl Kind {
    fn text(&self, seconds: u64) -> String {
        let word = match self {
            Self::Thinks => "thinks",
            Self::Writes => "writes",
            Self::Retries => "retries",
            Self::Tool { name, .. } => name,
            Self::Asks { .. } => return "waits for your answer".to_owned(),
        };
        match seconds {
            0 => word.to_owned(),
            1..120 => format!("{word} {seconds} s"),
            _ => format!("{word} {} min", seconds / 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn event(member: &str, what: &str) -> Event {
        let json = format!("{{\"at\":0,\"member\":\"{member}\",{what}}}");
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn the_line_says_who_works_and_for_how_long() {
        let (mut status, start) = (Status::default(), Instant::now());
        let later = |seconds| start + Duration::from_secs(seconds);
        let line = |status: &Status, seconds| status.line(later(seconds), Style::PLAIN, None);
        assert_eq!(line(&status, 0), None);
        status.take(
            &event("lead", r#""event":"asked","round":1,"model":"m""#),
            start,
        );
        assert_eq!(line(&status, 0).unwrap(), "lead thinks");
        let bash = r#""event":"tool_started","call":"c","tool":"bash","summary":"ls""#;
        status.take(&event("alice", bash), later(9));
        assert_eq!(
            line(&status, 12).unwrap(),
            "lead thinks 12 s, alice bash 3 s"
        );

        let asked = r#""event":"permission_asked","question":1,"tool":"bash","shows":"ls""#;
        status.take(&event("alice", asked), later(13));
        assert_eq!(
            line(&status, 14).unwrap(),
            "lead thinks 14 s, alice waits for your answer"
        );
        let rested = r#""event":"rested","why":"done","result":"x""#;
        status.take(&event("lead", rested), later(15));
        assert_eq!(
            line(&status, 15),
            None,
            "who waits for the person does not work"
        );
        let answered = r#""event":"permission_answered","question":1,"allowed":true,"by":"user""#;
        status.take(&event("alice", answered), later(20));
        assert_eq!(line(&status, 22).unwrap(), "alice bash 2 s");
        let ended = r#""event":"tool_finished","call":"c","tool":"bash","ok":true,"summary":"","took_ms":1"#;
        status.take(&event("alice", ended), later(23));
        assert_eq!(line(&status, 23), None);
    }
}
