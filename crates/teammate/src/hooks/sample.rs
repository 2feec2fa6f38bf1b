//! An event as it could be, to try hooks with.

use std::path::Path;

use serde_json::{Value, json};
use teammate_core::{
    Incarnation, MemberName,
    board::TaskId,
    cause::Cause,
    hook::{HookCall, HookEvent, Identity, Occasion, TaskFacts, ToolUse, permission_word},
    model::{StopReason, Usage},
    permission::{Location, Mode, Script, ShellCommand},
    port::{Action, Target},
    request::RequestId,
    tool::{CallId, ToolCall, ToolInput},
};

use crate::tool_names::tool_names;

/// The parts of a sample that can be chosen.
#[derive(Debug, Clone)]
pub struct HookSample {
    /// Whose event it is.
    pub member: MemberName,
    /// The tool, under any of its names.
    pub tool: String,
    /// The arguments of the call.
    pub input: Value,
}

impl HookSample {
    /// The event in this workspace.
    pub fn call(&self, event: HookEvent, workspace: &Path) -> HookCall {
        HookCall {
            event_id: "00000000-0000-7000-8000-000000000000".to_owned(),
            identity: Identity {
                session: "00000000-0000-7000-8000-000000000001".to_owned(),
                team: "default".to_owned(),
                member: self.member.clone(),
                incarnation: Incarnation::FIRST,
                subagent: None,
                permission: permission_word(Mode::Ask, false),
            },
            cwd: workspace.to_owned(),
            occasion: self.occasion(event, workspace),
        }
    }

    fn occasion(&self, event: HookEvent, workspace: &Path) -> Occasion {
        let used = || self.used(workspace);
        let last = || "It is done.".to_owned();
        let task = || TaskFacts {
            id: TaskId::new(1),
            subject: "A task".to_owned(),
            description: "What is to be done".to_owned(),
        };
        let model = || "anthropic:model".to_owned();
        match event {
            HookEvent::SessionStart => Occasion::SessionStart { source: "startup" },
            HookEvent::SessionEnd => Occasion::SessionEnd { reason: "settled" },
            HookEvent::UserPromptSubmit => Occasion::UserPromptSubmit {
                prompt: "Fix the failing test".to_owned(),
            },
            HookEvent::PreToolUse => Occasion::PreToolUse(used()),
            HookEvent::PostToolUse => Occasion::PostToolUse {
                used: used(),
                response: "what the tool printed".to_owned(),
                took_ms: 12,
            },
            HookEvent::PostToolUseFailure => Occasion::PostToolUseFailure {
                used: used(),
                error: "why the tool failed".to_owned(),
                took_ms: 12,
            },
            HookEvent::ModelCallBefore => Occasion::ModelCallBefore {
                model: model(),
                purpose: "turn",
                messages: 3,
            },
            HookEvent::ModelCallAfter => Occasion::ModelCallAfter {
                model: model(),
                purpose: "turn",
                end: Ok((StopReason::EndTurn, Usage::default())),
                took_ms: 900,
            },
            HookEvent::SubagentStart => Occasion::SubagentStart {
                prompt: "Review the parser".to_owned(),
                role: Some("reviewer".to_owned()),
                by: MemberName::lead(),
            },
            HookEvent::SubagentStop => Occasion::SubagentStop {
                last: last(),
                is_held_back: false,
            },
            HookEvent::Stop => Occasion::Stop {
                last: last(),
                is_held_back: false,
            },
            HookEvent::TeammateIdle => Occasion::TeammateIdle,
            HookEvent::TaskCreated => Occasion::TaskCreated(task()),
            HookEvent::TaskCompleted => Occasion::TaskCompleted {
                task: task(),
                at_turn_end: false,
            },
            HookEvent::MailSent => Occasion::MailSent {
                to: vec![MemberName::lead()],
                content: last(),
            },
            HookEvent::PermissionAsked => Occasion::PermissionAsked {
                used: used(),
                because: "no rule allows it".to_owned(),
            },
            HookEvent::PermissionSettled => Occasion::PermissionSettled {
                used: used(),
                request: RequestId::new(1),
                decision: "approved",
            },
            HookEvent::PreCompact => Occasion::PreCompact {
                is_wanted: true,
                focus: String::new(),
            },
        }
    }

    fn used(&self, workspace: &Path) -> ToolUse {
        let names = tool_names(false);
        let tool = names.own(&self.tool).to_owned();
        let input = self.input.to_string();
        let action = Action {
            target: self.target(&tool, workspace),
            shows: input.clone(),
            summary: tool.clone(),
        };
        let call = ToolCall {
            id: CallId::new("toolu_sample".to_owned()),
            name: tool,
            input: ToolInput::from_json(input),
        };
        ToolUse::of(&call, &Cause::from("sample"), &action, &names)
    }

    /// The target of the call.
    fn target(&self, tool: &str, workspace: &Path) -> Target {
        let said = |names: [&str; 2]| {
            let found = names.iter().find_map(|name| self.input[*name].as_str());
            found.map(str::to_owned)
        };
        match (tool, said(["command", "cmd"]), said(["file_path", "path"])) {
            ("bash", Some(text), _) => Target::Command(ShellCommand {
                text,
                script: Script::Unparsed {
                    why: "it is a sample",
                },
                untrusted: Vec::new(),
                unheld: None,
            }),
            (_, _, Some(path)) => Target::Path(Location {
                resolved: path.clone().into(),
                full: workspace.join(&path),
                written: path.into(),
            }),
            (_, _, None) => Target::Team,
        }
    }

    /// The arguments of a call of this tool if nothing else is said.
    pub fn input_of(tool: &str) -> Value {
        match tool {
            "Bash" | "bash" => json!({ "command": "echo hello" }),
            _ => json!({ "file_path": "notes.txt" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_sample_of_every_event() {
        let sample = HookSample {
            member: MemberName::lead(),
            tool: "Edit".to_owned(),
            input: HookSample::input_of("Edit"),
        };
        for (event, name) in HookEvent::ALL {
            let told = sample
                .call(event, Path::new("/work"))
                .to_json("/t".as_ref());
            assert_eq!(told["hook_event_name"], name);
        }
        let told = sample.call(HookEvent::PreToolUse, Path::new("/work"));
        let told = told.to_json("/t".as_ref());
        assert_eq!(told["tool_name"], "Edit");
        assert_eq!(told["tool"], "edit_file");
        assert_eq!(told["tool_input"]["file_path"], "/work/notes.txt");
    }
}
