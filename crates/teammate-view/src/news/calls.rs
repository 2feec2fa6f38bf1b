//! How calls end: those that another event has said already are no news.

use teammate_core::{MemberName, event::EventKind};

use super::{News, NewsFold};
use crate::{
    clean::clean_line,
    printed::PrintedOutput,
    wording::{call_failed, call_refused},
};

impl NewsFold {
    /// A call ended: that it failed or was refused, and what it printed. One that succeeded and printed nothing is no news.
    pub(super) fn call_ended(&mut self, member: &MemberName, what: &EventKind) -> Vec<News> {
        let EventKind::ToolFinished {
            call,
            tool,
            ok,
            summary,
            lines,
            file,
            output,
            refused,
            subagent,
            ..
        } = what
        else {
            return Vec::new();
        };
        let was_told = !ok
            && (tool == "complete_task" && self.checked.remove(member)
                || self.refused.remove(&(member.clone(), call.clone())));
        if was_told {
            return Vec::new();
        }
        let who = speaker(member, subagent.as_deref());
        let failed = (!ok).then(|| News::Line {
            who: who.clone(),
            text: match refused {
                Some(_) => call_refused(tool, summary),
                None => call_failed(tool, summary),
            },
        });
        let lines = output.as_ref().map_or_else(Vec::new, |output| {
            let printed = PrintedOutput {
                tool,
                ok: *ok,
                output,
                lines: *lines,
                file: file.as_deref(),
            };
            printed.shown()
        });
        let printed = (!lines.is_empty()).then(|| News::Printed {
            who,
            has_head: !ok,
            lines,
        });
        failed.into_iter().chain(printed).collect()
    }
}

/// A member's name, or MEMBER/KIND for its subagent.
pub(super) fn speaker(member: &MemberName, subagent: Option<&str>) -> String {
    match subagent {
        Some(kind) => format!("{member}/{}", clean_line(kind)),
        None => member.to_string(),
    }
}
