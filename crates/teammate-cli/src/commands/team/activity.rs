//! The present activity of members, from the end of the event log: the tool that each one runs, and since when.

use std::collections::BTreeMap;

use teammate::{
    Event, EventKind, EventLine, EventLog, Member, MemberName, MemberPhase, TeamClient, Timestamp,
};

use crate::commands::CliContext;

/// How much of the log's end is read: a call that began before that is not shown.
const END_BYTES: u64 = 64 << 10;

/// A tool that runs.
pub(super) struct RunningTool {
    pub(super) name: String,
    pub(super) since: Timestamp,
    /// How far it is, as it says.
    pub(super) progress: Option<String>,
}

/// The tools that members run, as far as the end of the log says it.
#[derive(Default)]
pub(super) struct RunningTools(BTreeMap<MemberName, BTreeMap<String, RunningTool>>);

impl RunningTools {
    /// Of a team that runs. A log that cannot be read shows nothing: it is not worth an error.
    pub(super) async fn of(place: &CliContext, client: &TeamClient) -> Self {
        let mut all = Self::default();
        if client.host().is_none() {
            return all;
        }
        let read_max = place.options.read_max();
        let read_max = read_max.unwrap_or(teammate::TeamConfig::READ_MAX_BYTES);
        if let Ok(mut log) = EventLog::of(place.team(), read_max)
            && log.go_near_end(END_BYTES).is_ok()
        {
            let _ = log.read_on(|line| all.take(line)).await;
        }
        // No file has it.
        if let Some(live) = client.live().connect().await {
            live.progress().for_each(|event| all.take_progress(event));
        }
        all
    }

    fn take(&mut self, line: EventLine<'_>) {
        let EventLine::Text(line) = line else { return };
        let Ok(event) = serde_json::from_str::<Event>(line) else {
            return;
        };
        let tools = self.0.entry(event.member).or_default();
        match event.what {
            EventKind::ToolStarted { call, tool, .. } => {
                let running = RunningTool {
                    name: tool,
                    since: event.at,
                    progress: None,
                };
                tools.insert(call.as_str().to_owned(), running);
            }
            EventKind::ToolFinished { call, .. } => {
                tools.remove(call.as_str());
            }
            // Only calls are followed here.
            _ => {}
        }
    }

    fn take_progress(&mut self, event: &Event) {
        if let EventKind::ToolProgress { call, text } = &event.what
            && let Some(tools) = self.0.get_mut(&event.member)
            && let Some(tool) = tools.get_mut(call.as_str())
        {
            tool.progress = Some(text.clone());
        }
    }

    /// The tool that a member has run the longest, if it works. One that waits runs nothing: its call may not begin.
    pub(super) fn tool(&self, member: &Member) -> Option<&RunningTool> {
        let tools = self.0.get(&member.name)?.values();
        tools
            .filter(|_| member.phase == MemberPhase::Working)
            .min_by_key(|tool| tool.since)
    }
}
