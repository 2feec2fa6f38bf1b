//! Members' calls by the names that callers know, and which call a question is about.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};
use teammate::{CallId, MemberName, ToolNames, request::Request, tool_names};

/// The tool that begins teammates.
const SPAWN: &str = "spawn_teammate";

/// The arguments that are paths. A caller compares them with its own directories, so they are whole.
const PATHS: [&str; 2] = ["file_path", "path"];

/// The calls that were made.
#[derive(Debug)]
pub(super) struct Calls {
    workspace: PathBuf,
    names: ToolNames,
    made: BTreeMap<(MemberName, String), Made>,
    /// The call that began a teammate.
    began: BTreeMap<MemberName, String>,
    /// The call that began the last subagent of a kind.
    subagents: BTreeMap<(MemberName, String), String>,
}

/// A call as callers know it.
#[derive(Debug)]
struct Made {
    /// The entry of the answer that made it; nothing if a subagent made it.
    entry: Option<u64>,
    /// Our own name of the tool.
    tool: String,
    name: String,
    input: Value,
    /// The command or the path, as it was written.
    about: String,
}

impl Calls {
    pub(super) fn new(workspace: &Path) -> Self {
        Self {
            workspace: workspace.to_owned(),
            names: tool_names(true),
            made: BTreeMap::new(),
            began: BTreeMap::new(),
            subagents: BTreeMap::new(),
        }
    }

    /// A block of an answer, with a call by the names that callers know.
    pub(super) fn named(&mut self, member: &MemberName, entry: u64, block: Value) -> Value {
        let (Some("tool_use"), Some(id), Some(called)) = (
            block["type"].as_str(),
            block["id"].as_str().map(str::to_owned),
            block["name"].as_str(),
        ) else {
            return block;
        };
        let tool = self.names.own(called).to_owned();
        let made = self.made(&tool, block["input"].clone(), Some(entry));
        if tool == SPAWN {
            for name in named_in(&made.input) {
                self.began.insert(name, id.clone());
            }
        }
        let block = made.block(&id);
        self.made.insert((member.clone(), id), made);
        block
    }

    /// A subagent's call as a block.
    pub(super) fn of_subagent(
        &mut self,
        member: &MemberName,
        (call, tool): (&CallId, &str),
        input: Option<&str>,
    ) -> Value {
        // Arguments that are too long for an event are no JSON there.
        let input = input.and_then(|text| serde_json::from_str(text).ok());
        let made = self.made(tool, input.unwrap_or_else(|| json!({})), None);
        let block = made.block(call.as_str());
        let by = (member.clone(), call.as_str().to_owned());
        self.made.insert(by, made);
        block
    }

    fn made(&self, tool: &str, input: Value, entry: Option<u64>) -> Made {
        let name = self.names.others(tool).next().unwrap_or(tool).to_owned();
        let written = match input {
            Value::Object(written) => written,
            _ => Map::new(),
        };
        let about = ["command", "cmd", "path", "file_path"];
        let about = about
            .into_iter()
            .find_map(|name| written.get(name)?.as_str());
        let about = about.unwrap_or_default().to_owned();
        let named = written.into_iter().map(|(argument, value)| {
            let name = self.names.argument(tool, &argument).to_owned();
            let value = match (PATHS.contains(&name.as_str()), value.as_str()) {
                (true, Some(path)) => self.workspace.join(path).to_string_lossy().into(),
                _ => value,
            };
            (name, value)
        });
        Made {
            entry,
            input: named.collect::<Map<_, _>>().into(),
            tool: tool.to_owned(),
            name,
            about,
        }
    }

    /// A subagent's call has ended.
    pub(super) fn ended(&mut self, member: &MemberName, call: &CallId) {
        self.made
            .remove(&(member.clone(), call.as_str().to_owned()));
    }

    pub(super) fn subagent_begins(&mut self, member: &MemberName, kind: &str, call: &str) {
        let by = (member.clone(), kind.to_owned());
        self.subagents.insert(by, call.to_owned());
    }

    /// The call that began this subagent.
    pub(super) fn subagents_parent(&self, member: &MemberName, kind: &str) -> Option<String> {
        let by = (member.clone(), kind.to_owned());
        let call = self.subagents.get(&by).cloned();
        call.or_else(|| self.members_parent(member))
    }

    /// The call that began this member; none for the lead. A teammate of before has none that a caller knows.
    pub(super) fn members_parent(&self, member: &MemberName) -> Option<String> {
        if member.is_lead() {
            return None;
        }
        let call = self.began.get(member).cloned();
        Some(call.unwrap_or_else(|| format!("teammate-{member}")))
    }

    /// A call that was refused.
    pub(super) fn denial(&self, member: &MemberName, call: &CallId) -> Option<Value> {
        let made = self.made.get(&(member.clone(), call.as_str().to_owned()))?;
        Some(json!({
            "tool_name": made.name,
            "tool_use_id": call.as_str(),
            "tool_input": made.input,
        }))
    }

    /// The call that a question is about. Where that is not known without a doubt, the caller reads what will happen in words.
    pub(super) fn asked(&self, request: &Request) -> (String, String, Value) {
        let member = request.concerns();
        let tool = request.permission().map_or("", |asked| &*asked.tool);
        let mut of_member = self.made.iter().filter(|((of, _), _)| Some(of) == member);
        let own = of_member.clone().find(|((_, id), made)| {
            let call = CallId::new(id.clone());
            made.entry
                .is_some_and(|entry| request.is_about(entry, &call))
        });
        if let Some(((_, id), made)) = own {
            return (id.clone(), made.name.clone(), made.input.clone());
        }
        let shows = request.shows();
        let is_meant = |made: &Made| {
            let is_shown = !made.about.is_empty() && shows.contains(&made.about);
            made.entry.is_none() && made.tool == tool && is_shown
        };
        let first = of_member.find(|(_, made)| is_meant(made));
        match (first, of_member.find(|(_, made)| is_meant(made))) {
            (Some(((_, id), made)), None) => (id.clone(), made.name.clone(), made.input.clone()),
            _ => {
                let name = self.names.others(tool).next().unwrap_or(tool).to_owned();
                let shows = json!({ "shows": teammate::visible(&shows) });
                (request.id.to_string(), name, shows)
            }
        }
    }
}

impl Made {
    fn block(&self, id: &str) -> Value {
        json!({ "type": "tool_use", "id": id, "name": self.name, "input": self.input })
    }
}

/// The teammates that a call begins, by its arguments.
fn named_in(input: &Value) -> Vec<MemberName> {
    match input {
        Value::Object(fields) => {
            let own = fields.get("name").and_then(Value::as_str);
            let own = own.and_then(|name| MemberName::parse(name).ok());
            own.into_iter()
                .chain(fields.values().flat_map(named_in))
                .collect()
        }
        Value::Array(all) => all.iter().flat_map(named_in).collect(),
        _ => Vec::new(),
    }
}
