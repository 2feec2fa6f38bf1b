//! Members' calls of tools, each with an id of its own in the session: members' ids may be the same.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use teammate::{CallId, Event, EventKind, Excerpt, FileChange, MemberName};
use teammate_view::clean::{clean, clean_line};

use super::{diff, kinds::kind};
use crate::acp::update;

/// The most characters of a title.
const TITLE_CHARS_MAX: usize = 200;

/// The calls that run.
#[derive(Debug)]
pub(super) struct Calls {
    workspace: PathBuf,
    /// Where members work that have a worktree.
    worktrees: BTreeMap<MemberName, PathBuf>,
    open: BTreeMap<Key, Open>,
    last: u64,
}

/// Whose call: a member's, or that of its subagent of this kind.
type Key = (MemberName, Option<String>, CallId);

#[derive(Debug)]
struct Open {
    id: String,
    tool: String,
}

impl Calls {
    pub(super) fn new(workspace: PathBuf) -> Self {
        Self {
            workspace,
            worktrees: BTreeMap::new(),
            open: BTreeMap::new(),
            last: 0,
        }
    }

    /// The member works in this worktree, or in the workspace.
    pub(super) fn works_in(&mut self, member: &MemberName, worktree: Option<&str>) {
        match worktree {
            Some(dir) => self.worktrees.insert(member.clone(), dir.into()),
            None => self.worktrees.remove(member),
        };
    }

    /// The member's call of this tool, if it has exactly one.
    pub(super) fn only_open(&self, member: &MemberName, tool: &str) -> Option<String> {
        let is_meant = |(key, open): &(&Key, &Open)| key.0 == *member && open.tool == tool;
        let mut calls = self.open.iter().filter(is_meant);
        match (calls.next(), calls.next()) {
            (Some((_, open)), None) => Some(open.id.clone()),
            (_, _) => None,
        }
    }

    /// A call began.
    pub(super) fn started(&mut self, event: &Event) -> Option<Value> {
        let EventKind::ToolStarted {
            call,
            tool,
            summary,
            input,
            subagent,
        } = &event.what
        else {
            return None;
        };
        self.last += 1;
        let id = format!("call-{}", self.last);
        let who = match subagent {
            Some(kind) => format!("{}/{}", event.member, clean_line(kind)),
            None => event.member.to_string(),
        };
        let title = clean_line(&format!("{who}: {tool} {summary}"));
        let title: String = title.trim_end().chars().take(TITLE_CHARS_MAX).collect();
        let input = input.as_deref();
        let input: Option<Value> = input.and_then(|text| serde_json::from_str(text).ok());
        let mut shown = json!({
            "sessionUpdate": "tool_call",
            "toolCallId": id,
            "title": title,
            "kind": kind(tool),
            "status": "in_progress",
        });
        if let Some(path) = input.as_ref().and_then(|input| path_in(input, tool)) {
            shown["locations"] = json!([{ "path": self.absolute(&event.member, path) }]);
        }
        if let Some(input) = input {
            shown["rawInput"] = input;
        }
        let key = (event.member.clone(), subagent.clone(), call.clone());
        let tool = tool.clone();
        self.open.insert(key, Open { id, tool });
        Some(shown)
    }

    /// A call ended. One whose beginning is not known is passed over.
    pub(super) fn finished(&mut self, event: &Event) -> Option<Value> {
        let EventKind::ToolFinished {
            call,
            ok,
            summary,
            output,
            change,
            subagent,
            ..
        } = &event.what
        else {
            return None;
        };
        let key = (event.member.clone(), subagent.clone(), call.clone());
        let open = self.open.remove(&key)?;
        let mut shown = json!({
            "sessionUpdate": "tool_call_update",
            "toolCallId": open.id,
            "status": if *ok { "completed" } else { "failed" },
        });
        let changed = change.as_deref().filter(|_| *ok);
        let mut contents = match changed {
            Some(change) => {
                let path = self.absolute(&event.member, &change.path);
                let line = diff::first_line(change);
                shown["locations"] = match line {
                    Some(line) => json!([{ "path": path, "line": line }]),
                    None => json!([{ "path": path }]),
                };
                changed_text(change, &path)
            }
            None => Vec::new(),
        };
        if contents.is_empty() {
            let text = match output {
                Some(output) => printed(output),
                None => clean(summary).into_owned(),
            };
            if !text.trim().is_empty() {
                contents = vec![content(&update::verbatim(&text))];
            }
        }
        if !contents.is_empty() {
            shown["content"] = contents.into();
        }
        Some(shown)
    }

    /// No call runs any more.
    pub(super) fn cut(&mut self) -> Vec<Value> {
        let cut = std::mem::take(&mut self.open).into_values();
        cut.map(|open| {
            json!({
                "sessionUpdate": "tool_call_update",
                "toolCallId": open.id,
                "status": "failed",
            })
        })
        .collect()
    }

    fn absolute(&self, member: &MemberName, path: &str) -> String {
        let base: &Path = self.worktrees.get(member).unwrap_or(&self.workspace);
        base.join(path).display().to_string()
    }
}

/// A change as diffs; in words, if it cannot be shown.
fn changed_text(change: &FileChange, path: &str) -> Vec<Value> {
    let diffs = diff::contents(change, path);
    if !diffs.is_empty() {
        return diffs;
    }
    let (added, removed) = (change.added, change.removed);
    let text = format!("{path}: {added} lines added, {removed} removed");
    vec![content(&update::text(&clean(&text)))]
}

fn content(block: &Value) -> Value {
    json!({ "type": "content", "content": block })
}

/// Beginning and end of what a call printed.
fn printed(output: &Excerpt) -> String {
    let (head, tail) = (clean(&output.head), clean(&output.tail));
    match tail.is_empty() {
        true => head.into_owned(),
        false => format!("{}\n…\n{tail}", head.trim_end()),
    }
}

/// The file that a call of a file tool is about.
fn path_in<'a>(input: &'a Value, tool: &str) -> Option<&'a str> {
    match tool {
        "read_file" | "edit_file" | "write_file" => {
            let path = input["path"].as_str();
            path.or_else(|| input["file_path"].as_str())
        }
        _ => None,
    }
}
